// The run of a model: what is recorded decides what is shown, and nothing else.
#include "engine/front/flatten/flatten.hpp"
#include "engine/front/read/report.hpp"
#include "engine/run_recorded.hpp"

#include <algorithm>

namespace deltaflow {

namespace {

// Keeps jumps of the first `kept` signals, and events at which one of them jumps or a mode changes.
struct Keeper {
    Trace& trace;
    std::size_t kept;
    std::vector<std::uint32_t> mode;  // after the last commit
    std::uint32_t jumps = 0;          // kept so far, at the beginning of the list

    bool switches(const Event& event) {
        if (trace.automata.empty()) return false;
        const auto modes = trace.modes_of(event);
        if (!event.committed) return true;
        if (std::equal(modes.begin(), modes.end(), mode.begin(), mode.end())) return false;
        mode.assign(modes.begin(), modes.end());
        return true;
    }
    bool drop(Event& event) {
        const auto first = jumps;
        for (const Jump& jump : trace.jumps_of(event))
            if (jump.signal < kept) trace.jumps[jumps++] = jump;
        event.first_jump = first;
        event.jump_count = jumps - first;
        return !switches(event) && event.jump_count == 0;
    }
};

void forget_unrecorded(Trace& trace, std::size_t kept) {
    trace.signals.resize(kept);
    trace.samples.resize(kept);
    trace.impulse_orders.resize(kept);
    Keeper keeper{trace, kept, trace.first_mode};
    std::erase_if(trace.events, [&](Event& event) { return keeper.drop(event); });
    trace.jumps.resize(keeper.jumps);
    trace.statistics.events = trace.events.size();
}

}  // namespace

namespace {

std::vector<NodeId> unrecorded_blocks(const Model& model) {
    if (!model.written) return {};
    front::Report report(model.sources);
    return front::find_unrecorded(model.written->templates, model.record, report);
}

}  // namespace

// All blocks are computed, recorded or not: where one of them has no value the run ends, whatever is shown.
Trace simulate(const Model& model, const RunControl& control) {
    if (control.own_samples || control.log) return run_recorded(model, control);
    const std::vector<NodeId> unrecorded = unrecorded_blocks(model);
    if (unrecorded.empty()) return run_recorded(model, control);
    Model whole = model;
    for (const NodeId n : unrecorded) whole.record.push_back({model.naming->name(n), n, false});
    Trace trace = run_recorded(whole, control);
    forget_unrecorded(trace, model.record.size());
    return trace;
}

}  // namespace deltaflow
