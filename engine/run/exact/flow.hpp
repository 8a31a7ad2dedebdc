// Flow between instants in exact numbers: polynomials, up to the first root of a condition.
#pragma once

#include "engine/run/exact/calendar.hpp"
#include "engine/run/exact/germs.hpp"
#include "engine/solve/exact/roots.hpp"

namespace deltaflow::closed_form {

class ExactFlow {
public:
    ExactFlow(ExactState& state, ExactRunning& at, ExactCalendar& calendar, ExactRecord& record)
        : state_(state), at_(at), calendar_(calendar), record_(record) {}

    // Everything that ends the present flow.
    void collect_watches();
    // To the first root of a condition before `end`, or to `end`; was it a root?
    bool go(const Quadratic& end);
    // Whose root the last event was.
    NodeId condition() const { return condition_; }
    // A fraction near the next event, where that cannot be written down.
    const std::optional<Quadratic>& near_event() const { return near_; }

private:
    struct First {
        Root root;
        const ExactWatch* watch;
    };
    std::optional<First> first_root_before(Quadratic limit) const;
    void watch_branches();
    void move_to(const Quadratic& t);
    void record(const Quadratic& to);
    [[noreturn]] void fail_beyond(const First& first);
    [[noreturn]] void fail(const ExactWatch& w) const;

    ExactState& state_;
    ExactRunning& at_;
    ExactCalendar& calendar_;
    ExactRecord& record_;
    NodeId condition_ = no_node;
    std::optional<Quadratic> near_;
};

}  // namespace deltaflow::closed_form
