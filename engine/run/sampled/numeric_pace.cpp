// Where the next sample stands: on the grid, at what is due, or in equal steps off the grid.
//
// An impulse of order n >= 1 is n + 1 samples over equal steps: with split ones its moments would be wrong by
// parts that no h removes. Where its time is not on the grid its samples keep their own pace, t, t + h, ...,
// and so do the same samples where they come out of a delay. Then the grid goes on.
#include "engine/limits.hpp"
#include "engine/run/sampled/numeric_island.hpp"

#include <algorithm>
#include <cmath>

namespace deltaflow {

// What is nearer than this to a sample happens in it.
double NumericIsland::slack() const {
    return std::max(limits::same_sample * step_,
                    limits::same_time_ulps * rounding::unit * std::max(std::abs(t_), std::abs(stop_)));
}

bool NumericIsland::is_grid(double t) const {
    return std::abs(start_ + std::round((t - start_) / step_) * step_ - t) <= slack();
}

// When a source gives its next impulse of order one or higher, if that is what comes next.
double NumericIsland::next_high_impulse(NodeId schedule) const {
    const Schedule& s = s_->d.schedules[s_->d.nodes[schedule].extra];
    const ScheduleCursor& cursor = cursors_[s_->d.nodes[schedule].extra];
    if (cursor.done(s) || s.points[cursor.index].impulses.size() < 2) return HUGE_VAL;
    return to_double(cursor.time(s));
}

// With the right sum the first sample of an impulse closes the step that ends in it: that step begins off the
// grid, too.
double NumericIsland::next_approach() const {
    double next = HUGE_VAL;
    for (const Source& source : sources_) {
        const double begin = source.next_high - step_;
        if (!left_ && begin >= t_ - slack() && !is_grid(source.next_high)) next = std::min(next, begin);
    }
    return next;
}

NumericIsland::Plan NumericIsland::plan() const {
    Plan p{start_ + next_grid_ * step_, step_, false};
    if (!on_grid_) p.h = p.t - t_;
    const double approach = next_approach();
    const bool approached = approach <= t_ + slack();
    if (whole_steps_ > 0 ? own_pace_ : approached) {
        p = {approached ? approach + step_ : t_ + step_, step_, false};
    } else if (whole_steps_ == 0) {
        const double begin = std::min(approach, runs_.empty() ? HUGE_VAL : runs_.begin()->first);
        if (begin < p.t - slack()) p = {begin, begin - t_, false};
    }
    if (std::abs(p.t - stop_) <= slack()) p.t = stop_;
    const double due = agenda_.next();
    if (whole_steps_ == 0 && due < p.t - slack()) return {due, due - t_, true};
    p.due = due <= p.t + slack();
    return p;
}

// How far it is from a sample at t to the next one that nothing but the grid asks for.
double NumericIsland::whole_step_after(double t, bool own_pace) const {
    if (own_pace || is_grid(t)) return step_;
    return start_ + (std::floor((t - start_) / step_) + 1) * step_ - t;
}

// How far it is from a sample at t to the one after it, as far as that is known; `whole` steps are still to
// be taken whole.
double NumericIsland::step_after(double t, int whole) const {
    const double step = whole_step_after(t, whole > 0 && own_pace_);
    if (whole > 0) return step;
    double next = agenda_.next();
    if (const auto run = runs_.upper_bound(t + slack()); run != runs_.end())
        next = std::min(next, run->first);
    return next > t + slack() ? std::min(step, next - t) : step;
}

// `steps` equal steps from a sample at `from` on; `now`: that sample is still to be accepted. What comes out
// of delays then repeats them.
void NumericIsland::keep_pace(double from, int steps, bool now) {
    own_pace_ = (own_pace_ && whole_steps_ > 0) || !is_grid(from);
    whole_steps_ = std::max(whole_steps_, steps + (now ? 1 : 0));
    if (!own_pace_) return;
    for (const Past& delay : delays_)
        if (impulse_rungs(s_->regularity[delay.block.input]) > 1) {
            int& wanted = runs_[from + delay.samples.by()];
            wanted = std::max(wanted, steps);
        }
}

// Equal steps that begin in the sample at t: how many.
int NumericIsland::take_runs(double t) {
    int steps = 0;
    while (!runs_.empty() && runs_.begin()->first <= t + slack()) {
        if (runs_.begin()->first >= t - slack()) steps = std::max(steps, runs_.begin()->second);
        runs_.erase(runs_.begin());
    }
    return steps;
}

// An impulse of a source at t, in the sample that closes a step h. With the left sum it acts over the steps
// that follow. With the right sum the step itself is the first one; where that was cut short, the impulse
// begins with the next.
void NumericIsland::strike(Source& source, const std::vector<double>& impulses, double t, double h) {
    const int orders = static_cast<int>(impulses.size());
    if (left_) {
        std::vector<double> steps(2 * impulses.size(), step_);
        if (orders > 1)
            keep_pace(t, orders, true);
        else
            steps[0] = whole_step_after(t, own_pace_ && whole_steps_ > 1);
        source.impulses.strike(impulses, steps);
        whole_steps_ = std::max(whole_steps_, orders + 1);
    } else if (orders < 2) {
        source.impulses.strike(impulses);
    } else if (starting_ || std::abs(h - step_) > slack()) {
        source.late = impulses;
    } else {
        source.impulses.strike(impulses);
        keep_pace(t - step_, orders, false);
    }
}

// After a sample: what had to wait for a whole step.
void NumericIsland::strike_late() {
    for (Source& source : sources_) {
        if (source.late.empty()) continue;
        source.impulses.strike(source.late);
        keep_pace(t_, static_cast<int>(source.late.size()), false);
        source.late.clear();
    }
}

// After a sample at t_: the grid goes on behind it.
void NumericIsland::advance_grid() {
    if (whole_steps_ == 0) own_pace_ = false;
    on_grid_ = is_grid(t_);
    while (start_ + next_grid_ * step_ <= t_ + slack()) ++next_grid_;
}

}  // namespace deltaflow
