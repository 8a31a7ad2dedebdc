// Runs dot, without a shell.
#include "app/dot.hpp"

#include "app/files.hpp"
#include "app/interrupt.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <memory>
#include <thread>

extern char** environ;

namespace deltaflow::app {

namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

constexpr std::chrono::seconds patience{60};

[[noreturn]] void fail_without_dot() {
    throw OutputError(
        "a picture needs the program dot of Graphviz, which was not found; install it (apt install "
        "graphviz), "
        "or use --dot FILE, which works without");
}

// A file that nobody else sees and that is gone when it is closed.
File scratch() {
    File file(std::tmpfile(), std::fclose);
    if (!file) throw OutputError(fmt::format("no temporary file for dot: {}", std::strerror(errno)));
    return file;
}

// Files instead of pipes: neither side ever waits for the other.
pid_t start_dot(std::FILE* in, std::FILE* out) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fileno(in), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fileno(out), STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    std::string name = "dot", format = "-Tjson0";
    char* const arguments[] = {name.data(), format.data(), nullptr};
    pid_t process = 0;
    const int error = posix_spawnp(&process, "dot", &actions, nullptr, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) fail_without_dot();
    return process;
}

// The status of a process that has ended; one that takes too long is ended.
int wait_for(pid_t process) {
    const auto begin = std::chrono::steady_clock::now();
    for (int status = 0;; std::this_thread::sleep_for(std::chrono::milliseconds(2))) {
        const pid_t ended = waitpid(process, &status, WNOHANG);
        if (ended == process) return status;
        if (ended < 0 && errno != EINTR) throw OutputError("dot got lost");
        if (std::chrono::steady_clock::now() - begin < patience) continue;
        kill(process, SIGKILL);
        waitpid(process, &status, 0);
        throw OutputError(fmt::format(
            "dot did not finish within {} s; draw less with --most N, or use --dot FILE", patience.count()));
    }
}

std::string read_all(std::FILE* file) {
    std::string text;
    char buffer[1 << 14];
    std::rewind(file);
    while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, file)) text.append(buffer, n);
    return text;
}

}  // namespace

std::string run_dot(const std::string& graph) {
    const File in = scratch(), out = scratch();
    if (std::fwrite(graph.data(), 1, graph.size(), in.get()) != graph.size() || std::fflush(in.get()) != 0)
        throw OutputError(fmt::format("no room for what dot should draw: {}", std::strerror(errno)));
    std::rewind(in.get());
    const pid_t process = start_dot(in.get(), out.get());
    const Companion companion(process);
    const int status = wait_for(process);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127) fail_without_dot();
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        throw OutputError("dot could not draw this picture; --dot FILE writes what it was given");
    return read_all(out.get());
}

}  // namespace deltaflow::app
