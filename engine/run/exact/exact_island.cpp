// Flow between instants, in exact numbers.
#include "engine/run/exact/exact_island.hpp"

#include "engine/limits.hpp"
#include "engine/solve/decide.hpp"
#include "signal/print.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace deltaflow::closed_form {

namespace {

// The fraction that a setting is; settings are numbers of the model.
Quadratic setting(const FractionBook& book, const char* name, double x) {
    if (const auto r = book.find(x)) return *r;
    throw RunFailure{.kind = ErrorKind::model,
                     .what = fmt::format("the {} time {} is not a fraction", name, x),
                     .advice = "give it as one"};
}

Integer ceiling(const Rational& r) {
    Integer q = r.numerator() / r.denominator();
    if (sign(r) > 0 && q * r.denominator() != r.numerator()) ++q;
    return q;
}

Rational tick(const Clock& c, const Integer& n) { return c.phase + c.period * Rational(n); }

}  // namespace

ExactIsland::ExactIsland(const Settings& settings, const FractionBook& book, const System* system,
                         ModeSystems* modes)
    : SlideSearch(settings), settings_(settings), book_(book), modes_(modes) {
    if (modes_) mode_ = after_mode_ = bonds::initial_mode(modes_->graph());
    waiting_.assign(mode_.size(), 0);
    x_ = &exact_system(modes_ ? modes_->of(mode_) : *system);
}

const ExactSystem& ExactIsland::exact_system(const System& s) {
    auto& known = systems_[&s];
    if (!known) known = std::make_unique<ExactSystem>(s, book_);
    return *known;
}

void ExactIsland::prepare() {
    t_ = setting(book_, "start", settings_.start);
    stop_ = setting(book_, "stop", settings_.stop);
    const System& s = *x_->s;
    const std::size_t n = s.d.nodes.size();
    states_.assign(n, Quadratic(0));
    stored_.assign(n, Quadratic(0));
    ticking_.assign(n, 0);
    now_ = {std::vector<std::int32_t>(n, 0),
            std::vector<Quadratic>(n),
            std::vector<Line>(s.d.schedules.size()),
            {}};
    for (const NodeId m : x_->states) states_[m] = x_->parameters[m][0];
    cursors_.resize(s.d.schedules.size());
    next_tick_.resize(s.d.clocks.size());
    for (const NodeId m : x_->schedule_nodes) {
        const auto extra = s.d.nodes[m].extra;
        const Schedule& schedule = s.d.schedules[extra];
        ScheduleCursor& cursor = cursors_[extra];
        wind(schedule, settings_.start, cursor);
        while (cursor.round > 0 || cursor.index > 0) {  // `wind` looks at doubles: begin one point earlier
            if (cursor.index > 0) {
                --cursor.index;
            } else {
                cursor.index = schedule.points.size() - 1;
                --cursor.round;
            }
            break;
        }
        Line piece{x_->schedules[extra].before, Quadratic(0), t_};
        while (!cursor.done(schedule) && Quadratic(cursor.time(schedule)) < t_) {
            const Point& p = x_->schedules[extra].points[cursor.index];
            piece = {schedule.noise ? Quadratic(exact(cursor.value(schedule))) : p.value, p.slope,
                     cursor.time(schedule)};
            cursor.step(schedule);
        }
        now_.pieces[extra] = piece;
        if (!cursor.done(schedule)) agenda_.push_back({cursor.time(schedule), m});
    }
    for (const NodeId m : x_->sampled) {
        const Clock& clock = s.d.clocks[s.d.nodes[m].extra];
        Integer& next = next_tick_[s.d.nodes[m].extra];
        now_.held[m] = stored_[m] = x_->parameters[m][0];
        if (clock.period.numerator() == 0) {  // once, at the start
            agenda_.push_back({t_, m});
            continue;
        }
        next = std::max(Integer(0), ceiling((t_.a - clock.phase) / clock.period));
        agenda_.push_back({tick(clock, next), m});
    }
    for (const NodeId m : x_->branchers)
        if (s.d.nodes[m].op == Primitive::hysteresis) now_.branch[m] = is_zero(x_->parameters[m][2]) ? 0 : 1;
    for (const NodeId m : x_->delays) {
        histories_.emplace(m, ExactHistory(x_->parameters[m][0], x_->parameters[m][1], t_));
        // A delayed signal leaves its initial value when the input's past begins.
        agenda_.push_back({t_ + x_->parameters[m][0], m});
    }
    list_branchers(s, x_->branchers);
    for (const auto& output : s.outputs) signals_[output.signal];
}

