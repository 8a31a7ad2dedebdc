// Hidden files with the name of their place and the number of the process.
#include "app/writing/temporary.hpp"

#include "app/files.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace deltaflow::app {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view own_ending = ".deltaflow";

std::string beginning_of(const fs::path& target) {
    constexpr std::size_t longest = 200;  // a name has at most 255 bytes
    return "." + target.filename().string().substr(0, longest) + ".";
}

// A process may have several for one target.
fs::path free_path(const fs::path& target) {
    std::error_code ignored;
    for (int i = 0;; ++i) {
        const std::string which = i == 0 ? "" : fmt::format("-{}", i);
        const fs::path path = target.parent_path() /
                              fmt::format("{}{}{}{}", beginning_of(target), ::getpid(), which, own_ending);
        if (i == 9 || !fs::exists(fs::symlink_status(path, ignored))) return path;
    }
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

// Begins to write what is waiting, and waits for what was begun before.
void let_go_to_disk([[maybe_unused]] int file) {
#if defined(__linux__)
    ::sync_file_range(file, 0, 0, SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE);
#endif
}

}  // namespace

Temporary::Temporary(const fs::path& target) : target_(target) {
    clear_litter(target);
    path_ = free_path(target);
    unfinished_.emplace(path_.c_str());
    open();
}

Temporary::~Temporary() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (descriptor_ != failed && unfinished_) ::unlink(path_.c_str());
}

File Temporary::file() {
    File file(::fdopen(descriptor_, "w+"));
    if (file) descriptor_ = handed_over;
    return file;
}

void Temporary::keep_mode_of(const fs::path& target) const {
    struct stat old {};
    if (::stat(target.c_str(), &old) == 0) ::chmod(path_.c_str(), old.st_mode & 07777);
}

bool Temporary::rename_to(const fs::path& target) {
    if (::rename(path_.c_str(), target.c_str()) != 0) return false;
    unfinished_.reset();  // it is not ours to remove any more
    const int folder = ::open(target.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0) ::fsync(folder), ::close(folder);
    return true;
}

// Somebody who clears litter may have been faster than the lock: then once more.
void Temporary::open() {
    for (int tries = 0; tries < 10; ++tries) {
        descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        struct stat now {};
        if (descriptor_ < 0) return;
        if (::flock(descriptor_, LOCK_EX) != 0 || (::fstat(descriptor_, &now) == 0 && now.st_nlink > 0))
            return;
        ::close(std::exchange(descriptor_, failed));
    }
}

void Paced::wrote(std::uint64_t size) {
    constexpr std::uint64_t stretch = 16 << 20;
    since_ += size;
    if (since_ < stretch) return;
    since_ = 0;
    let_go_to_disk(::fileno(file_));
}

void FileSheet::put(std::uint64_t at, std::string_view text) {
    paced_.wrote(text.size());
    while (!text.empty()) {
        const ssize_t n = ::pwrite(::fileno(file_), text.data(), text.size(), static_cast<off_t>(at));
        if (n <= 0) throw cannot_write(name_, n < 0 ? errno : EIO);
        at += static_cast<std::uint64_t>(n);
        text.remove_prefix(static_cast<std::size_t>(n));
    }
}

void FileSheet::get(std::uint64_t at, std::span<char> text) {
    while (!text.empty()) {
        const ssize_t n = ::pread(::fileno(file_), text.data(), text.size(), static_cast<off_t>(at));
        if (n <= 0) throw cannot_write(name_, n < 0 ? errno : EIO);
        at += static_cast<std::uint64_t>(n);
        text = text.subspan(static_cast<std::size_t>(n));
    }
}

void FileSheet::cut(std::uint64_t size) {
    if (::ftruncate(::fileno(file_), static_cast<off_t>(size)) != 0) throw cannot_write(name_, errno);
}

std::unique_ptr<report::Sheet> FileSheet::another() {
    std::unique_ptr<Temporary> place;
    if (place_) place = std::make_unique<Temporary>(place_->target());
    if (place && !place->opened()) throw cannot_write(name_, errno);
    File file = place ? place->file() : File(std::tmpfile());
    if (!file) throw cannot_write(name_, errno);
    auto sheet = std::make_unique<FileSheet>(file.get(), name_, place.get());
    sheet->own_place_ = std::move(place);
    sheet->own_file_ = std::move(file);
    return sheet;
}

// The open file goes on under its number.
void FileSheet::become(Sheet& other) {
    auto& next = dynamic_cast<FileSheet&>(other);
    const int here = ::fileno(file_);
    if (place_ && !next.place_->rename_to(place_->path())) throw cannot_write(name_, errno);
    if (::dup2(::fileno(next.file_), here) < 0) throw cannot_write(name_, errno);
    ::fcntl(here, F_SETFD, FD_CLOEXEC);
}

}  // namespace deltaflow::app
