// What happens in samples: sources and clocks, branches and crossings.
#include "engine/compile/reach.hpp"
#include "engine/limits.hpp"
#include "engine/run/due.hpp"
#include "engine/run/sampled/numeric_island.hpp"
#include "engine/solve/decide.hpp"

#include <algorithm>
#include <cmath>

namespace deltaflow {

namespace {

int sign_of(double c) { return c > 0 ? 1 : c < 0 ? -1 : 0; }

}  // namespace

void NumericIsland::take_due(NodeId n, double t, double h) {
    const Node& node = s_->d.nodes[n];
    if (is_timer(s_->d, n)) return;
    note_cause(n);
    if (node.op == Primitive::schedule && s_->d.schedules[node.extra].fed > 0) return take_fed(n, t, h);
    if (node.op == Primitive::schedule) {
        const Schedule& s = s_->d.schedules[node.extra];
        ScheduleCursor& cursor = cursors_[node.extra];
        const Breakpoint& point = s.points[cursor.index];
        now_.pieces[node.extra] = {cursor.value(s), point.slope, to_double(cursor.time(s))};
        const auto source = std::find_if(sources_.begin(), sources_.end(),
                                         [&](const Source& x) { return x.block.node == n; });
        if (!point.impulses.empty()) strike(*source, point.impulses, t, h);
        cursor.step(s);
        if (!cursor.done(s)) agenda_.add(to_double(cursor.time(s)), n);
        if (source != sources_.end()) source->next_high = next_high_impulse(n);
        return;
    }
    ticking_.push_back(n);
    factored_ = NAN;
    if (node.op == Primitive::unit_delay) now_.held[n] = stored_[n];
    for (const Block& hold : holds_)
        if (hold.node == n) {
            m_->sampled.d.parameters[hold.parameter] = 0;
            m_->sampled.d.parameters[hold.parameter + 1] = 1;
        }
    agenda_.add(tick_time(s_->d.clocks[node.extra], ++next_tick_[node.extra]), n);
}

void NumericIsland::take_due(double t, double h) {
    for (std::size_t taken = 0; agenda_.next() <= t + pace_.slack(); ++taken) {
        const NodeId n = agenda_.pop().node;
        check_due(taken, s_->d.nodes.size(), n);
        take_due(n, t, h);
    }
}

// Puts a block on the branch that its condition asks for; true if that is another one.
bool NumericIsland::flip(NodeId n) {
    const Node& node = s_->d.nodes[n];
    const NodeId c = s_->d.inputs_of(n)[0];
    const auto sign = [&](double threshold) {
        for (const Watch& w : watches_)
            if (!w.guard && w.owner == n && w.threshold == threshold && w.located)
                return node.op == Primitive::hysteresis ? 0 : side_of(w);
        return sign_of(a_[c] - threshold);
    };
    const int wanted = decide(node.op, s_->d.parameters_of(n), now_.branch[n], sign);
    if (wanted == now_.branch[n]) return false;
    now_.branch[n] = wanted;
    factored_ = NAN;
    note_cause(n);
    return true;
}

// Has the condition of a block jumped over to another side, or onto zero? `sign` has one of its own at zero,
// which a signal may leave smoothly.
bool NumericIsland::is_off(NodeId n) const {
    bool over = false, located = false;
    for (const Watch& w : watches_) {
        if (w.guard || w.owner != n) continue;
        located = located || w.located;
        over = over || (!w.located && (is_over(w) || value_of(w) == 0));
    }
    if (over || located || s_->d.nodes[n].op != Primitive::sign) return over;
    const NodeId c = s_->d.inputs_of(n)[0];
    return now_.branch[n] == 0 ? a_[c] != 0 && !is_rounding(c, a_[c]) : a_[c] == 0;
}

// Branches whose condition jumped over to the other side follow it within the sample.
void NumericIsland::settle(double t, double h) {
    std::vector<NodeId> flipped;
    for (bool again = true; again;) {
        again = false;
        for (const NodeId n : s_->branchers) {
            if (!is_off(n) || std::count(flipped.begin(), flipped.end(), n) >= 2 || !flip(n)) continue;
            flipped.push_back(n);
            again = true;
        }
        if (!again) break;
        mark_active();
        collect_watches();
        solve(t, h);
    }
}

void NumericIsland::mark_active() {
    const bool any = std::any_of(s_->branchers.begin(), s_->branchers.end(),
                                 [&](NodeId n) { return s_->d.nodes[n].op == Primitive::decision; });
    if (!any) return;
    active_ = reached_nodes(*s_, &now_);
    m_->work.active = &active_;
}

// What ends a step under the branches in force. What is known of a condition stays known.
void NumericIsland::collect_watches() {
    std::vector<Watch> old;
    old.swap(watches_);
    const auto add = [&](NodeId owner, double threshold, int side, int direction) {
        Watch w{s_->d.inputs_of(owner)[0], owner, threshold, side, direction};
        for (const Watch& o : old)
            if (!o.guard && o.owner == owner && o.threshold == threshold) {
                const int keep = w.side;
                w = o;
                if (keep != 0) w.side = keep;
            }
        watches_.push_back(w);
    };
    for (const NodeId n : s_->crossings) add(n, 0, 0, static_cast<int>(s_->d.parameters_of(n)[0]));
    if (has_automata())
        std::copy_if(old.begin(), old.end(), std::back_inserter(watches_),
                     [](const Watch& w) { return w.guard; });
    for (const NodeId n : s_->branchers) {
        if (!active_.empty() && !active_[n]) continue;
        for_each_bound(s_->d.nodes[n].op, s_->d.parameters_of(n), now_.branch[n],
                       [&](double threshold, int keep) { add(n, threshold, keep, 0); });
    }
}

// With the left sum the sample itself shows what an event changes: solve it once more.
void NumericIsland::solve_again() {
    std::vector<double> next = saved_;
    next.swap(m_->sampled.d.parameters);
    for (std::size_t i = 0; i < crossings_.size(); ++i)
        parameter(crossings_[i]) = fired_[i] ? 1 / pace_.whole_step_after(pace_.time()) : 0;
    m_->work.same_matrices = false;
    factored_ = NAN;
    execute(m_->program, m_->work, Frame<double>{a_.data(), 1, &m_->sampled.d, &now_, pace_.time()}, 0, 0);
    next.swap(m_->sampled.d.parameters);
    check_finite();
    writer_.amend_own(*s_, a_);
    for (std::size_t i = 0; i < m_->sampled.blocks.size(); ++i) before_[i] = a_[m_->sampled.blocks[i].input];
    for (const Block& pre : pres_) parameter(pre) = a_[pre.input];
    for (Past& delay : delays_) delay.samples.amend(a_[delay.block.input]);
}

// Has a block's condition come to zero, or has it jumped over it under a crossing?
bool NumericIsland::something_happens() const {
    return std::any_of(watches_.begin(), watches_.end(), [&](const Watch& w) {
        return !w.guard && (w.located || w.struck || (is_crossing(w) && is_over(w)));
    });
}

bool NumericIsland::something_strikes() const {
    return std::any_of(watches_.begin(), watches_.end(), [](const Watch& w) { return w.struck; });
}

// Something happens in the sample just accepted: conditions came to zero or jumped over it. How the flow
// would go on decides who fires; then branches follow until they agree with what comes just after. That is
// what holds take that have ticked in the sample, too; but not what comes of a jump, which is behind them.
void NumericIsland::happen(const std::vector<NodeId>& ticked) {
    ++instants_;
    const double soon = pace_.step() * just_after();
    std::vector<double> sample = a_, left = outputs();
    NodeId located = no_node;
    for (Watch& w : watches_) {
        w.zero = w.located ? value_of(w) : 0;
        if (w.located && located == no_node) located = w.node;
    }
    solve(pace_.time() + soon, soon);
    bool changed = false, behind = false;
    for (const Watch& w : watches_) {
        if (!is_crossing(w)) continue;
        int side = w.located ? side_of(w) : sign_of(sample[w.node] - w.threshold);
        if (side == 0 && is_trigger(w)) side = 1;
        const bool passes = w.side != 0 && side == -w.side && (w.direction == 0 || w.direction == side);
        if (!passes && !(w.struck && !starting_)) continue;
        for (std::size_t i = 0; i < crossings_.size(); ++i)
            if (crossings_[i].node == w.owner) fired_[i] = 1;
        note_cause(w.owner);
        changed = any_fired_ = true;
        behind = behind || !w.located;
    }
    std::vector<NodeId> flipped;
    const auto flip_all = [&] {
        for (const NodeId n : s_->branchers)
            if ((active_.empty() || active_[n]) && std::count(flipped.begin(), flipped.end(), n) < 2 &&
                flip(n)) {
                flipped.push_back(n);
                changed = true;
            }
    };
    flip_all();
    while (changed) {
        changed = false;
        mark_active();
        collect_watches();
        if (left_ || starting_) {
            solve_again();
            sample = a_;
        }
        solve(pace_.time() + soon, soon);
        flip_all();
    }
    for (Watch& w : watches_) {
        // What impulses do to the others shows in the next sample; at the start nothing fires.
        const int here = sign_of(sample[w.node] - w.threshold);
        if (is_trigger(w))  // an impulse is over with its samples: it has no side
            w.side = w.struck ? w.side : here == 0 ? 1 : here;
        else if (is_crossing(w))
            w.side = w.located || starting_ || here == 0 ? side_of(w) : here;
        if (is_crossing(w) && starting_ && pace_.is_whole()) w.side = 0;
        w.last = w.located ? 0 : sample[w.node] - w.threshold;
        w.located = w.struck = false;
    }
    for (const NodeId n : behind ? std::vector<NodeId>{} : ticked)
        (s_->d.nodes[n].op == Primitive::unit_delay ? stored_ : now_.held)[n] = a_[s_->d.inputs_of(n)[0]];
    if (!ticked.empty()) give_held();
    a_ = std::move(sample);
    last_ = a_;
    if (left_ && any_fired_) {
        pace_.keep_whole(1);
        any_fired_ = false;
        std::fill(fired_.begin(), fired_.end(), 0);
    }
    if (record_.causes().empty()) return;
    open_event(std::move(left));
    if (zeno_.note(pace_.time(), located, pace_.stop())) zeno_stop_ = true;
}

}  // namespace deltaflow
