// Solves of an instant in exact numbers: under branches that agree with their conditions.
#pragma once

#include "engine/run/exact/calendar.hpp"
#include "engine/run/exact/graph.hpp"
#include "engine/run/exact/slides.hpp"

namespace deltaflow::closed_form {

class ExactSolves {
public:
    ExactSolves(ExactState& state, ExactRunning& at, ExactGerms& germs, ExactGraph& graph,
                ExactSlides& slides, ExactCalendar& calendar, ExactRecord& record)
        : state_(state),
          at_(at),
          germs_(germs),
          graph_(graph),
          slides_(slides),
          calendar_(calendar),
          record_(record) {}

    // Branches before the start, which agree with the flow that would lead there.
    void settle_branches();
    // In the system at hand, beginning with branches as the left germ has them.
    void solve();
    // Does the solve define everything that is asked for?
    void check() { at_.solver->check(input(), state_.active); }

private:
    bool try_branches_before();
    bool try_branches();
    void take_states();
    ExactInstantInput input() { return {&at_.left, state_.t, &state_.now, &state_.after, &state_.stored}; }

    ExactState& state_;
    ExactRunning& at_;
    ExactGerms& germs_;
    ExactGraph& graph_;
    ExactSlides& slides_;
    ExactCalendar& calendar_;
    ExactRecord& record_;
};

}  // namespace deltaflow::closed_form
