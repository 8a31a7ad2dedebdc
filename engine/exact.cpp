// Islands one after the other, each to the end or to the first error; then what they found, by signal.
#include "engine/exact.hpp"

#include "engine/course.hpp"
#include "engine/course/report.hpp"
#include "engine/modes/ready.hpp"
#include "engine/run/exact/exact_island.hpp"
#include "engine/solve/exact/bounds.hpp"

#include <fmt/format.h>
#include <cmath>

#include <algorithm>
#include <optional>

namespace deltaflow {

using closed_form::ExactIsland;

namespace {

// What lies beyond the end is dropped: another island ended earlier.
void cut(ExactSignal& signal, const Quadratic& end) {
    auto& [name, pieces, impulses] = signal;  // in order of time
    const auto piece = std::partition_point(pieces.begin(), pieces.end(),
                                            [&](const ExactPiece& piece) { return !(end < piece.from); });
    pieces.erase(piece, pieces.end());
    const auto impulse = std::partition_point(impulses.begin(), impulses.end(),
                                              [&](const ExactImpulses& at) { return !(end < at.at); });
    impulses.erase(impulse, impulses.end());
}

struct ExactRunner {
    const FlatModel& model;
    const RunControl& control;
    ExactTrace& trace;
    std::optional<double> end = {};  // by error, Zeno or a block, the earliest
    std::uint64_t steps = 0;         // of all islands

    void fail(const RunError& error, EndReason reason, const ExactIsland& island) {
        if (end && *end < error.t) return;
        if (!end || error.t < *end) trace.errors.clear();
        end = error.t;
        trace.end = island.reached();
        trace.end_is_exact = island.reached_exactly();
        trace.end_reason = reason;
        if (reason != EndReason::zeno || model.settings.zeno != AtZeno::stop) trace.errors.push_back(error);
    }

    void end_here(const ExactIsland& island) {
        if (end && *end <= island.time()) return;
        trace.errors.clear();
        end = island.time();
        trace.end = island.reached();
        trace.end_is_exact = island.reached_exactly();
        trace.end_reason = EndReason::terminated;
    }

    // A loop that has no solution from the first is an error of the model.
    void start(ExactIsland& island) {
        try {
            island.start();
        } catch (const RunFailure& failure) {
            if (failure.kind == ErrorKind::not_finite && !failure.loop.empty())
                fail_model_with(model, island, failure);
            throw;
        }
    }

    void interrupt(const ExactIsland& island) {
        fail({ErrorKind::interrupted, island.time(), fmt::format("interrupted at t = {}", island.time())},
             EndReason::interrupted, island);
    }

    void run(ExactIsland& island) {
        try {
            start(island);
            while (island.advance(HUGE_VAL) != Going::ended) {
                closed_form::check_interrupt();
                if (++steps > control.most_steps) return interrupt(island);
                if (island.instants() > model.settings.max_events)
                    throw RunFailure{
                        .kind = ErrorKind::no_progress,
                        .what = fmt::format("more than {} events (max_events)", model.settings.max_events),
                        .advice = "raise simulation.max_events if that many are meant"};
                if (end && *end < island.time()) return;
            }
            if (island.terminated()) return end_here(island);
            if (!island.stopped_by_zeno()) return;
            if (island.could_pass_zeno(model.settings.zeno))
                throw RunFailure{.kind = ErrorKind::model,
                                 .what = "events accumulate here (Zeno): exact numbers cannot pass them",
                                 .advice = "run it, or stop before that time"};
            fail(describe_zeno(model, island), EndReason::zeno, island);
        } catch (const RunFailure& failure) {
            fail(describe(model, island, failure), EndReason::error, island);
        } catch (const closed_form::Interrupted&) {
            interrupt(island);
        } catch (const MixedRoots& roots) {
            fail(describe(model, island, {.kind = ErrorKind::model, .what = roots.what()}), EndReason::error,
                 island);
        }
    }
};

}  // namespace

ExactTrace run_exactly(const FlatModel& model, const FractionBook& book, const RunControl& control) {
    check_periods(model);
    ExactTrace trace;
    trace.model = model.name;
    for (const auto& recorded : model.record) trace.signals.push_back({recorded.name, {}, {}});
    constexpr std::uint64_t checks_a_step = 256;  // a step asks so often where polynomials are long
    const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    Patience patience(control.interrupt, model.settings.limits);
    const closed_form::Interruptible interruptible(
        &patience, control.most_steps < most / checks_a_step ? control.most_steps * checks_a_step : most);
    if (const auto start = book.find(model.settings.start)) trace.start = *start;
    if (const auto stop = book.find(model.settings.stop)) trace.end = *stop;
    ExactRunner runner{model, control, trace};
    for (const ReadyIsland& ready : ready_islands(model, model.settings)) {
        ExactIsland island(model.settings, book, ready.system.get(), ready.modes.get());
        runner.run(island);
        trace.instants += island.instants();
        for (auto& [index, signal] : island.take_signals()) {
            trace.signals[index].pieces = std::move(signal.pieces);
            trace.signals[index].impulses = std::move(signal.impulses);
        }
    }
    for (ExactSignal& signal : trace.signals) cut(signal, trace.end);
    return trace;
}

}  // namespace deltaflow
