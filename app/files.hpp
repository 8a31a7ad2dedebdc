// Where the program writes: standard output, or a file that appears whole or not at all.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace deltaflow::app {

// A file could not be written (exit code 6); the text names it and says why.
struct OutputError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Buffered text on its way to an open file. Call flush() at the end: it throws OutputError.
class Output {
public:
    Output(std::FILE* file, std::string name) : file_(file), name_(std::move(name)) {}

    template <typename... Arguments>
    void print(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
        fmt::format_to(std::back_inserter(buffer_), format, std::forward<Arguments>(arguments)...);
        if (buffer_.size() > 1 << 16) drain();
    }
    void write(std::string_view text) { print("{}", text); }
    void flush();

private:
    void drain();

    std::FILE* file_;
    std::string name_, buffer_;
};

using Writer = std::function<void(Output&)>;

// Throws OutputError if it is plain beforehand that write_file(path, ...) will fail. "-" never does.
void require_writable(const std::string& path);

// Lets `writer` fill the file; "-" is standard output. A regular file is written beside its place and
// then renamed, so that no reader meets half of it. Throws OutputError.
void write_file(const std::string& path, const Writer& writer);

}  // namespace deltaflow::app
