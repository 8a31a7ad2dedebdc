// Delays at an instant: what arrives, what is passed on, and the piece of the past that each one reads.
#pragma once

#include "engine/run/germs/germs.hpp"
#include "engine/run/instants/arrivals.hpp"

namespace deltaflow {

// On a piece of the past the delayed signal is a polynomial of t - by, so it is a formula of ordinary blocks
// whose coefficients are set here: where t - by comes to the end of a piece, an instant goes on to the next.
class VaryingDelays {
public:
    VaryingDelays(const Settings& settings, State& state, const Running& at, Germs& germs)
        : settings_(settings), state_(state), at_(at), germs_(germs) {}

    // Before the start there is the initial value.
    void begin();
    // Where t - by leaves its piece the next one counts, and impulses between them come out.
    void move(Arrivals& arrivals) {
        if (!at_.s->delays.empty()) move_all(arrivals);
    }
    // Where `by` has jumped another piece may count: then the instant is solved again.
    bool correct() { return !at_.s->delays.empty() && correct_all(); }
    // Delays pass on what happened: impulses, and a due time where the signal is not smooth.
    void store() {
        if (!at_.s->delays.empty()) store_all();
    }

private:
    void store_all();
    void move_all(Arrivals& arrivals);
    bool correct_all();
    void read(std::size_t delay, const History::Piece* piece, double from, double until);

    const Settings& settings_;
    State& state_;
    const Running& at_;
    Germs& germs_;
};

}  // namespace deltaflow
