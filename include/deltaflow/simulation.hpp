// A run that is held in one's hands: stepped, looked at, fed, saved and gone on with.
#pragma once

#include "deltaflow/model.hpp"
#include "deltaflow/sink.hpp"
#include "deltaflow/trace.hpp"

#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace deltaflow {

// A signal at one time: left | right + impulses[0] delta + impulses[1] delta' + ...
struct Limits {
    double left = 0, right = 0;
    std::vector<double> impulses;

    bool operator==(const Limits&) const = default;
};

// Somebody waits for a run.
struct Watch {
    const std::atomic<bool>* interrupt = nullptr;        // set it to end the run; what there is is kept
    std::function<void(double fraction)> progress = {};  // called now and then, from one thread
};

class DELTAFLOW_API Simulation {
public:
    // Begins at the start, with what happens there. Throws Error where the model cannot begin.
    explicit Simulation(const Model& model);
    Simulation(const Model& model, const Options& options, const Watch& watch = {});
    ~Simulation();
    Simulation(Simulation&&) noexcept;
    Simulation& operator=(Simulation&&) noexcept;

    // Tells `sink`, which must stay, of all samples and events that have not been told yet, as soon as they
    // are certain: steps that have been looked at beyond now are told when they are taken.
    void observe(Sink& sink);
    // The same for one that has been told of everything up to now, by a run that this one goes on with.
    void take_up(Sink& sink);

    double time() const;
    // Goes on to t, what happens there included. The steps are those of a run that nobody holds: they may
    // have been looked at beyond t, and are cut only where something comes from outside. Throws Error if the
    // run ends by one; what was before can still be looked at.
    void advance_to(double t);
    // To the end of the next step of any part of the model. False at the end of the run.
    bool step();
    bool has_ended() const;
    EndReason end_reason() const;
    // When something happens next, as far as is known: by the calendar, or in the steps that have been looked
    // at.
    double next_event() const;

    // Recorded signals and blocks of the top level, now: after everything that happens at this time.
    double value(std::string_view signal);
    // With what happened at this time: both sides, and all impulses.
    Limits germ(std::string_view signal);
    std::vector<std::string> signals() const;

    // Into a block of type `input`, now: another value from now on, an impulse with derivatives. What is
    // given before the next look, step or save is one instant.
    void set(std::string_view input, double value);
    void strike(std::string_view input, std::span<const double> impulses);
    void strike(std::string_view input, std::initializer_list<double> impulses) {
        strike(input, std::span(impulses.begin(), impulses.size()));
    }
    std::vector<std::string> inputs() const;

    // Where it stands, all of it. A run that goes on from there is bit for bit the one that was not
    // interrupted.
    std::vector<std::byte> save() const;
    // Throws Error (option) for what was saved from another model, with other options, by another version, or
    // damaged; then nothing has changed.
    void restore(std::span<const std::byte> state);

    // It goes no further: the sinks get the rest up to now, and are told that it is over.
    const Trace& finish();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

// A run from start to stop. What goes wrong in it stands in Trace::errors, beside what was simulated before.
DELTAFLOW_API Trace simulate(const Model& model);
DELTAFLOW_API Trace simulate(const Model& model, const Options& options);
// The same, told as it happens; nothing is kept.
DELTAFLOW_API void simulate(const Model& model, const Options& options, Sink& sink, const Watch& watch = {});
// Several models, each with a sink of its own. Where they differ in numbers alone they are compiled once, and
// smooth flow by rk4 runs in lanes; each run has the bits that it would have alone. An Error for each model
// that is wrong, else nothing.
DELTAFLOW_API std::vector<std::exception_ptr> simulate(std::span<const Model> models, const Options& options,
                                                       std::span<Sink* const> sinks, const Watch& watch = {});

}  // namespace deltaflow
