// Automata at an instant: whose guards hold, who switches, all or one at a time.
#pragma once

#include "engine/modes/pivoting.hpp"
#include "engine/modes/switch_log.hpp"
#include "engine/run/ideal.hpp"
#include "engine/run/instants/record.hpp"
#include "engine/run/instants/timers.hpp"

#include <optional>

namespace deltaflow {

class Automata {
public:
    Automata(const Settings& settings, State& state, Germs& germs, ModeSystems* modes, Outcome& outcome,
             Record& record)
        : settings_(settings),
          state_(state),
          germs_(germs),
          modes_(modes),
          outcome_(outcome),
          record_(record),
          timers_(state, germs, modes),
          impact_(modes ? std::optional(AtImpact(modes->graph())) : std::nullopt),
          waiting_(modes ? modes->graph().automata.size() : 0, 0),
          leaving_(waiting_) {}

    Timers& timers() { return timers_; }
    void begin_instant() {
        switches_.clear();
        several_fired_ = false;
    }
    // The left germ is another one, or that of other branches.
    void forget_left() { leaving_known_ = false; }
    void begin_solve(const bonds::Mode& from, bool at_accumulation);
    // By the left germ, and by what came out; false if nobody switches.
    void fire_left();
    bool fire_right();
    // A closed contact that did not approach lets go where it would pass an impulse on.
    bool let_go();
    // Ideal elements whose state what came out contradicts change it; these modes are nobody's.
    void begin_exchanges() { pivoting_.begin(); }
    bool exchange(std::vector<std::string>& warnings);
    Firing violated();
    bool may_be(std::size_t automaton, std::uint32_t state) const;
    bool anything_fires();
    // An ideal element that only an impulse kept in its state: it changes that within the same event.
    bool is_behind_impulse();
    bool holds_solved(const bonds::Guard& guard);
    // At an accumulation point impulses are what the last of infinitely many hops has left: nothing.
    int sign(NodeId node, bool by_value) {
        return solved_sign(outcome_, germs_, state_, node, by_value, !at_accumulation_);
    }

    // An instant is tried, one automaton at a time, and not recorded.
    void begin_trial() { trying_ = true; }
    void end_trial() { trying_ = false; }
    bool is_trying() const { return trying_; }
    bool have_several_fired() const { return several_fired_; }
    const SwitchLog& switches() const { return switches_; }

private:
    template <class Holds, class Asked>
    bool fire(const Holds& holds, const Asked& asked, bool solved);
    void switch_by(const Firing& firing, bool solved);
    bool may_fire_solved(std::size_t automaton) const;
    bool leaves(std::size_t automaton, OneSidedGerm& g);
    void hold_back_contacts();

    const Settings& settings_;
    State& state_;
    Germs& germs_;
    ModeSystems* modes_;  // only with a bond graph
    Outcome& outcome_;
    Record& record_;
    Timers timers_;
    std::optional<AtImpact> impact_;               // with modes_
    Pivoting pivoting_;                            // of ideal elements, in this solve
    SwitchLog switches_;                           // of this instant
    std::vector<std::uint8_t> waiting_;            // per automaton: must not switch within this commit
    std::vector<std::uint8_t> leaving_;            // per automaton: a guard holds on the left germ ...
    bool leaving_known_ = false;                   // ... if this is set
    bool several_fired_ = false, trying_ = false;  // at this instant
    bool at_accumulation_ = false;                 // of the commit at hand
};

}  // namespace deltaflow
