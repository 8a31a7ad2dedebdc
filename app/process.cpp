// Runs a program, without a shell: what it is given and what it answers are files that nobody else sees.
#include "app/process.hpp"

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

using Scratch = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

constexpr std::chrono::seconds longest_wait{60};

// A file that nobody else sees and that is gone when it is closed.
Scratch scratch(const std::string& program) {
    Scratch file(std::tmpfile(), std::fclose);
    if (!file) throw OutputError(fmt::format("no temporary file for {}: {}", program, std::strerror(errno)));
    return file;
}

// Files instead of pipes: neither side ever waits for the other. Nothing if there is no such program.
std::optional<pid_t> start(std::vector<std::string> words, std::FILE* in, std::FILE* out) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fileno(in), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fileno(out), STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    pid_t process = 0;
    const int error = posix_spawnp(&process, words[0].c_str(), &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) return std::nullopt;
    return process;
}

// The status of a process that has ended; one that takes too long is ended.
int wait_for(pid_t process, const std::string& program, const std::string& advice) {
    const auto begin = std::chrono::steady_clock::now();
    for (int status = 0;; std::this_thread::sleep_for(std::chrono::milliseconds(2))) {
        const pid_t ended = waitpid(process, &status, WNOHANG);
        if (ended == process) return status;
        if (ended < 0 && errno != EINTR) throw OutputError(fmt::format("{} got lost", program));
        if (std::chrono::steady_clock::now() - begin < longest_wait) continue;
        kill(process, SIGKILL);
        waitpid(process, &status, 0);
        throw OutputError(
            fmt::format("{} did not finish within {} s; {}", program, longest_wait.count(), advice));
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

std::optional<Answer> answer_of(const std::vector<std::string>& words, const std::string& given,
                                const std::string& advice) {
    const std::string& program = words[0];
    const Scratch in = scratch(program), out = scratch(program);
    if (std::fwrite(given.data(), 1, given.size(), in.get()) != given.size() || std::fflush(in.get()) != 0)
        throw OutputError(fmt::format("no room for what {} should draw: {}", program, std::strerror(errno)));
    std::rewind(in.get());
    const auto process = start(words, in.get(), out.get());
    if (!process) return std::nullopt;
    const Companion companion(*process);
    const int status = wait_for(*process, program, advice);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127) return std::nullopt;
    return Answer{WIFEXITED(status) && WEXITSTATUS(status) == 0, read_all(out.get())};
}

}  // namespace deltaflow::app
