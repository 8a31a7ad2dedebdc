// What keeps runs in exact numbers from going on for ever: fractions of bounded length, and an interrupt.
#pragma once

#include "blocks/diagram.hpp"
#include "engine/exact_polynomial.hpp"

#include <atomic>

namespace deltaflow::closed_form {

// Thrown wherever exact numbers take long, once the flag is set.
struct Interrupted {};

// While it lives, this thread looks at a flag (which may be none).
class Interruptible {
public:
    explicit Interruptible(const std::atomic<bool>* flag);
    ~Interruptible();
    Interruptible(const Interruptible&) = delete;
    Interruptible& operator=(const Interruptible&) = delete;

private:
    const std::atomic<bool>* outer_;
};

void check_interrupt();

// Throws RunFailure (3) where a number has become longer than `bits`; `node` is the signal that it belongs
// to.
void check_length(const Quadratic& x, unsigned bits, NodeId node = no_node);
void check_length(const Polynomial& p, unsigned bits, NodeId node = no_node);

}  // namespace deltaflow::closed_form
