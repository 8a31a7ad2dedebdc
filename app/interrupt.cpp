// A handler that sets a flag.
#include "app/interrupt.hpp"

#include <csignal>

namespace deltaflow::app {

namespace {

std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may only touch lock-free atomics");

}  // namespace

void listen_for_interrupts() {
    struct sigaction action {};
    action.sa_handler = [](int) { interrupted = true; };
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    ::sigaction(SIGINT, &action, nullptr);
}

const std::atomic<bool>& interrupt_flag() { return interrupted; }

}  // namespace deltaflow::app
