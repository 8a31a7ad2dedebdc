// The flow between instants: steps, up to the first event.
#pragma once

#include "engine/run/flow/event_proof.hpp"
#include "engine/run/flow/pasts.hpp"
#include "engine/run/flow/sampler.hpp"
#include "engine/run/flow/watches.hpp"
#include "engine/run/flow/work.hpp"
#include "engine/run/germs/graph_germs.hpp"
#include "engine/run/germs/slides.hpp"
#include "engine/run/island_run.hpp"

namespace deltaflow {

enum class Flowed { step, instant, waits };

class Flow {
public:
    Flow(const Settings& settings, State& state, const Running& at, Germs& germs, GraphGerms& graph,
         Slides& slides, ModeSystems* modes, Recorder& recorder, EnergyBook& book,
         const SampleTimes& sample_times, SampleColumns& samples);

    // An instant is over; `before`: the method that led to it.
    void begin(const Stepper* before);
    // One step at most, none beyond `until`. What has come due since it was looked for cuts it short.
    Flowed advance(double until);
    // All the way, whatever would end it.
    void pass_to(double end);
    // Rounding may leave a root just behind the stop.
    bool has_root_at_stop();

    // When something happens next, as far as is known; and where the step at hand leads.
    double next_event() const;
    double end_of_step() const;
    double sampled_to() const { return at_hand_ ? std::max(state_.t, sampler_.last()) : state_.t; }
    void look(double t, std::span<double> out);
    void sample_until(double t);
    // What is shown at t, of the step that could not be finished or else where it began; nothing where it has
    // no value.
    std::vector<double> values_at(double t);
    Watches& watches() { return watches_; }
    Sampler& sampler() { return sampler_; }

    // What a step changes of a machinery, as bytes; of the step at hand as it was before that was looked for.
    std::vector<std::byte> bytes_of(Machinery& m);
    void recall(Machinery& m, const std::vector<std::byte>& bytes);
    void exchange_guess();
    void make_stepper();
    void forget_step() { at_hand_.reset(); }
    void archive(Archive& a) { a(proof_); }

private:
    struct Memory {
        std::vector<double> guess;
        std::vector<std::byte> machinery;
    };
    void archive(Archive& a, Machinery& m);
    std::vector<std::byte> remember(Machinery& m);
    void begin_to_follow_loops();
    void begin_step(double until, double rest);
    FlowStep confirmed_step(double h_max);
    FlowStep solvable_step(double h_max);
    bool creeps();
    double time_after(double h, double due) const;
    void refuse_hidden_poles(double h);
    void meet(const Watch& w, double h);
    Flowed take_step(const std::optional<Reached>& root, double h, double t_next, bool at_due);
    void finish_step(double h, double t_next, bool instant_follows);
    double bound_after(std::uint32_t i, double h) const;

    const Settings& settings_;
    State& state_;
    const Running& at_;
    GraphGerms& graph_;
    Slides& slides_;
    Recorder& recorder_;
    Conditions conditions_;
    Roots roots_;
    Watches watches_;
    Sampler sampler_;
    Pasts pasts_;
    Work work_;
    EventProof proof_;
    std::optional<FlowStep> at_hand_;  // looked at, and not yet taken
    Memory before_;                    // what it began with, if it may have to wait
};

}  // namespace deltaflow
