#include "engine/solve/exact/bounds.hpp"

#include "engine/model/run_failure.hpp"

namespace deltaflow::closed_form {

namespace {
thread_local Patience* current = nullptr;
thread_local std::uint64_t checks_left = std::numeric_limits<std::uint64_t>::max();
}  // namespace

Interruptible::Interruptible(Patience* patience, std::uint64_t most_checks)
    : outer_(current), outer_checks_(checks_left) {
    current = patience;
    checks_left = most_checks;
}
Interruptible::~Interruptible() {
    current = outer_;
    checks_left = outer_checks_;
}

void check_interrupt() {
    if (checks_left == 0) throw Interrupted{};
    --checks_left;
    if (current && current->is_over()) throw Interrupted{};
}

void check_length(const Quadratic& x, unsigned bits, NodeId node) {
    if (length(x) <= bits) return;
    throw RunFailure{.kind = ErrorKind::model,
                     .node = node,
                     .what = "the fractions here have grown to more than a thousand digits",
                     .advice = "stop earlier, or run it in floating point"};
}

void check_length(const Polynomial& p, unsigned bits, NodeId node) {
    for (const Quadratic& c : p) check_length(c, bits, node);
}

}  // namespace deltaflow::closed_form
