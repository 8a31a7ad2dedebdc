// What a rule says of itself: which rungs a primitive reads, and what it does with impulses.
#pragma once

#include "blocks/diagram.hpp"
#include "signal/interval.hpp"

#include <type_traits>

namespace deltaflow {

// Input j is read up to rung k + shift when output rung k is asked for.
inline constexpr int unread = -1000;

// How a block treats impulses on its inputs.
enum class Impulses : std::uint8_t {
    none,     // no inputs that count, or they are cut off (pre)
    linear,   // rung by rung
    leibniz,  // product: (003:31)
    climb,    // integrator: one rung up (003:30)
    fall,     // derivative: one rung down (003:29)
    select,   // decision: those of the chosen side; the condition must have none (003:22)
    refuse,   // functions, inverse, conditions: must have none (003:20, 003:34)
    sample,   // hold, unit_delay: must have none at a tick
    store,    // delay: kept for later
};

// The current piece of a scheduled source: value + slope (t - since).
struct Piece {
    double value = 0, slope = 0, since = 0;
};

struct Traits {
    int shift_first = unread, shift_second = unread, shift_third = unread;
    Impulses impulses = Impulses::none;
    bool branches = false;                   // has a branch that is frozen in flow
    bool sources = false;                    // its flow is given by time and discrete state alone
    bool function = false;                   // of values alone, smooth but for its poles
    const char* word = nullptr;              // how formulas call it
    const char* beyond_fractions = nullptr;  // why it has no closed form in fractions: "a sine"
    int shift(std::size_t input) const {
        return input == 0 ? shift_first : input == 1 ? shift_second : shift_third;
    }
};

template <Primitive P>
struct Rule;

namespace kernel {
// Functions of one signal, with or without a partner that is read one rung lower.
constexpr Traits function(const char* word, const char* beyond_fractions = nullptr) {
    return {.shift_first = 0,
            .shift_second = -1,
            .impulses = Impulses::refuse,
            .function = true,
            .word = word,
            .beyond_fractions = beyond_fractions};
}
// Of two signals, and of the side of a cut.
constexpr Traits angle(const char* word, const char* beyond_fractions) {
    Traits traits = function(word, beyond_fractions);
    traits.shift_second = 0;
    traits.shift_third = -1;
    return traits;
}
inline constexpr Traits source{.sources = true};

// Large ones are rounded, and only intervals have to know.
template <class S>
using Binomial = std::conditional_t<std::is_same_v<S, Interval>, Interval, double>;

template <class V>
auto zero(const V&) {
    return typename V::Scalar(0);
}
}  // namespace kernel

}  // namespace deltaflow
