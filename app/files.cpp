// Files that appear whole: a temporary in the same folder, then a rename.
#include "app/files.hpp"

#include "app/interrupt.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

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

constexpr std::string_view own_ending = ".deltaflow";

std::string beginning_of(const fs::path& target) {
    constexpr std::size_t longest = 200;  // a name has at most 255 bytes
    return "." + target.filename().string().substr(0, longest) + ".";
}

// What a program that was killed has left beside the target. Who still writes holds a lock.
void clear_litter(const fs::path& target) {
    const std::string begin = beginning_of(target);
    std::error_code error;
    for (fs::directory_iterator entry(target.parent_path(), error), end; !error && entry != end;
         entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        if (!name.starts_with(begin) || !name.ends_with(own_ending)) continue;
        const int file = ::open(entry->path().c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        if (file < 0) continue;
        if (::flock(file, LOCK_EX | LOCK_NB) == 0) ::unlink(entry->path().c_str());
        ::close(file);
    }
}

// A file that is removed again unless it was renamed into its place.
class Temporary {
public:
    explicit Temporary(const fs::path& target)
        : path_(target.parent_path() / fmt::format("{}{}{}", beginning_of(target), ::getpid(), own_ending)),
          unfinished_(std::in_place, path_.c_str()) {
        clear_litter(target);
        open();
    }
    Temporary(const Temporary&) = delete;
    Temporary& operator=(const Temporary&) = delete;
    ~Temporary() {
        if (descriptor_ >= 0) ::close(descriptor_);
        if (descriptor_ != failed && unfinished_) ::unlink(path_.c_str());
    }

    bool opened() const { return descriptor_ >= 0; }
    File file() {
        File file(::fdopen(descriptor_, "w+"));
        if (file) descriptor_ = handed_over;
        return file;
    }
    void keep_mode_of(const fs::path& target) const {
        struct stat old {};
        if (::stat(target.c_str(), &old) == 0) ::chmod(path_.c_str(), old.st_mode & 07777);
    }
    bool rename_to(const fs::path& target) {
        if (::rename(path_.c_str(), target.c_str()) != 0) return false;
        unfinished_.reset();
        const int folder = ::open(target.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (folder >= 0) ::fsync(folder), ::close(folder);
        return true;
    }

private:
    // Somebody who clears litter may have been faster than the lock: then once more.
    void open() {
        for (int tries = 0; tries < 10; ++tries) {
            descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
            struct stat now {};
            if (descriptor_ < 0) return;
            if (::flock(descriptor_, LOCK_EX) != 0 || (::fstat(descriptor_, &now) == 0 && now.st_nlink > 0))
                return;
            ::close(std::exchange(descriptor_, failed));
        }
    }

    static constexpr int failed = -1, handed_over = -2;
    fs::path path_;
    std::optional<Unfinished> unfinished_;
    int descriptor_ = failed;
};

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

// Signals wait while it lives.
class Undisturbed {
public:
    Undisturbed() {
        sigset_t all;
        ::sigfillset(&all);
        ::pthread_sigmask(SIG_BLOCK, &all, &before_);
    }
    Undisturbed(const Undisturbed&) = delete;
    Undisturbed& operator=(const Undisturbed&) = delete;
    ~Undisturbed() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

private:
    sigset_t before_;
};

// Is there room for so many bytes? Where the system cannot tell, it shows in writing.
bool reserve([[maybe_unused]] int file, [[maybe_unused]] off_t size) {
#if defined(__linux__)
    return size == 0 || ::fallocate(file, FALLOC_FL_KEEP_SIZE, 0, size) == 0 || errno == EOPNOTSUPP;
#else
    return true;
#endif
}

// Puts what is whole over a file that has to stay the same file. There is room for all of it before the first
// byte is written.
void pour(std::FILE* whole, const fs::path& target, const std::string& name) {
    const Undisturbed undisturbed;
    const int file = ::open(target.c_str(), O_WRONLY | O_CLOEXEC);
    if (file < 0) throw cannot_write(name, errno);
    const File closes(::fdopen(file, "w"));
    std::fseek(whole, 0, SEEK_END);
    const off_t size = std::ftell(whole);
    if (!reserve(file, size)) throw cannot_write(name, errno);
    std::string piece(1 << 20, '\0');
    std::rewind(whole);
    off_t at = 0;
    while (const std::size_t n = std::fread(piece.data(), 1, piece.size(), whole)) {
        if (::pwrite(file, piece.data(), n, at) != static_cast<ssize_t>(n)) throw cannot_write(name, errno);
        at += static_cast<off_t>(n);
    }
    if (::ftruncate(file, at) != 0 || ::fsync(file) != 0) throw cannot_write(name, errno);
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

namespace {

class FileSpool final : public report::Spool {
public:
    FileSpool(File file, std::string name) : file_(std::move(file)), name_(std::move(name)) {}
    void add(std::string_view text) override {
        if (!file_)
            memory_ += text;
        else if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size())
            throw cannot_write(name_, errno);
    }
    void hand_on(std::uint64_t from, std::uint64_t size, Output& output) override {
        if (!file_) return output.write(std::string_view(memory_).substr(from, size));
        if (std::fflush(file_.get()) != 0) throw cannot_write(name_, errno);
        std::string piece(std::min<std::uint64_t>(size, 1 << 20), '\0');
        for (std::uint64_t done = 0; done < size;) {
            const std::size_t next = std::min<std::uint64_t>(size - done, piece.size());
            const ssize_t n =
                ::pread(::fileno(file_.get()), piece.data(), next, static_cast<off_t>(from + done));
            if (n <= 0) throw cannot_write(name_, n < 0 ? errno : EIO);
            output.write(std::string_view(piece).substr(0, static_cast<std::size_t>(n)));
            done += static_cast<std::uint64_t>(n);
        }
    }

private:
    File file_;
    std::string name_, memory_;
};

}  // namespace

std::unique_ptr<report::Spool> spool_beside(const std::string& path) {
#ifdef O_TMPFILE
    if (path != "-" && !is_device(path)) {
        const int file =
            ::open(target_of(path).parent_path().c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR);
        if (file >= 0) return std::make_unique<FileSpool>(File(::fdopen(file, "w+")), path);
    }
#endif
    return std::make_unique<FileSpool>(File(std::tmpfile()), path);
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
    write_into(file.get(), path, writer);
    if (!beside || has_other_links(target)) return pour(file.get(), target, path);
    temporary.keep_mode_of(target);
    if (::fsync(::fileno(file.get())) != 0 || !temporary.rename_to(target)) throw cannot_write(path, errno);
}

}  // namespace deltaflow::app
