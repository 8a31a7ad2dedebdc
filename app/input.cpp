// Reads a model from a file or from standard input.
#include "app/input.hpp"

#include "app/files.hpp"
#include "engine/front/read/text.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace deltaflow::app {

namespace {

// What messages call it; files that it uses stand in the present folder.
const std::string input_name = "standard input";

// All of it, or one byte more than any model may have: then the reader refuses it.
std::string standard_input() {
    std::string text(std::size_t{1} << 16, '\0');
    std::size_t size = 0;
    while (const std::size_t count = std::fread(text.data() + size, 1, text.size() - size, stdin)) {
        size += count;
        if (size > front::largest_file) break;
        if (size == text.size()) text.resize(2 * size);
    }
    if (std::ferror(stdin)) refuse_file(ErrorKind::file, input_name, std::strerror(errno));
    text.resize(size);
    return text;
}

}  // namespace

ModelFiles read_input(const std::string& path, const std::vector<std::string>& allow) {
    return path == "-" ? read_model_text(input_name, standard_input(), allow) : read_model(path, allow);
}

FlatModel load_input(const std::string& path, const LoadOptions& options) {
    return load_model(read_input(path, options.allow), options);
}

}  // namespace deltaflow::app