void ExactIsland::start() {
    prepare();
    solver_ = std::make_unique<ExactInstant>(*x_);
    after_ = now_;
    if (modes_) {
        memory_.begin(modes_->graph(), decimal(time()));
        entered_.assign(mode_.size(), t_);
        for (std::size_t a = 0; a < mode_.size() && !memory_.empty(); ++a) start_timers(a, mode_[a]);
        now_ = after_;
    }
    settle_branches();
    starting_ = true;
    if (modes_) {
        check_initial_values();
        settle_leading_flows();
    }
    instant();
    starting_ = false;
    instants_ = 0;
}

Side ExactIsland::evaluate(const ExactDiscrete& discrete, bool before) {
    FlowInput in{x_, &discrete, &states_, &active_, {}, t_};
    in.delayed = [&](NodeId n) { return histories_.at(n).around(t_, before); };
    return evaluate_side(in);
}

// Blocks that are demanded under these branches; without decisions, all of them.
void ExactIsland::mark_active(const ExactDiscrete& discrete) {
    const Diagram& d = x_->s->d;
    const System& s = released();
    const bool any = std::any_of(s.branchers.begin(), s.branchers.end(),
                                 [&](NodeId n) { return s.d.nodes[n].op == Primitive::decision; });
    if (!any) return;
    active_.assign(d.nodes.size(), 0);
    std::vector<NodeId> work(x_->states);
    for (const auto& output : x_->s->outputs) work.push_back(output.node);
    for (const auto* list : {&x_->crossings, &x_->assertions, &x_->delays, &x_->sampled, &x_->s->guards})
        work.insert(work.end(), list->begin(), list->end());
    while (!work.empty()) {
        const NodeId n = work.back();
        work.pop_back();
        if (active_[n]) continue;
        active_[n] = 1;
        const auto in = d.inputs_of(n);
        if (d.nodes[n].op == Primitive::decision) {
            work.push_back(in[0]);
            work.push_back(in[discrete.branch[n] == 1 ? 1 : 2]);
        } else {
            work.insert(work.end(), in.begin(), in.end());
        }
    }
}

// The first rung that is not zero decides.
int ExactIsland::forward_sign(const Side& side, NodeId node, const Quadratic& threshold) const {
    const int last = std::max(1, static_cast<int>(side.rungs[node].size()));
    for (int k = 0; k < last; ++k)
        if (const int s = k == 0 ? compare(side.at(node, 0), threshold) : sign(side.at(node, k)); s != 0)
            return s;
    return 0;
}

int ExactIsland::decide_forward(const Side& side, NodeId n, int from) const {
    const Primitive op = x_->s->d.nodes[n].op;
    const NodeId c = x_->s->d.inputs_of(n)[0];
    const std::span<const Quadratic> p(x_->parameters[n]);
    return decide(op, p, from, [&](const Quadratic& threshold) {
        return op == Primitive::hysteresis ? compare(side.at(c, 0), threshold)
                                           : forward_sign(side, c, threshold);
    });
}

