#include "engine/run/exact/record.hpp"

#include "engine/limits.hpp"

#include <algorithm>
#include <utility>

namespace deltaflow::closed_form {

void ExactRecord::begin() {
    for (const auto& output : at_.system().outputs) signals_[output.signal];
}

void ExactRecord::note_cause(NodeId n) {
    const NodeId origin = at_.system().origin[n];
    if (std::find(causes_.begin(), causes_.end(), origin) == causes_.end()) causes_.push_back(origin);
}

// What is written down fills the memory.
void ExactRecord::keep(const Polynomial& numbers) {
    for (const Quadratic& c : numbers) kept_bits_ += 2 * std::size_t{length(c)};
    if (kept_bits_ <= limits::exact_total_bits) return;
    throw RunFailure{.kind = ErrorKind::model,
                     .what = "the closed form has grown too long to be kept",
                     .advice = "stop earlier, record less, or run it in floating point"};
}

void ExactRecord::flow(const Quadratic& to) {
    if (!(state_.t < to)) return;
    for (const auto& output : at_.system().outputs) {
        Polynomial p = shifted(trimmed(at_.right.rungs[output.node]), -state_.t);
        auto& pieces = signals_[output.signal].pieces;
        if (!pieces.empty() && pieces.back().p == p) continue;
        keep(p);
        pieces.push_back({state_.t, std::move(p)});
    }
}

void ExactRecord::end() {
    for (const auto& output : at_.system().outputs) {
        if (at_.right.unknown[output.node]) continue;
        Polynomial p = trimmed({at_.right.at(output.node, 0)});
        auto& pieces = signals_[output.signal].pieces;
        const Quadratic here = p.empty() ? Quadratic(0) : p[0];
        if (!pieces.empty() && evaluate(pieces.back().p, state_.t) == here) continue;
        pieces.push_back({state_.t, std::move(p)});
    }
}

void ExactRecord::gather() {
    for (const auto& output : at_.system().outputs) {
        const auto impulses = at_.solver->impulses(output.node);
        Polynomial& sum = gathered_[output.signal];
        if (sum.size() < impulses.size()) sum.resize(impulses.size());
        for (std::size_t i = 0; i < impulses.size(); ++i) sum[i] = sum[i] + impulses[i];
    }
}

void ExactRecord::tell(std::uint32_t epsilon) {
    gather();
    for (auto& [signal, sum] : std::exchange(gathered_, {})) {
        Polynomial impulses = trimmed(std::move(sum));
        if (impulses.empty()) continue;
        keep(impulses);
        signals_[signal].impulses.push_back({state_.t, epsilon, std::move(impulses)});
    }
    if (!causes_.empty()) recorder_.causes = causes_;
    causes_.clear();
}

}  // namespace deltaflow::closed_form
