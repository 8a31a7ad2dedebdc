// Starts the program with fork and exec, so that it can be interrupted.
#include "tests/app/program.hpp"
#include "tests/paths.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace fs = std::filesystem;

const std::string ball = R"(name = "Bouncing ball"
[parameters]
e = 0.8
[blocks]
a   = "-9.81 + F"
F   = "-(1 + e) * pre(v) * hit"
hit = { type = "crossing", in = "y", direction = "falling" }
v   = { type = "integrator", in = "a", initial = 0 }
y   = { type = "integrator", in = "v", initial = 10 }
[simulation]
stop   = 4.0
record = ["y", "v", "F"]
)";

const std::string kick = R"(name = "Kick"
[blocks]
f = { type = "impulse", at = 1, size = 2 }
x = { type = "integrator", in = "f" }
[simulation]
stop = 2
)";

namespace {

std::string text_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

std::vector<std::string> words_of(const std::string& arguments) {
    std::vector<std::string> words{deltaflow::test::program_path()};
    static const std::regex word(R"re("([^"]*)"|'([^']*)'|([^ ]+))re");
    for (std::sregex_iterator at(arguments.begin(), arguments.end(), word), none; at != none; ++at)
        words.push_back((*at)[1].str() + (*at)[2].str() + (*at)[3].str());
    return words;
}

void redirect(const char* path, int descriptor) {
    const int file = ::open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    ::dup2(file, descriptor);
    ::close(file);
}

// Tests may be killed: what they have started must not go on for hours.
void end_with_the_tests() {
#if defined(__linux__)
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    constexpr rlim_t seconds = 900;  // of the processor; what a shell starts has no other bound
    const rlimit most{seconds, seconds};
    ::setrlimit(RLIMIT_CPU, &most);
}

pid_t start_words(const fs::path& folder, std::vector<std::string> words, const Environment& environment,
                  const std::string& input = "/dev/null") {
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    const pid_t child = ::fork();
    if (child != 0) return child;
    end_with_the_tests();
    if (::chdir(folder.c_str()) != 0) ::_exit(126);
    ::setenv("LC_ALL", "C.UTF-8", 1);
    ::setenv("COLUMNS", "80", 1);
    for (const auto& [name, value] : environment) ::setenv(name.c_str(), value.c_str(), 1);
    ::dup2(::open(input.c_str(), O_RDONLY), STDIN_FILENO);
    redirect(".stdout", STDOUT_FILENO);
    redirect(".stderr", STDERR_FILENO);
    ::execv(argv.front(), argv.data());
    ::_exit(127);
}

pid_t start(const fs::path& folder, const std::string& arguments, const Environment& environment = {},
            const std::string& input = "/dev/null") {
    return start_words(folder, words_of(arguments), environment, input);
}

double seconds_of(const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
}

Result finish(const fs::path& folder, pid_t child) {
    int status = 0;
    rusage used{};
    ::wait4(child, &status, 0, &used);
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    Result result{code, text_of(folder / ".stdout"), text_of(folder / ".stderr"),
                  seconds_of(used.ru_utime) + seconds_of(used.ru_stime)};
    fs::remove(folder / ".stdout");
    fs::remove(folder / ".stderr");
    return result;
}

}  // namespace

std::string Workplace::read(const std::string& name) const { return text_of(folder() / name); }

std::size_t Workplace::file_count() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder()), fs::directory_iterator()));
}

Result Workplace::deltaflow(const std::string& arguments, const Environment& environment) const {
    return finish(folder(), start(folder(), arguments, environment));
}

Result Workplace::reading(const std::string& input, const std::string& arguments) const {
    return finish(folder(), start(folder(), arguments, {}, input));
}

Result Workplace::interrupted(const std::string& arguments, double seconds) const {
    return signalled(arguments, seconds, SIGINT);
}

Result Workplace::signalled(const std::string& arguments, double seconds, int signal) const {
    const pid_t child = start(folder(), arguments);
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    ::kill(child, signal);
    return finish(folder(), child);
}

Obeyed Workplace::obeyed(const std::string& arguments, double busy, int signal) const {
    const pid_t child = start(folder(), arguments);
    const auto so_far = [child] {
        clockid_t clock{};
        timespec t{};
        if (::clock_getcpuclockid(child, &clock) != 0 || ::clock_gettime(clock, &t) != 0) return HUGE_VAL;
        return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
    };
    const auto is_over = [child] {
        siginfo_t info{};
        return ::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
               info.si_pid != 0;
    };
    while (so_far() < busy && !is_over()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    const double before = so_far();
    ::kill(child, signal);
    const Result result = finish(folder(), child);
    return {result, result.seconds - before};
}

Result Workplace::killed(const std::string& arguments, const std::function<bool()>& when) const {
    const pid_t child = start(folder(), arguments);
    siginfo_t over{};
    while (!when() &&
           (::waitid(P_PID, static_cast<id_t>(child), &over, WEXITED | WNOHANG | WNOWAIT), over.si_pid == 0))
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ::kill(child, SIGKILL);
    return finish(folder(), child);
}

Result Workplace::shell(const std::string& arguments, const std::string& before) const {
    const std::string script = fmt::format("{}'{}' {}", before, deltaflow::test::program_path(), arguments);
    return finish(folder(), start_words(folder(), {"/bin/bash", "-c", script}, {}));
}