// Everything that ends the present flow.
void ExactIsland::collect_watches() {
    watches_.clear();
    const Diagram& d = x_->s->d;
    for (const NodeId n : x_->branchers) {
        if (!is_active(n)) continue;
        const Primitive op = d.nodes[n].op;
        const std::span<const Quadratic> p(x_->parameters[n]);
        for_each_bound(op, p, now_.branch[n], [&](const Quadratic& threshold, int) {
            watches_.push_back({d.inputs_of(n)[0], n, threshold,
                                op == Primitive::hysteresis ? Watching::reach : Watching::branch});
        });
    }
    for (const HeldSurface& h : x_->s->held)
        for (const int end : {0, 1})
            if (h.leads) watches_.push_back({h.weight, h.block, Quadratic(end), Watching::branch});
    if (modes_) watch_guards();
    for (const NodeId n : x_->crossings)
        watches_.push_back({d.inputs_of(n)[0], n, Quadratic(0), Watching::crossing,
                            static_cast<int>(d.parameters_of(n)[0])});
    for (const NodeId n : x_->assertions)
        if (is_active(n)) watches_.push_back({d.inputs_of(n)[0], n, Quadratic(0), Watching::assertion});
    for (const NodeId n : x_->singular)
        if (is_active(n)) watches_.push_back({d.inputs_of(n)[0], n, Quadratic(0), Watching::singular});
}

const Quadratic* ExactIsland::next_due() const {
    const auto next = std::min_element(agenda_.begin(), agenda_.end(),
                                       [](const Due& a, const Due& b) { return a.t < b.t; });
    return next == agenda_.end() ? nullptr : &next->t;
}

void ExactIsland::fail_watch(const ExactWatch& w) {
    if (w.kind == Watching::singular)
        throw RunFailure{
            .kind = ErrorKind::not_finite,
            .node = w.owner,
            .what = "a pole or branch point: the input reaches zero",
            .advice = "keep the input away from the singular point, for example with max(...) or if(...)"};
    throw RunFailure{.kind = ErrorKind::assertion,
                     .node = w.owner,
                     .what = x_->s->d.messages[x_->s->d.nodes[w.owner].extra]};
}

// The first event is one that cannot be written down.
void ExactIsland::fail_beyond(const ExactWatch& w, const Root& root) {
    near_ = t_ + Quadratic(near(root));
    record_flow(*near_);
    RunFailure failure{.kind = ErrorKind::model, .node = w.owner, .t = to_double(*near_)};
    failure.what = "the time of the next event is no fraction, and no square root of one";
    if (root_ != 0)
        failure.what =
            fmt::format("the time of the next event is not made of fractions and sqrt({})", root_.str());
    failure.advice = "run it, or choose parameters for which the times are fractions";
    throw failure;
}

namespace {

// Both are at or before the limit that the first has set. Of events at one time a failure counts.
bool comes_first(const Root& found, Root& first, const ExactWatch& w) {
    if (found.value && first.value)
        return *found.value < *first.value || w.kind == Watching::assertion || w.kind == Watching::singular;
    if (found.value) return !is_at_most(first, *found.value);
    return first.value || found.high < first.high;
}

}  // namespace

// The first root of a condition before `end`, or `end` itself.
Quadratic ExactIsland::first_event(const Quadratic& end, bool& root) {
    std::optional<Root> first;
    const ExactWatch* winner = nullptr;
    Quadratic limit = end - t_;
    for (const ExactWatch& w : watches_) {
        Polynomial p = right_.rungs[w.node];
        if (right_.unknown[w.node]) throw RunFailure(*right_.unknown[w.node]);
        if (p.empty()) p.push_back(Quadratic(0));
        p[0] = p[0] - w.threshold;
        p = trimmed(std::move(p));
        const auto begin = std::find_if(p.begin(), p.end(), [](const Quadratic& c) { return !is_zero(c); });
        p.erase(p.begin(), begin);  // the root at the beginning lies behind
        const bool touch = w.kind == Watching::reach || w.kind == Watching::singular;
        const auto found = first_root(p, {touch, w.direction}, limit, root_);
        if (!found || (first && !comes_first(*found, *first, w))) continue;
        first = found;
        winner = &w;
        if (found->value) limit = *found->value;
    }
    root = first.has_value();
    if (!root) return end;
    if (!first->value) fail_beyond(*winner, *first);
    if (!first->value->is_rational()) root_ = first->value->d;
    condition_ = winner->node;
    const Quadratic t = t_ + *first->value;
    if (winner->kind != Watching::assertion && winner->kind != Watching::singular) return t;
    record_flow(t);
    flow_to(t);
    fail_watch(*winner);
}

