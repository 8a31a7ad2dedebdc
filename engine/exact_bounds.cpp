#include "engine/exact_bounds.hpp"

#include "engine/run_failure.hpp"

namespace deltaflow::closed_form {

namespace {
thread_local const std::atomic<bool>* current = nullptr;
}

Interruptible::Interruptible(const std::atomic<bool>* flag) : outer_(current) { current = flag; }
Interruptible::~Interruptible() { current = outer_; }

void check_interrupt() {
    if (current && current->load(std::memory_order_relaxed)) throw Interrupted{};
}

void check_length(const Quadratic& x, unsigned bits, NodeId node) {
    if (length(x) <= bits) return;
    throw RunFailure{.code = 3,
                     .node = node,
                     .what = "the fractions here have grown to more than a thousand digits",
                     .advice = "stop earlier, or run it in floating point"};
}

void check_length(const Polynomial& p, unsigned bits, NodeId node) {
    for (const Quadratic& c : p) check_length(c, bits, node);
}

}  // namespace deltaflow::closed_form
