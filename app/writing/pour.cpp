// Between fork and _exit there are system calls only.
#include "app/writing/pour.hpp"

#include "app/files.hpp"
#include "app/writing/temporary.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

namespace deltaflow::app {

namespace {

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

// 0, or why not.
int copy_over(int from, int to) {
    static std::array<char, 1 << 20> piece;
    off_t at = 0;
    while (const ssize_t n = ::pread(from, piece.data(), piece.size(), at)) {
        if (n < 0) return errno;
        errno = EIO;
        if (::pwrite(to, piece.data(), static_cast<std::size_t>(n), at) != n) return errno;
        at += n;
    }
    return ::ftruncate(to, at) != 0 || ::fsync(to) != 0 ? errno : 0;
}

int in_a_process_of_its_own(int from, int to) {
    const pid_t child = ::fork();
    if (child < 0) return copy_over(from, to);
    if (child == 0) {
        ::setsid();  // who kills the group does not mean this one
        ::_exit(copy_over(from, to));
    }
    int status = 0;
    while (::waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return errno;
    return WIFEXITED(status) ? WEXITSTATUS(status) : EIO;
}

}  // namespace

void pour(std::FILE* whole, const std::filesystem::path& target, const std::string& name) {
    const Undisturbed undisturbed;
    const int file = ::open(target.c_str(), O_WRONLY | O_CLOEXEC);
    if (file < 0) throw cannot_write(name, errno);
    const File closes(::fdopen(file, "w"));
    const off_t size = ::lseek(::fileno(whole), 0, SEEK_END);
    if (!reserve(file, size)) throw cannot_write(name, errno);
    if (const int reason = in_a_process_of_its_own(::fileno(whole), file)) throw cannot_write(name, reason);
}

}  // namespace deltaflow::app