// What is written down fills the memory.
void ExactIsland::keep(const Polynomial& numbers) {
    for (const Quadratic& c : numbers) kept_bits_ += 2 * std::size_t{length(c)};
    if (kept_bits_ <= limits::exact_total_bits) return;
    throw RunFailure{.kind = ErrorKind::model,
                     .what = "the closed form has grown too long to be kept",
                     .advice = "stop earlier, record less, or run it in floating point"};
}

// The pieces of recorded signals and of delays' inputs over a flow.
void ExactIsland::record_flow(const Quadratic& to) {
    if (!(t_ < to)) return;
    for (const auto& output : x_->s->outputs) {
        Polynomial p = shifted(trimmed(right_.rungs[output.node]), -t_);
        auto& pieces = signals_[output.signal].pieces;
        if (!pieces.empty() && pieces.back().p == p) continue;
        keep(p);
        pieces.push_back({t_, std::move(p)});
    }
    for (auto& [n, history] : histories_) history.append(t_, trimmed(right_.rungs[x_->s->d.inputs_of(n)[0]]));
}

// What an event at the very stop leaves is a piece of no length.
void ExactIsland::record_end() {
    for (const auto& output : x_->s->outputs) {
        if (right_.unknown[output.node]) continue;
        Polynomial p = trimmed({right_.at(output.node, 0)});
        auto& pieces = signals_[output.signal].pieces;
        const Quadratic here = p.empty() ? Quadratic(0) : p[0];
        if (!pieces.empty() && closed_form::evaluate(pieces.back().p, t_) == here) continue;
        pieces.push_back({t_, std::move(p)});
    }
}

void ExactIsland::flow_to(const Quadratic& t) {
    for (const NodeId n : x_->states) states_[n] = closed_form::evaluate(right_.rungs[n], t - t_);
    t_ = t;
}

Going ExactIsland::advance(double) {
    if (finished_ || terminated_) return Going::ended;
    if (!right_.complete) throw not_polynomial(*x_, right_, active_);
    const Quadratic* due = next_due();
    const bool is_due = due && *due <= stop_;
    const Quadratic end = is_due ? *due : stop_;
    bool root = false;
    const Quadratic t = first_event(end, root);
    record_flow(t);
    flow_to(t);
    finished_ = !root && !is_due;
    if (finished_) return Going::on;
    instant();
    zeno_stop_ = zeno_.note(time(), root ? condition_ : no_node, to_double(stop_));
    const Quadratic* next = next_due();
    finished_ = zeno_stop_ || terminated_ || (t_ == stop_ && !(next && *next <= stop_));
    if (finished_ && right_.why_not && right_.why_not->kind == ErrorKind::not_finite)
        throw RunFailure(*right_.why_not);
    if (finished_ && !zeno_stop_) record_end();
    return zeno_stop_ ? Going::ended : Going::on;
}

std::string ExactIsland::describe_germ(NodeId n) const {
    if (left_.rungs.empty() || !solver_ || !solver_->has_solved()) return "?";
    try {
        return print_germ(to_double(left_.at(n, 0)), to_double(solver_->right(n)), [&] {
            std::vector<double> impulses;
            for (const Quadratic& c : solver_->impulses(n)) impulses.push_back(to_double(c));
            return impulses;
        }());
    } catch (const RunFailure&) {
        return "?";
    }
}

}  // namespace deltaflow::closed_form
