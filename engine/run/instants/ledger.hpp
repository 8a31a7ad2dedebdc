// The ledger of energy at instants, from the energy functions of the storages. The work of an impulse is
// never effort times flow: that product is not defined.
#pragma once

#include "engine/run/flow/work.hpp"
#include "engine/run/instants/record.hpp"

namespace deltaflow {

class Ledger {
public:
    Ledger(const Settings& settings, State& state, const Running& at, ModeSystems* modes, Outcome& outcome,
           EnergyBook& book, std::vector<std::string>& warnings)
        : settings_(settings),
          state_(state),
          at_(at),
          modes_(modes),
          outcome_(outcome),
          book_(book),
          warnings_(warnings) {}

    void open();
    // One commit.
    void account(std::uint32_t epsilon);
    // What is stored at the start, and in the end.
    void note_start() { book_.ledger.stored_at_start = stored_energy(*modes_, state_.left); }
    void close(Germs& germs);

private:
    void add(EnergyEvent event);
    bool take_junctions(EnergyEvent& event, std::vector<std::uint8_t>& inside) const;
    void take_sources(EnergyEvent& event, const std::vector<std::uint8_t>& inside) const;
    double impulsive_work(NodeId effort, NodeId flow, bool of_jump = false) const;
    double struck(std::uint32_t element) const;
    double rounding() const;
    void share_loss(EnergyEvent& event, double lost) const;
    void audit(const EnergyEvent& event, double lost, double scale);

    const Settings& settings_;
    State& state_;
    const Running& at_;
    ModeSystems* modes_;  // only with a bond graph
    Outcome& outcome_;
    EnergyBook& book_;
    std::vector<std::string>& warnings_;
};

}  // namespace deltaflow
