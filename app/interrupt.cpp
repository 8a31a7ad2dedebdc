// Handlers that set a flag, or clean up and end the program; they touch atomics and make system calls only.
#include "app/interrupt.hpp"

#include "engine/model/source.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <string>

#if defined(__SANITIZE_ADDRESS__)
#define DELTAFLOW_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define DELTAFLOW_SANITIZED 1
#endif
#endif

namespace deltaflow::app {

namespace {

constexpr int mistake = 70, interrupted_by_limit = 130;
constexpr std::string_view asks_for_the_model =
    "deltaflow: this is a mistake of the program, not of your model.\n"
    "Please send the model and the command, so that it can be mended.\n";
constexpr std::string_view time_is_over = "deltaflow: the time that --limit-seconds allows is over\n";

std::atomic<bool> interrupted = false, in_order = false;
std::atomic<int> first_signal = 0, companion = 0;
std::atomic<long> grace_microseconds = 0, patience_microseconds = 0;  // 0: for ever
std::array<std::atomic<const char*>, 16> unfinished{};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<const char*>::is_always_lock_free,
              "a signal handler may only touch lock-free atomics");

void say(std::string_view text) {
    while (!text.empty()) {
        const ssize_t n = ::write(STDERR_FILENO, text.data(), text.size());
        if (n <= 0 && errno != EINTR) return;
        if (n > 0) text.remove_prefix(static_cast<std::size_t>(n));
    }
}

[[noreturn]] void end_at_once(int code) {
    for (auto& path : unfinished)
        if (const char* file = path.load()) ::unlink(file);
    if (const int process = companion.load()) ::kill(process, SIGKILL);
    ::_exit(code);
}

void set_timer(long microseconds) {
    const itimerval once{{0, 0}, {microseconds / 1000000, microseconds % 1000000}};
    ::setitimer(ITIMER_REAL, &once, nullptr);
}

void on_signal(int number) {
    if (!in_order || interrupted.exchange(true)) end_at_once(128 + number);
    first_signal = number;
    if (const long most = patience_microseconds.load()) set_timer(most);
}

void on_alarm(int) {
    if (interrupted) end_at_once(interrupt_code());  // and this was the time to write what there is
    say(time_is_over);
    if (!in_order) end_at_once(interrupted_by_limit);
    interrupted = true;
    set_timer(std::max(grace_microseconds.load(), patience_microseconds.load()));
}

void on_mistake(int) {
    say(asks_for_the_model);
    end_at_once(mistake);
}

void on_broken_pipe(int) { end_at_once(128 + SIGPIPE); }

void handle(int number, void (*handler)(int)) {
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART | SA_ONSTACK;
    ::sigaction(number, &action, nullptr);
}

// Somebody may have asked for it: nohup, a shell that starts it in the background.
void handle_unless_ignored(int number, void (*handler)(int)) {
    struct sigaction before {};
    ::sigaction(number, nullptr, &before);
    if (before.sa_handler != SIG_IGN) handle(number, handler);
}

// An overflowing stack has no room for a handler.
void make_room_for_handlers() {
    static std::array<char, 1 << 16> room;
    stack_t stack{};
    stack.ss_sp = room.data();
    stack.ss_size = room.size();
    ::sigaltstack(&stack, nullptr);
}

// A standard stream that is closed stays so: no other file may get its number.
void keep_standard_streams_apart() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (::fcntl(stream, F_GETFD) == -1) [[maybe_unused]]
            const int opened =
                ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);  // it cannot be used
}

}  // namespace

void watch_signals() {
    keep_standard_streams_apart();
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) handle_unless_ignored(number, on_signal);
    handle_unless_ignored(SIGPIPE, on_broken_pipe);
    ::signal(SIGXFSZ, SIG_IGN);  // a file that must not grow is an error of writing
    handle(SIGALRM, on_alarm);
#ifndef DELTAFLOW_SANITIZED
    make_room_for_handlers();
    for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) handle(number, on_mistake);
    std::set_terminate([] { on_mistake(SIGABRT); });
#endif
}

void keep_order(double patience) {
    patience_microseconds = std::isfinite(patience) ? static_cast<long>(patience * 1e6) : 0;
    if (interrupted && first_signal != 0 && !std::isfinite(patience)) set_timer(0);
    in_order = true;
}

const std::atomic<bool>& interrupt_flag() { return interrupted; }

int interrupt_code() { return first_signal == 0 ? interrupted_by_limit : 128 + first_signal; }

void limit_seconds(double seconds) {
    constexpr double longest = 1e6;  // more need not be watched
    if (!(seconds <= longest)) return;
    const long microseconds = std::max(1L, static_cast<long>(seconds * 1e6));
    grace_microseconds = std::max(1000000L, microseconds);
    set_timer(microseconds);
}

void limit_memory([[maybe_unused]] double megabytes) {
#ifndef DELTAFLOW_SANITIZED
    constexpr double largest = 1e9;
    if (!(megabytes <= largest)) return;
    // What the run itself keeps to is less than what the system grants, since lists double: so it ends in
    // good order.
    const auto bytes = static_cast<rlim_t>((megabytes * 2.5 + 64) * (1 << 20));
    const rlimit limit{bytes, bytes};
    ::setrlimit(RLIMIT_DATA, &limit);
#endif
}

// A pipe that nobody reads any more would end the program by a signal.
void tell(std::string_view text) {
    sigset_t pipe, before;
    ::sigemptyset(&pipe);
    ::sigaddset(&pipe, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &pipe, &before);
    say(clean_text(text, true));
    sigset_t waiting;
    int number = 0;
    if (::sigpending(&waiting) == 0 && ::sigismember(&waiting, SIGPIPE) == 1) ::sigwait(&pipe, &number);
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Unfinished::Unfinished(const char* path) {
    for (auto& slot : unfinished) {
        const char* none = nullptr;
        if (!slot.compare_exchange_strong(none, path)) continue;
        slot_ = &slot;
        return;
    }
}

Unfinished::~Unfinished() {
    if (slot_) *slot_ = nullptr;
}

Companion::Companion(int process) { companion = process; }
Companion::~Companion() { companion = 0; }

}  // namespace deltaflow::app
