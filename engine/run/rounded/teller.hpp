// What an island tells at an instant, if somebody looks: solves, switches, commits, and how it failed.
#pragma once

#include "engine/run/rounded/view.hpp"

namespace deltaflow {

struct InstantLog;
struct WorkedSolve;
struct WorkedSwitch;

class Teller {
public:
    explicit Teller(const Sight& view) : view_(view) {}
    void observe(InstantLog& log) { log_ = &log; }

    bool is_observed() const { return log_ != nullptr; }
    // Is this instant told? Those that are tried are not.
    bool tells() const { return log_ && is_told(); }
    void instant();
    enum class Switched { before, solved, exchanged, behind };
    void switches(const bonds::Mode& from, Switched when);
    void solve(std::uint32_t epsilon);
    void commit();
    // A start at which nothing happens is no event.
    void end(bool started, bool anything);
    // The instant ends the run.
    void give_up(const RunFailure& failure);

private:
    bool is_told() const;
    std::vector<WorkedSwitch> switched(const bonds::Mode& from, Switched when);
    void tell_energy(WorkedSolve& solve) const;

    Sight view_;
    InstantLog* log_ = nullptr;
};

}  // namespace deltaflow
