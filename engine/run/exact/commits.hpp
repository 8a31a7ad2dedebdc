// The words of an instant in exact numbers (engine/run/instant.hpp).
#pragma once

#include "engine/run/exact/automata.hpp"
#include "engine/run/exact/crossings.hpp"
#include "engine/run/exact/solves.hpp"

namespace deltaflow::closed_form {

class ExactCommits {
public:
    ExactCommits(const Settings& settings, ExactState& state, ExactRunning& at, ExactCalendar& calendar,
                 ExactRecord& record);

    ExactSlides& slides() { return slides_; }
    // Everything before the first instant: timers, branches, and jumps of initial values.
    void start();
    // An instant, from the flow before it to the one after.
    void instant();

    struct Situation {
        std::vector<std::int32_t> branch;
        std::vector<Held> slides;
        std::vector<Quadratic> states;
        bonds::Mode mode;
        std::map<NodeId, int> sides;
        std::vector<NodeId> pending;
        bool operator==(const Situation&) const = default;
    };
    void begin_commit();
    void take_due() { calendar_.take(); }
    void fire_crossings(bool first) { crossings_.fire(first); }
    void fire_before(std::uint32_t epsilon);
    const bonds::Mode& mode_tried() const { return state_.after_mode; }
    void solve_mode(bool first);
    bool exchange() { return at_.modes && automata_.exchange(); }
    void try_mode(const bonds::Mode& mode);
    const ExactAutomata& automata() const { return automata_; }
    bool starts() const { return state_.starting; }
    const ModeSystems* systems() const { return at_.modes; }
    bool looks_for_pairs() const { return false; }  // runs in rounded numbers warn
    void warn_of_others(std::size_t) const {}
    int solved_sign(NodeId node) const { return automata_.solved_sign(node, false); }
    bool fire_solved(std::uint32_t) { return at_.modes && automata_.fire_solved(); }
    RunFailure mode_cycle(std::vector<bonds::Mode> seen) const;
    void commit();
    bool passes_on();
    void tell(std::uint32_t epsilon) { record_.tell(epsilon); }
    bool something_new();
    Situation situation() const;
    [[noreturn]] void fail_endless_commits(std::uint32_t epsilon);
    void settle();
    void go_on() { at_.left = at_.right; }

private:
    void settle_leading_flows();

    ExactState& state_;
    ExactRunning& at_;
    ExactCalendar& calendar_;
    ExactRecord& record_;
    ExactGerms germs_;
    ExactGraph graph_;
    ExactSlides slides_;
    ExactCrossings crossings_;
    ExactAutomata automata_;
    ExactSolves solves_;
};

}  // namespace deltaflow::closed_form
