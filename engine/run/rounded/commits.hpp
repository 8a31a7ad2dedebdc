// The words of an instant, in rounded numbers; their order stands in instant.hpp.
#pragma once

#include "engine/run/instants/crossings.hpp"
#include "engine/run/instants/solves.hpp"
#include "engine/run/rounded/teller.hpp"

namespace deltaflow {

class Commits {
public:
    Commits(const Settings& settings, State& state, Running& at, Machineries& machineries, Germs& germs,
            GraphGerms& graph, Slides& slides, ModeSystems* modes, Recorder& recorder, EnergyBook& book,
            std::vector<std::string>& warnings);

    // The left germ of an instant.
    void begin();
    // All that happens at this time.
    void carry_out();
    // The same one automaton at a time, and nobody is told of it; gives why it failed.
    std::optional<std::string> try_out();
    // Another state, or it is another one already, with its system.
    void go_to(const State& state, const System& system);
    void be_at(const System& system);

    // All that decides what follows at the same time.
    struct Situation {
        std::size_t hash;
        std::vector<std::int32_t> branch;
        std::vector<Held> slides;
        std::vector<double> remembered;
        bonds::Mode mode;
        std::vector<std::int32_t> sides;
        std::vector<std::uint8_t> pending;
        bool operator==(const Situation&) const = default;
    };
    void begin_commit();
    void take_due() { calendar_.take(); }
    void fire_crossings(bool first) { crossings_.fire(first, calendar_.arrivals(), record_); }
    void fire_before(std::uint32_t epsilon);
    const bonds::Mode& mode_tried() const { return state_.after_mode; }
    void solve_mode(bool first) { solves_.solve(first, teller_.tells()); }
    bool exchange() { return modes_ && exchange_ideal(); }
    // Another mode from the same left germ; what it contradicts; and that it would do, too.
    void try_mode(const bonds::Mode& mode);
    void warn_of_others(std::size_t pair);
    // The pairs of the model, if there are any; should other solutions of theirs be looked for?
    const ModeSystems* systems() const { return modes_ ? &*modes_ : nullptr; }
    bool looks_for_pairs() const;
    bool starts() const { return state_.starting; }
    int solved_sign(NodeId node, bool by_value = false) { return automata_.sign(node, by_value); }
    bool fire_solved(std::uint32_t epsilon);
    RunFailure mode_cycle(std::vector<bonds::Mode> seen) const;
    void commit() { solves_.commit(); }
    bool passes_on() { return modes_ && passes_impulse_on(); }
    void tell(std::uint32_t epsilon);
    bool something_new();
    Situation situation() const;
    [[noreturn]] void fail_endless_commits(std::uint32_t epsilon);
    void settle();
    void go_on() { solves_.go_on(); }

    const Outcome& outcome() const { return outcome_; }
    Record& record() { return record_; }
    const Record& record() const { return record_; }
    Calendar& calendar() { return calendar_; }
    Crossings& crossings() { return crossings_; }
    Automata& automata() { return automata_; }
    Solves& solves() { return solves_; }
    Ledger& ledger() { return ledger_; }
    Teller& teller() { return teller_; }

private:
    void carry_out_once();
    void give_up(const RunFailure& failure);
    void fire_left();
    bool exchange_ideal();
    bool passes_impulse_on();
    void warn_if_order_matters(const State& before, const System& system);

    const Settings& settings_;
    ModeSystems* modes_;  // only with a bond graph
    State& state_;
    Running& at_;
    Germs& germs_;
    Slides& slides_;
    std::vector<std::string>& warnings_;
    Outcome outcome_;
    Record record_;
    Calendar calendar_;
    Crossings crossings_;
    Automata automata_;
    Solves solves_;
    Ledger ledger_;
    Teller teller_;
};

}  // namespace deltaflow
