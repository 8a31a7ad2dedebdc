// A leap: landing, and what is asked of the place.
#include "engine/solve/steppers/leap.hpp"

#include <algorithm>
#include <cmath>

namespace deltaflow {

Leap::Leap(const FlowContext& context)
    : c_(context),
      s_(*context.system),
      work_(s_.series),
      stride_(static_cast<std::uint32_t>(s_.series.rungs(0))),
      a_(s_.d.nodes.size(), 0) {
    rungs_.assign(s_.d.nodes.size() * std::size_t{stride_}, 0);
    fill_constants(s_.d, rungs_.data(), stride_);
    work_.guess = &guess_;
    work_.flow = c_.flow;
    work_.active = c_.active;
}

double Leap::length(const LeapFrom& from, double least, double most) {
    for (const Loop& loop : s_.series.loops)
        if (grows(from, loop)) return 0;
    for (double h = least; h <= most; h *= 2)
        if (lands(from, h)) return h;
    return 0;
}

bool Leap::lands(const LeapFrom& from, double h) {
    for (const NodeId n : s_.states) a_[n] = from.of(n)[0] + h * from.of(n)[1];
    for (int pass = 0; pass < 2; ++pass) {
        if (!evaluate(from.t + h)) return false;
        for (const NodeId n : s_.states) a_[n] = from.of(n)[0] + 0.5 * h * (from.of(n)[1] + rate(n));
    }
    for (const Loop& loop : s_.series.loops)
        if (!is_near(from, loop)) return false;
    if (!is_same_sheet(from) || !is_accurate(from, h)) return false;
    std::vector<std::uint8_t> is_state(s_.d.nodes.size(), 0);
    for (const NodeId n : s_.states) is_state[n] = 1;
    for (NodeId n = 0; n < s_.d.nodes.size(); ++n)
        if (!is_state[n]) a_[n] = rungs_[std::size_t{n} * stride_];
    *c_.guess = guess_;
    return true;
}

// From where the states are in `a_`; any solution of loops will do.
bool Leap::evaluate(double t) {
    guess_ = *c_.guess;
    for (LoopState& loop : work_.loops) loop.sheets.clear();
    for (const NodeId n : s_.states) rungs_[std::size_t{n} * stride_] = a_[n];
    for (std::size_t i = 0; i < s_.delays.size(); ++i)
        c_.delayed(i, t, {rungs_.data() + std::size_t{s_.delays[i]} * stride_, stride_});
    try {
        execute(s_.series, work_, Frame<double>{rungs_.data(), stride_, &s_.d, c_.discrete, t},
                -s_.series.highest, 0);
    } catch (const RunFailure&) {
        return false;
    }
    return std::all_of(s_.states.begin(), s_.states.end(), [&](NodeId n) { return std::isfinite(rate(n)); });
}

namespace {

double size_of(const LeapFrom& from, const Loop& loop) {
    double size = 0;
    for (const auto& member : loop.members) size = std::max(size, std::abs(from.of(member.node)[0]));
    return size;
}

}  // namespace

// Like d^-p, with a radius d of convergence that the last terms tell? Then |c1| d = p |c0|. What comes to
// nothing, or to a value of its own, does not.
bool Leap::grows(const LeapFrom& from, const Loop& loop) const {
    const double size = size_of(from, loop);
    return std::any_of(loop.members.begin(), loop.members.end(), [&](const auto& member) {
        const double* c = from.of(member.node);
        if (!(c[0] * c[1] > 0) || std::abs(c[0]) < limits::leap_share * size) return false;
        const double last = std::abs(c[from.order]), before = std::abs(c[from.order - 1]);
        return !(std::abs(c[1]) * before <= limits::leap_growth * std::abs(c[0]) * last);
    });
}

bool Leap::is_near(const LeapFrom& from, const Loop& loop) const {
    const double size = size_of(from, loop);
    return std::all_of(loop.members.begin(), loop.members.end(), [&](const auto& member) {
        const double y = rungs_[std::size_t{member.node} * stride_];
        return std::abs(y - from.of(member.node)[0]) <= limits::leap_share * size;
    });
}

bool Leap::is_same_sheet(const LeapFrom& from) const {
    for (std::size_t i = 0; i < work_.loops.size(); ++i) {
        const auto &here = from.work.loops[i].sheets, &there = work_.loops[i].sheets;
        for (std::size_t k = 0; k < std::min(here.size(), there.size()); ++k)
            if (here[k] != there[k]) return false;
    }
    return true;
}

bool Leap::is_accurate(const LeapFrom& from, double h) const {
    const double run = c_.settings->stop - c_.settings->start, least = least_size(*c_.settings);
    return std::all_of(s_.states.begin(), s_.states.end(), [&](NodeId n) {
        const double before = from.of(n)[1];
        const double size = std::max({std::abs(from.of(n)[0]), run * std::abs(before), least});
        return h * std::abs(rate(n) - before) <= c_.settings->tolerance * size;
    });
}

}  // namespace deltaflow
