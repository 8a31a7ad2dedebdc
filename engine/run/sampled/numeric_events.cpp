#include "engine/run/sampled/numeric_events.hpp"

#include "blocks/distances.hpp"
#include "engine/run/sampled/numeric_checks.hpp"

#include <algorithm>
#include <cmath>

namespace deltaflow {

namespace {

int sign_of(double c) { return c > 0 ? 1 : c < 0 ? -1 : 0; }

}  // namespace

// With the left sum the sample itself shows what an event changes: solve it once more.
void NumericEvents::solve_again() {
    std::vector<double> next = state_.saved;
    next.swap(at_.m->sampled.d.parameters);
    for (std::size_t i = 0; i < at_.crossings.size(); ++i)
        at_.parameter(at_.crossings[i]) = state_.fired[i] ? 1 / pace_.whole_step_after(pace_.time()) : 0;
    at_.m->work.same_matrices = false;
    state_.factored = NAN;
    solver_.execute_at(pace_.time());
    next.swap(at_.m->sampled.d.parameters);
    check_finite(state_, at_, teller_.record().recorder().statistics.steps);
    writer_.amend_own(*at_.s, state_.a);
    const auto& blocks = at_.m->sampled.blocks;
    for (std::size_t i = 0; i < blocks.size(); ++i) state_.before[i] = state_.a[blocks[i].input];
    for (const auto& pre : at_.pres) at_.parameter(pre) = state_.a[pre.input];
    for (auto& delay : state_.delays) delay.samples.amend(state_.a[delay.block.input]);
}

NumericEvents::Fired NumericEvents::fire_crossings(const std::vector<double>& sample) {
    Fired result;
    for (const NumericWatch& w : state_.watches) {
        if (!watches_.is_crossing(w)) continue;
        int side = w.located ? watches_.side_of(w) : sign_of(sample[w.node] - w.threshold);
        if (side == 0 && watches_.is_trigger(w)) side = 1;
        const bool passes = w.side != 0 && side == -w.side && (w.direction == 0 || w.direction == side);
        if (!passes && !(w.struck && !state_.starting)) continue;
        for (std::size_t i = 0; i < at_.crossings.size(); ++i)
            if (at_.crossings[i].node == w.owner) state_.fired[i] = 1;
        teller_.note_cause(w.owner);
        result.any = state_.any_fired = true;
        result.by_jump = result.by_jump || !w.located;
    }
    return result;
}

// `changed`: somebody has fired.
void NumericEvents::follow(std::vector<double>& sample, bool changed) {
    const double soon = pace_.step() * state_.just_after();
    std::vector<NodeId> flipped;
    const auto active = [&](NodeId n) { return state_.is_active(n); };
    changed = watches_.flip(active, flipped) || changed;
    while (changed) {
        sheets_.mark_active();
        watches_.collect();
        if (at_.left || state_.starting) {
            solve_again();
            sample = state_.a;
        }
        solver_.solve(pace_.time() + soon, soon);
        changed = watches_.flip(active, flipped);
    }
}

// What impulses do to the others shows in the next sample; at the start nothing fires.
void NumericEvents::settle_sides(const std::vector<double>& sample) {
    for (NumericWatch& w : state_.watches) {
        const int here = sign_of(sample[w.node] - w.threshold);
        if (watches_.is_trigger(w))  // an impulse is over with its samples: it has no side
            w.side = w.struck ? w.side : here == 0 ? 1 : here;
        else if (watches_.is_crossing(w))
            w.side = w.located || state_.starting || here == 0 ? watches_.side_of(w) : here;
        if (watches_.is_crossing(w) && state_.starting && pace_.is_whole()) w.side = 0;
        w.last = w.located ? 0 : sample[w.node] - w.threshold;
        w.located = w.struck = false;
    }
}

void NumericEvents::hold(const std::vector<NodeId>& ticked, bool behind) {
    if (!behind)
        for (const NodeId n : ticked)
            (at_.node(n).op == Primitive::unit_delay ? state_.stored : state_.now.held)[n] =
                state_.a[at_.input(n)];
    if (!ticked.empty()) solver_.give_held();
}

void NumericEvents::happen(const std::vector<NodeId>& ticked) {
    ++state_.instants;
    const double soon = pace_.step() * state_.just_after();
    std::vector<double> sample = state_.a, left = teller_.outputs();
    NodeId located = no_node;
    for (NumericWatch& w : state_.watches) {
        w.zero = w.located ? watches_.value_of(w) : 0;
        if (w.located && located == no_node) located = w.node;
    }
    solver_.solve(pace_.time() + soon, soon);
    const Fired fired = fire_crossings(sample);
    follow(sample, fired.any);
    settle_sides(sample);
    hold(ticked, fired.by_jump);
    state_.a = std::move(sample);
    state_.last = state_.a;
    if (at_.left && state_.any_fired) {
        pace_.keep_whole(1);
        solver_.forget_fired();
    }
    if (teller_.record().causes().empty()) return;
    teller_.open(std::move(left));
    if (!state_.zeno.note(pace_.time(), located, pace_.stop())) return;
    if (slides()) return go_on_whole();
    state_.zeno_stop = true;
}

// Branches flip ever sooner on a few surfaces at once, and each acts on what it asks for directly: their
// motion is sliding. Behind an integrator more, as in twisting, it is not.
bool NumericEvents::slides() const {
    if (!may_slide_) return false;
    std::vector<NodeId> blocks, conditions;
    for (const NumericWatch& w : state_.watches) {
        if (!state_.zeno.shrinks(w.node)) continue;
        if (w.guard || watches_.is_crossing(w)) return false;
        blocks.push_back(w.owner);
        conditions.push_back(w.node);
    }
    const std::vector<int> distance = distances(at_.s->d, blocks, [](NodeId, std::size_t) { return true; });
    return !blocks.empty() &&
           std::all_of(conditions.begin(), conditions.end(), [&](NodeId n) { return distance[n] == 1; });
}

// From here to the next point of the grid nothing is located: they flip in whole steps.
void NumericEvents::go_on_whole() {
    pace_.keep_whole(1);
    state_.zeno = Zeno();
}

}  // namespace deltaflow
