// Delays that vary, in exact numbers: which piece of the past each one reads (blocks/lag.hpp).
#pragma once

#include "engine/solve/exact/history.hpp"
#include "engine/solve/exact/system.hpp"

#include <map>

namespace deltaflow::closed_form {

// A polynomial of t - by on each piece of the past, as engine/run/instants/varying_delays.hpp has it.
struct ExactLags {
    const ExactSystem& x;
    const std::map<NodeId, ExactHistory>& histories;
    const Quadratic& t;

    // Before the start there is the initial value.
    void begin(ExactDiscrete& now) const;
    // Where t - by leaves its piece the next one counts, and impulses between them come out.
    void move(const Side& left, ExactDiscrete& after,
              std::map<NodeId, std::vector<Quadratic>>& arrivals) const;
    // Where `by` has jumped, to the right limit that `at` gives, another piece may count: then the instant is
    // solved again.
    template <class At>
    bool correct(const At& at, ExactDiscrete& after, ExactDiscrete& arrived) const {
        bool any = false;
        for (const auto& [delay, history] : histories)
            if (varies(delay)) any = correct(delay, history, at(time_of(delay)), after, arrived) || any;
        return any;
    }

private:
    bool varies(NodeId delay) const;
    NodeId time_of(NodeId delay) const;
    bool correct(NodeId delay, const ExactHistory& history, const Quadratic& at, ExactDiscrete& after,
                 ExactDiscrete& arrived) const;
    void read(NodeId delay, const std::optional<ExactHistory::Past>& past, const Quadratic& until,
              ExactDiscrete& after) const;
};

}  // namespace deltaflow::closed_form
