// The run of a model: what is recorded decides what is shown, and nothing else.
#include "engine/front/flatten/flatten.hpp"
#include "engine/front/read/report.hpp"
#include "engine/run_recorded.hpp"

#include <algorithm>

namespace deltaflow {

namespace {

// Events stay, whatever jumps at them; jumps of the first `kept` signals are shown.
void forget_unrecorded(Trace& trace, std::size_t kept) {
    trace.signals.resize(kept);
    trace.samples.resize(kept);
    trace.impulse_orders.resize(kept);
    std::vector<Jump> jumps;
    for (Event& event : trace.events) {
        const auto first = static_cast<std::uint32_t>(jumps.size());
        for (const Jump& jump : trace.jumps_of(event))
            if (jump.signal < kept) jumps.push_back(jump);
        event.first_jump = first;
        event.jump_count = static_cast<std::uint32_t>(jumps.size()) - first;
    }
    trace.jumps = std::move(jumps);
}

std::vector<NodeId> unrecorded_blocks(const Model& model) {
    if (!model.written) return {};
    front::Report report(model.sources);
    return front::find_unrecorded(model.written->templates, model.record, report);
}

}  // namespace

// All blocks are computed, recorded or not: where one of them has no value the run ends, whatever is shown.
Trace simulate(const Model& model, const RunControl& control) {
    if (control.own_samples) return run_recorded(model, control);
    const std::vector<NodeId> unrecorded = unrecorded_blocks(model);
    if (unrecorded.empty()) return run_recorded(model, control);
    Model whole = model;
    for (const NodeId n : unrecorded) whole.record.push_back({model.naming->name(n), n});
    Trace trace = run_recorded(whole, control);
    forget_unrecorded(trace, model.record.size());
    return trace;
}

}  // namespace deltaflow
