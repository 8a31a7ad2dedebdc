// Files that appear whole: a temporary in the same folder, then a rename.
#include "app/files.hpp"

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

namespace {

OutputError cannot_write(const std::string& path, int reason) {
    const std::string name = path == "-" ? "standard output" : path;
    return OutputError(fmt::format("cannot write {}: {}", name, std::generic_category().message(reason)));
}

struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

// A file that is removed again unless it was renamed into its place.
class Temporary {
public:
    explicit Temporary(const fs::path& target)
        : path_(target.parent_path() / fmt::format(".{}.{}", target.filename().string(), ::getpid())),
          descriptor_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)) {}
    Temporary(const Temporary&) = delete;
    Temporary& operator=(const Temporary&) = delete;
    ~Temporary() {
        if (descriptor_ >= 0) ::close(descriptor_);
        if (descriptor_ != failed && !path_.empty()) ::unlink(path_.c_str());
    }

    bool opened() const { return descriptor_ >= 0; }
    File file() {
        File file(::fdopen(descriptor_, "w"));
        if (file) descriptor_ = handed_over;
        return file;
    }
    void keep_mode_of(const fs::path& target) const {
        struct stat old {};
        if (::stat(target.c_str(), &old) == 0) ::chmod(path_.c_str(), old.st_mode & 07777);
    }
    bool rename_to(const fs::path& target) {
        if (::rename(path_.c_str(), target.c_str()) != 0) return false;
        path_.clear();
        return true;
    }

private:
    static constexpr int failed = -1, handed_over = -2;
    fs::path path_;
    int descriptor_;
};

// Where the bytes go in the end: a link is followed, so that it stays a link.
fs::path target_of(const std::string& path) {
    std::error_code ignored;
    const fs::path target = fs::weakly_canonical(path, ignored);
    return ignored ? fs::absolute(path, ignored) : target;
}

// Devices and pipes are written in place; so is a file in a folder that takes no new files.
bool in_place(const fs::path& target) {
    std::error_code ignored;
    const fs::file_status status = fs::status(target, ignored);
    return fs::exists(status) && !fs::is_regular_file(status);
}

void write_in_place(const std::string& path, const Writer& writer) {
    const File file(std::fopen(path.c_str(), "w"));
    if (!file) throw cannot_write(path, errno);
    write_into(file.get(), path, writer);
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

// By any spelling or link. Devices and pipes may be written to twice.
bool is_same_file(const std::string& a, const std::string& b) {
    std::error_code none;
    const fs::path x = target_of(a), y = target_of(b);
    if (fs::exists(x, none) && fs::exists(y, none))
        return fs::is_regular_file(x, none) && fs::equivalent(x, y, none);
    return fs::weakly_canonical(fs::absolute(x), none) == fs::weakly_canonical(fs::absolute(y), none);
}

}  // namespace

void refuse_file(ErrorKind kind, const std::string& path, const std::string& why) {
    throw ModelError(kind, {{{path, ""}}}, {{Place{}, why, {}}});
}

void claim_outputs(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs) {
    std::vector<std::string> claimed;
    for (const std::string& path : outputs) {
        if (path.empty()) continue;
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
    return paths;
}

void require_writable(const std::string& path) {
    if (path == "-") return;
    const fs::path target = target_of(path);
    std::error_code ignored;
    if (fs::is_directory(target, ignored)) throw cannot_write(path, EISDIR);
    if (in_place(target) || Temporary(target).opened()) return;
    const int reason = errno;
    if (!fs::exists(target, ignored)) throw cannot_write(path, reason);
    if (::access(target.c_str(), W_OK) != 0) throw cannot_write(path, errno);
}

void write_live(const std::string& path, const Writer& writer) {
    if (path == "-") return write_into(stdout, path, writer, true);
    const File file(std::fopen(path.c_str(), "w"));
    if (!file) throw cannot_write(path, errno);
    write_into(file.get(), path, writer, true);
}

void write_file(const std::string& path, const Writer& writer) {
    if (path == "-") return write_into(stdout, path, writer);
    const fs::path target = target_of(path);
    if (in_place(target)) return write_in_place(path, writer);
    Temporary temporary(target);
    if (!temporary.opened()) return write_in_place(path, writer);
    const File file = temporary.file();
    if (!file) throw cannot_write(path, errno);
    temporary.keep_mode_of(target);
    write_into(file.get(), path, writer);
    if (!temporary.rename_to(target)) throw cannot_write(path, errno);
}

}  // namespace deltaflow::app
