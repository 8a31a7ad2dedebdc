// Automata at an instant in exact numbers: whose guards hold, who switches, all or one at a time.
#pragma once

#include "engine/modes/guards.hpp"
#include "engine/modes/pivoting.hpp"
#include "engine/modes/switch_log.hpp"
#include "engine/run/exact/calendar.hpp"
#include "engine/run/exact/germs.hpp"

namespace deltaflow::closed_form {

// Only with a bond graph.
class ExactAutomata {
public:
    ExactAutomata(const Settings& settings, ExactState& state, const ExactRunning& at,
                  ExactCalendar& calendar, ExactRecord& record)
        : settings_(settings), state_(state), at_(at), calendar_(calendar), record_(record) {}

    // Their memory, and the timers of the states that they begin in.
    void start();
    // By the left germ, and by what came out; false if nobody switches.
    void fire_left();
    bool fire_solved();
    // Ideal elements whose state what came out contradicts change it.
    bool exchange();
    Firing violated() const;
    bool may_be(std::size_t automaton, std::uint32_t state) const;
    // The lowest rung of the solved germ that is not zero: an impulse outweighs every finite value.
    int solved_sign(NodeId node, bool by_value) const;
    bool anything_fires() const;
    // Is an impact under way, or has a diode passed charge on that it blocks behind?
    bool passes_impulse_on() const;
    // At the end of an instant: when the timers of the states that were entered are over.
    void note_timers();
    const SwitchLog& switches() const { return switches_; }

private:
    const bonds::Graph& graph() const { return at_.modes->graph(); }
    bool is_behind_impulse() const;
    bool holds_before(const bonds::Guard& guard, const Side& side) const;
    bool holds_solved(const bonds::Guard& guard) const;
    template <class Holds, class Asked>
    bool fire(const Holds& holds, const Asked& asked, bool solved);
    void switch_by(const Firing& firing, bool solved);
    GuardReading reading(NodeId node, bool solved) const;
    void set_piece(NodeId schedule, const Line& piece);
    void start_timers(std::size_t automaton, std::uint32_t state);

    const Settings& settings_;
    ExactState& state_;
    const ExactRunning& at_;
    ExactCalendar& calendar_;
    ExactRecord& record_;
    Pivoting pivoting_;                  // of ideal elements, in this solve
    std::vector<std::uint8_t> waiting_;  // per automaton
    SwitchLog switches_;                 // of this solve
    bool solved_values_ = false;         // transitions set what came out, not what was before
};

}  // namespace deltaflow::closed_form
