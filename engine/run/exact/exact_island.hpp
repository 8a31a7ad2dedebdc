// An island that runs in exact numbers: what engine/run/rounded/island.hpp does, with polynomials and without
// rounding.
#pragma once

#include "engine/run/exact/commits.hpp"
#include "engine/run/exact/flow.hpp"
#include "engine/run/zeno.hpp"

namespace deltaflow::closed_form {

class ExactIsland final : public IslandRun {
public:
    // `system`, or with a bond graph the systems of its modes.
    ExactIsland(const Settings& settings, const FractionBook& book, const System* system, ModeSystems* modes);
    ExactIsland(const ExactIsland&) = delete;

    void start() override;
    Going advance(double until) override;
    double time() const override { return state_.time(); }
    bool stopped_by_zeno() const override { return zeno_stop_; }
    // Would a run go on where events accumulate?
    bool could_pass_zeno(AtZeno how) const;
    bool terminated() const override { return state_.terminated; }
    double end_time() const override { return zeno_stop_ ? zeno_.accumulation() : time(); }
    Recorder& recorder() override { return record_.recorder(); }
    using IslandRun::recorder;
    const System& system() const override { return at_.system(); }
    std::uint64_t instants() const override { return instants_; }
    std::size_t samples_written() const override { return 0; }
    std::uint64_t evaluations() const override { return 0; }
    std::string describe_germ(NodeId n) const override;

    // By index of the model's record; signals of other islands are empty.
    std::map<std::uint32_t, ExactSignal> take_signals() { return record_.take_signals(); }
    // How far it came; a fraction near it where the next event cannot be written down.
    const Quadratic& reached() const { return reached_exactly() ? state_.t : *flow_.near_event(); }
    bool reached_exactly() const { return !flow_.near_event(); }

private:
    void prepare();
    void instant();
    // Is anything due before the stop, or at it?
    const Quadratic* due() const;

    const Settings& settings_;
    ExactState state_;
    ExactRunning at_;
    ExactRecord record_;
    ExactCalendar calendar_;
    ExactFlow flow_;
    ExactCommits commits_;
    Zeno zeno_;
    bool zeno_stop_ = false, finished_ = false;
    std::uint64_t instants_ = 0;
};

}  // namespace deltaflow::closed_form
