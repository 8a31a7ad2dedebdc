// Impulses of sources on samples: where they begin, and what waits for a whole step.
#include "engine/limits.hpp"
#include "engine/run/sampled/numeric_island.hpp"

#include <algorithm>
#include <cmath>

namespace deltaflow {

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
        const double begin = source.next_high - pace_.step();
        if (!left_ && begin >= pace_.time() - pace_.slack() && !pace_.is_grid(source.next_high))
            next = std::min(next, begin);
    }
    return next;
}

// An impulse of a source at t, in the sample that closes a step h. With the left sum it acts over the steps
// that follow. With the right sum the step itself is the first one; where that was cut short, the impulse
// begins with the next.
void NumericIsland::strike(Source& source, const std::vector<double>& impulses, double t, double h) {
    const int orders = static_cast<int>(impulses.size());
    if (left_) {
        std::vector<double> steps(2 * impulses.size(), pace_.step());
        if (orders > 1)
            pace_.keep(t, orders, true, repeats());
        else
            steps[0] = pace_.whole_step_behind(t);
        source.impulses.strike(impulses, steps);
        pace_.keep_whole(orders + 1);
    } else if (orders < 2) {
        source.impulses.strike(impulses);
    } else if (starting_ || std::abs(h - pace_.step()) > pace_.slack()) {
        source.late = impulses;
    } else {
        source.impulses.strike(impulses);
        pace_.keep(t - pace_.step(), orders, false, repeats());
    }
}

// After a sample: what had to wait for a whole step.
void NumericIsland::strike_late() {
    for (Source& source : sources_) {
        if (source.late.empty()) continue;
        source.impulses.strike(source.late);
        pace_.keep(pace_.time(), static_cast<int>(source.late.size()), false, repeats());
        source.late.clear();
    }
}

// Delays out of which equal steps come again.
std::vector<double> NumericIsland::repeats() const {
    std::vector<double> all;
    for (const Past& delay : delays_)
        if (impulse_rungs(s_->regularity[delay.block.input]) > 1) all.push_back(delay.samples.by());
    return all;
}

}  // namespace deltaflow
