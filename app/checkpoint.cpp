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

void write_checkpoint(const std::string& path, std::vector<std::byte> state, bool whole, const Trace& trace) {
    const auto hand_on = [&](const TakeBytes& take) {
        const auto one = [&](const auto& part) {
            Archive a;
            part(a);
            take(a.take());
        };
        one([&](Archive& a) { a(state, whole); });
        archive_parts(const_cast<Trace&>(trace), one);  // writing changes nothing
    };
    write_file(path, [&](Output& output) {
        seal(0, hand_on, [&](std::span<const std::byte> bytes) {
            output.write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
        });
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
        a(checkpoint.state, checkpoint.whole, checkpoint.trace);
        return checkpoint;
    } catch (const ModelError& error) {
        refuse_file(ErrorKind::option, path, error.diagnostics.front().message);
    }
}

}  // namespace deltaflow::app
