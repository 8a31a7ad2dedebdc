// A state and what was told before it.
#include "app/checkpoint.hpp"

#include "app/files.hpp"
#include "engine/course/fingerprint.hpp"
#include "engine/model/archive_trace.hpp"
#include "engine/model/source.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>

namespace deltaflow::app {

namespace {

void archive(Archive& a, Checkpoint& c) { a(c.state, c.whole, c.trace); }

}  // namespace

void write_checkpoint(const std::string& path, Checkpoint checkpoint) {
    Archive a;
    archive(a, checkpoint);
    const std::vector<std::byte> bytes = seal(0, a.take());
    write_file(path, [&](Output& output) {
        output.write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    });
}

Checkpoint read_checkpoint(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file || std::filesystem::is_directory(path))
        refuse_file(ErrorKind::file, path, "the checkpoint cannot be read");
    const std::vector<char> text{std::istreambuf_iterator<char>(file), {}};
    try {
        Checkpoint checkpoint;
        Archive a(unseal(0, std::as_bytes(std::span(text))));
        archive(a, checkpoint);
        return checkpoint;
    } catch (const ModelError& error) {
        refuse_file(ErrorKind::option, path, error.diagnostics.front().message);
    }
}

}  // namespace deltaflow::app
