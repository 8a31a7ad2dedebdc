// Detection of Zeno behaviour and the estimate of its accumulation point.
#include "engine/run/zeno.hpp"

#include "engine/limits.hpp"
#include "signal/bounded.hpp"

#include <algorithm>
#include <cmath>

namespace deltaflow {

namespace {

// Intervals that shrink faster than this come to the rounding of time before eight of them are seen.
constexpr double slowest_to_vanish = 0.7;
// A steady sequence whose intervals are so small a part of it may be lost in the errors of a method.
constexpr double blurred_part = 1e-4;

double resolution_at(double t) { return limits::zeno_resolution * rounding::unit * std::abs(t); }

// Ratios that must agree: fast sequences come to the rounding of time in a few intervals.
int ratios_wanted(double ratio) {
    if (ratio > limits::zeno_fast) return limits::zeno_intervals;
    return ratio > limits::zeno_fastest ? 3 : 2;
}

bool agree(double r, double s) {
    return std::abs(r - s) <= limits::zeno_ratio_steadiness * std::min(1.0, 10 * std::min(r, s));
}

}  // namespace

// The last interval is no shorter than the one before: there is nothing else to look at.
bool ZenoSequence::grows(int period) {
    const double from = ago(2 * period), middle = ago(period), last = ago(0);
    const double now = last - middle, before = middle - from;
    if (!(now >= before) || resolution_at(last) > 8 * limits::zeno_ratio_steadiness * before) return false;
    shrinking_[static_cast<std::size_t>(period - 1)] = {from, now / before, 0};
    return true;
}

// The last interval against the one before. Of intervals that drown in the rounding of time nothing more is
// learnt: a sequence that was steady until then goes on.
void ZenoSequence::measure(int period, Shrinking& s) {
    const double now = interval(period, 0), before = interval(period, 1), r = now / before;
    if (resolution_at(ago(0)) > 8 * limits::zeno_ratio_steadiness * before) {
        if (s.steady < ratios_wanted(s.ratio) * period && r > slowest_to_vanish) s.steady = 0;
        return;
    }
    if (!(r < 1 - limits::zeno_ratio_steadiness / 50) || !agree(r, s.ratio)) {
        s = {ago(2 * period), r, 0};
        return;
    }
    ++s.steady;
    // The mean of a few: rounding of time shows less.
    const int several = static_cast<int>(std::min<long>(s.steady / period, limits::zeno_intervals - 1)) + 1;
    s.ratio = several == 1 ? r : std::pow(now / interval(period, several), 1.0 / several);
}

// A steady sequence that has come to a small part of what it covered, and is then out of step: what a method
// errs by has hidden the hop that was due.
bool ZenoSequence::is_lost(int period, const Shrinking& s) const {
    const double now = interval(period, 0), before = interval(period, 1);
    return s.steady >= ratios_wanted(s.ratio) * period && now < before && !agree(now / before, s.ratio) &&
           before <= blurred_part * (ago(period) - s.begin);
}

// Every `period` instants belong together: their intervals form a geometric series.
bool ZenoSequence::shrinks(int period, bool blurred) {
    Shrinking& s = shrinking_[static_cast<std::size_t>(period - 1)];
    if (blurred && is_lost(period, s)) {
        accumulation_ = std::max(ago(0), ago(period) + interval(period, 1) * s.ratio / (1 - s.ratio));
        return true;
    }
    measure(period, s);
    if (s.steady < period) return false;
    const double next = interval(period, 0) * s.ratio, rest = next / (1 - s.ratio);
    accumulation_ = ago(0) + rest;
    if (next <= resolution_at(ago(0)) && s.ratio <= slowest_to_vanish) return true;
    if (s.steady < ratios_wanted(s.ratio) * period) return false;
    return rest <= limits::zeno_rest * (ago(0) - s.begin) || next <= resolution_at(ago(0));
}

// After intervals that are a small part of what the sequence covered, the next one and all that would follow
// it are over.
bool ZenoSequence::is_overdue(double t) const {
    for (int period = 1; period <= periods && count_ > 2 * period; ++period) {
        const Shrinking& s = shrinking_[static_cast<std::size_t>(period - 1)];
        const double last = interval(period, 0), rest = last * s.ratio / (1 - s.ratio);
        if (s.steady >= ratios_wanted(s.ratio) * period && last <= blurred_part * (ago(0) - s.begin) &&
            t > ago(0) + 2 * rest + resolution_at(t))
            return true;
    }
    return false;
}

bool ZenoSequence::note(double t, bool blurred) {
    times_[static_cast<unsigned long>(count_++) % kept] = t;
    bool found = false;
    double accumulation = 0;
    for (int period = 1; period <= periods && count_ > 2 * period; ++period)  // all of them keep count
        if (!grows(period) && shrinks(period, blurred) && !found) {
            found = true;
            accumulation = accumulation_;
        }
    accumulation_ = accumulation;
    return found;
}

bool Zeno::note(double t, NodeId condition, double stop, bool blurred) {
    stuck_ = t - last_ <= 4e-16 * std::abs(t) ? stuck_ + 1 : 0;
    last_interval_ = std::min(t - last_, std::abs(t));
    last_ = t;
    accumulation_ = t;
    if (stuck_ > limits::stuck_instants) return true;
    return condition != no_node && note_in(sequences_, t, condition, stop, blurred);
}

bool Zeno::note_in(Sequences& sequences, double t, NodeId condition, double stop, bool blurred) {
    // While there is one condition alone, its own sequence is that of all.
    if (sequences.size() == 1 && !sequences.contains(condition))
        sequences[no_node] = sequences.begin()->second;
    if (accumulates(sequences[condition], t, stop, blurred)) return true;
    const auto all = sequences.find(no_node);
    return all != sequences.end() && accumulates(all->second, t, stop, blurred);
}

void Zeno::forget_all_but(const std::vector<NodeId>& conditions) {
    std::erase_if(sequences_, [&](const auto& s) {
        return std::find(conditions.begin(), conditions.end(), s.first) == conditions.end();
    });
    stuck_ = 0;
}

bool ZenoSequence::has_shrunk() const {
    double longest = 0;
    for (int n = 0; n + 1 < std::min<long>(count_, kept); ++n) longest = std::max(longest, interval(1, n));
    return interval(1, 0) <= std::max(limits::zeno_shrunk * longest, 8 * resolution_at(ago(0)));
}

double ZenoSequence::estimate() const {
    const double r = count_ < 3 ? 1 : interval(1, 0) / interval(1, 1);
    return r < 1 - limits::zeno_ratio_steadiness / 50 ? ago(0) + interval(1, 0) * r / (1 - r) : ago(0);
}

bool Zeno::shrinks(NodeId condition) const {
    const auto in = [&](const Sequences& sequences) {
        const auto own = sequences.find(condition);
        return own != sequences.end() && own->second.count() > 3 && own->second.has_shrunk();
    };
    return in(sequences_) || in(points_);
}

NodeId Zeno::overdue(double t) const {
    for (const auto& [condition, sequence] : sequences_)
        if (condition != no_node && sequence.is_overdue(t)) return condition;
    return no_node;
}

bool Zeno::note_end(NodeId condition, double stop, bool shrunk) {
    const auto own = sequences_.find(condition);
    if (own == sequences_.end() || own->second.count() < 2) return false;
    if (shrunk && !own->second.has_shrunk()) return false;
    accumulation_ = std::min(own->second.estimate(), stop);
    return true;
}

bool Zeno::accumulates(ZenoSequence& sequence, double t, double stop, bool blurred) {
    if (!sequence.note(t, blurred) || sequence.accumulation() > stop) return false;
    accumulation_ = sequence.accumulation();
    return true;
}

}  // namespace deltaflow
