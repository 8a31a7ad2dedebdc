// What keeps runs in exact numbers from going on for ever: fractions of bounded length, and an interrupt.
#pragma once

#include "blocks/diagram.hpp"
#include "engine/model/patience.hpp"
#include "engine/solve/exact/polynomial.hpp"

#include <cstdint>
#include <limits>

namespace deltaflow::closed_form {

// Thrown wherever exact numbers take long, once nobody waits any more or the work is used up.
struct Interrupted {};

// While it lives, this thread asks whether somebody still waits (there may be none), and counts how often.
class Interruptible {
public:
    explicit Interruptible(Patience* patience,
                           std::uint64_t most_checks = std::numeric_limits<std::uint64_t>::max());
    ~Interruptible();
    Interruptible(const Interruptible&) = delete;
    Interruptible& operator=(const Interruptible&) = delete;

private:
    Patience* outer_;
    std::uint64_t outer_checks_;
};

void check_interrupt();

// Throws RunFailure (3) where a number has become longer than `bits`; `node` is the signal that it belongs
// to.
void check_length(const Quadratic& x, unsigned bits, NodeId node = no_node);
void check_length(const Polynomial& p, unsigned bits, NodeId node = no_node);

}  // namespace deltaflow::closed_form
