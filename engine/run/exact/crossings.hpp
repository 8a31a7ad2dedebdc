// Crossings in exact numbers: which of them strike now, and which an infinitesimal later.
#pragma once

#include "engine/run/exact/calendar.hpp"

namespace deltaflow::closed_form {

class ExactCrossings {
public:
    ExactCrossings(ExactState& state, const ExactRunning& at, ExactCalendar& calendar, ExactRecord& record)
        : state_(state), at_(at), calendar_(calendar), record_(record) {}

    // Those that the flow has led to; later in the same instant those that a commit stepped over.
    void fire(bool first);
    // Did the jump of this commit step over zero anywhere?
    bool stepped_over();

private:
    void fire_by_left_germ();
    bool steps_over(NodeId crossing);

    ExactState& state_;
    const ExactRunning& at_;
    ExactCalendar& calendar_;
    ExactRecord& record_;
};

}  // namespace deltaflow::closed_form
