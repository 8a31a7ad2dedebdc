// Files that appear whole: a temporary in the same folder, then a rename.
#include "app/files.hpp"

#include "app/writing/pour.hpp"
#include "app/writing/temporary.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <memory>
#include <system_error>

namespace deltaflow::app {

namespace fs = std::filesystem;

OutputError cannot_write(const std::string& path, int reason) {
    const std::string name = path == "-" ? "standard output" : path;
    return OutputError(fmt::format("cannot write {}: {}", name, std::generic_category().message(reason)));
}

namespace {

// Where the bytes go in the end: a link is followed, so that it stays a link, even where it leads to nothing.
fs::path target_of(const std::string& path) {
    constexpr int most_links = 40;
    std::error_code ignored;
    fs::path file = fs::absolute(path, ignored);
    for (int i = 0; i < most_links && fs::is_symlink(fs::symlink_status(file, ignored)); ++i)
        file = file.parent_path() / fs::read_symlink(file, ignored);
    const fs::path target = fs::weakly_canonical(file, ignored);
    return ignored ? file : target;
}

// Devices and pipes are written in place.
bool is_device(const std::string& path) {
    std::error_code ignored;
    const fs::file_status status = fs::status(path, ignored);
    return fs::exists(status) && !fs::is_regular_file(status);
}

void write_in_place(const std::string& path, const Writer& writer) {
    const File file(std::fopen(path.c_str(), "w"));
    if (!file) throw cannot_write(path, errno);
    write_into(file.get(), path, writer);
}

bool has_other_links(const fs::path& target) {
    struct stat old {};
    return ::stat(target.c_str(), &old) == 0 && old.st_nlink > 1;
}

}  // namespace

void write_into(std::FILE* file, const std::string& name, const Writer& writer, bool live) {
    Output output([&](std::string_view text) {
        if (std::fwrite(text.data(), 1, text.size(), file) != text.size()) throw cannot_write(name, errno);
        if (live && std::fflush(file) != 0) throw cannot_write(name, errno);
    });
    writer(output);
    output.flush();
    if (std::fflush(file) != 0) throw cannot_write(name, errno);
}

namespace {

// The same for a file that is not in its place yet.
void write_beside(std::FILE* file, const std::string& name, Temporary* place, const Writer& writer) {
    Paced paced(file);
    FileSheet sheet(file, name, place);
    Output output(
        [&](std::string_view text) {
            if (std::fwrite(text.data(), 1, text.size(), file) != text.size())
                throw cannot_write(name, errno);
            paced.wrote(text.size());
        },
        &sheet);
    writer(output);
    output.flush();
    if (std::fflush(file) != 0) throw cannot_write(name, errno);
}

}  // namespace

namespace {

// By any spelling or link. Devices and pipes may be written to twice.
bool is_same_file(const std::string& a, const std::string& b) {
    std::error_code none;
    const fs::path x = target_of(a), y = target_of(b);
    if (fs::exists(x, none) && fs::exists(y, none))
        return fs::is_regular_file(x, none) && fs::equivalent(x, y, none);
    return x == y;
}

// Has the shell sent a standard stream into this file, or lets it come from there?
bool is_standard_stream(int stream, const std::string& path) {
    struct stat here {
    }, there{};
    return ::fstat(stream, &here) == 0 && S_ISREG(here.st_mode) && ::stat(path.c_str(), &there) == 0 &&
           here.st_dev == there.st_dev && here.st_ino == there.st_ino;
}

}  // namespace

void refuse_file(ErrorKind kind, const std::string& path, const std::string& why) {
    throw ModelError(kind, {{{path, ""}}}, {{Place{}, why, {}}});
}

void claim_outputs(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs) {
    std::vector<std::string> claimed;
    for (const std::string& input : inputs)
        if (is_standard_stream(STDOUT_FILENO, input))
            refuse_file(ErrorKind::option, input, "this file is read; standard output must not go into it");
    for (const std::string& path : outputs) {
        if (path.empty()) continue;
        if (path != "-" && is_standard_stream(STDOUT_FILENO, path))
            refuse_file(ErrorKind::option, path, "standard output goes into this file already");
        if (path != "-" && is_standard_stream(STDIN_FILENO, path))
            refuse_file(ErrorKind::option, path,
                        "standard input comes from this file; an output must not replace it");
        for (const std::string& input : path == "-" ? std::vector<std::string>() : inputs)
            if (is_same_file(path, input))
                refuse_file(ErrorKind::option, path, "this file is read; an output must not replace it");
        for (const std::string& other : claimed)
            if (path != "-" && other != "-" && is_same_file(path, other))
                refuse_file(ErrorKind::option, path, "two outputs cannot be one file");
        claimed.push_back(path);
        require_writable(path);
    }
}

std::vector<std::string> files_of(const FlatModel& model) {
    std::vector<std::string> paths;
    for (const auto& file : model.sources.files) paths.push_back(file.path);
    paths.insert(paths.end(), model.data_files.begin(), model.data_files.end());
    return paths;
}

void require_writable(const std::string& path) {
    if (path == "-") return;
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) throw cannot_write(path, EISDIR);
    struct stat found {};
    if (::stat(path.c_str(), &found) != 0 && errno == ELOOP) throw cannot_write(path, ELOOP);
    const fs::path target = target_of(path);
    if (is_device(path) || Temporary(target).opened()) return;
    const int reason = errno;
    if (!fs::exists(target, ignored)) throw cannot_write(path, reason);
    if (::access(target.c_str(), W_OK) != 0) throw cannot_write(path, errno);
}

std::unique_ptr<report::Sheet> own_sheet(const std::string& name) {
    File file(std::tmpfile());
    if (!file) return std::make_unique<report::MemorySheet>();
    return std::make_unique<FileSheet>(std::move(file), name);
}

void write_live(const std::string& path, const Writer& writer) {
    if (path == "-") return write_into(stdout, path, writer, true);
    const File file(std::fopen(path.c_str(), "we"));
    if (!file) throw cannot_write(path, errno);
    write_into(file.get(), path, writer, true);
}

void write_file(const std::string& path, const Writer& writer) {
    if (path == "-") return write_into(stdout, path, writer);
    if (is_device(path)) return write_in_place(path, writer);
    const fs::path target = target_of(path);
    Temporary temporary(target);
    const int reason = errno;
    std::error_code ignored;
    if (!temporary.opened() && !fs::exists(target, ignored)) throw cannot_write(path, reason);
    const bool beside = temporary.opened();
    const File file = beside ? temporary.file() : File(std::tmpfile());
    if (!file) throw cannot_write(path, errno);
    write_beside(file.get(), path, beside ? &temporary : nullptr, writer);
    if (!beside || has_other_links(target)) return pour(file.get(), target, path);
    temporary.keep_mode_of(target);
    if (::fsync(::fileno(file.get())) != 0 || !temporary.rename_to(target)) throw cannot_write(path, errno);
}

}  // namespace deltaflow::app
