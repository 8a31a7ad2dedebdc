// Events on samples, written down.
#include "engine/run/sampled/numeric_record.hpp"

#include <algorithm>
#include <cmath>

namespace deltaflow {

void NumericRecord::note_cause(NodeId origin) {
    if (std::find(causes_.begin(), causes_.end(), origin) == causes_.end()) causes_.push_back(origin);
}

// With the left sum an impulse stands in this sample and what it does to a state in the next one.
void NumericRecord::open(double t, std::vector<double> left, std::vector<double> now) {
    if (!left_) left_ = std::move(left);
    t_ = t;
    now_ = std::move(now);
    for (const NodeId n : causes_)
        if (std::find(event_causes_.begin(), event_causes_.end(), n) == event_causes_.end())
            event_causes_.push_back(n);
    causes_.clear();
}

// The other side of number i of what is shown, if it differs. Before the start there need not be anything.
std::optional<double> NumericRecord::after(std::size_t i, const System& s, NodeId n,
                                           const std::vector<double>& a) const {
    const double before = (*left_)[i];
    if (s.regularity[n].r > Regularity::jump || !std::isfinite(before)) return std::nullopt;
    const bool at_once = i < now_.size() && now_[i] != before;
    const double after = at_once ? now_[i] : a[n];
    return before == after ? std::nullopt : std::optional(after);
}

namespace {

// Is this nothing but the end of impacts, a sample after they began?
bool ends_impacts(const bonds::Graph& g, const bonds::Mode& before, const bonds::Mode& after,
                  std::vector<NodeId> causes, const std::vector<NodeId>& origin) {
    bool any = false;
    for (std::size_t a = 0; a < g.automata.size(); ++a) {
        if (before[a] == after[a]) continue;
        const bonds::Automaton& automaton = g.automata[a];
        if (!automaton.passes(before[a]) || !automaton.looks_alike(before[a], after[a])) return false;
        any = true;
        std::erase(causes, origin[automaton.signals[0]]);
    }
    return any && causes.empty();
}

}  // namespace

void NumericRecord::forget() {
    left_.reset();
    index_ = 0;
    event_causes_.clear();
}

void NumericRecord::close(const System& s, const std::vector<double>& a, const bonds::Graph* g,
                          const bonds::Mode& mode) {
    if (!left_) return;
    if (g && ends_impacts(*g, recorded_mode_, mode, event_causes_, s.origin)) {
        recorded_mode_ = mode;
        return forget();
    }
    const auto first = recorder_.jumps.size();
    const std::size_t outputs = s.outputs.size();
    bool happens = mode != recorded_mode_;
    for (std::size_t i = 0; i < outputs && !event_causes_.empty(); ++i)
        if (const auto right = after(i, s, s.outputs[i].node, a))
            recorder_.jumps.push_back({s.outputs[i].signal, (*left_)[i], *right, 0, 0});
    happens = happens || recorder_.jumps.size() > first;
    for (std::size_t i = 0; i < s.named.size() && !event_causes_.empty() && !happens; ++i)
        happens = after(outputs + i, s, s.named[i], a).has_value();
    if (happens) write(t_, mode, true, first);
    forget();
}

void NumericRecord::write_mythical(double t, const bonds::Mode& mode) {
    write(t, mode, false, recorder_.jumps.size());
    ++index_;
}

void NumericRecord::write(double t, const bonds::Mode& mode, bool committed, std::size_t first_jump) {
    Event event{t,
                0,
                index_,
                committed,
                0,
                0,
                static_cast<std::uint32_t>(first_jump),
                static_cast<std::uint32_t>(recorder_.jumps.size() - first_jump)};
    if (!recorder_.events.empty() && recorder_.events.back().t == t) {
        const Event& last = recorder_.events.back();
        event.epsilon = last.epsilon + (last.committed ? 1 : 0);
    }
    event.first_cause = static_cast<std::uint32_t>(recorder_.causes.size());
    event.cause_count = static_cast<std::uint32_t>(event_causes_.size());
    recorder_.causes.insert(recorder_.causes.end(), event_causes_.begin(), event_causes_.end());
    event.first_mode = static_cast<std::uint32_t>(recorder_.modes.size());
    recorder_.modes.insert(recorder_.modes.end(), mode.begin(), mode.end());
    if (committed) recorded_mode_ = mode;
    recorder_.events.push_back(event);
    ++recorder_.statistics.events;
}

}  // namespace deltaflow
