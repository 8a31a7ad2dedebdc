// Held blocks at instants and in flow.
#include "engine/run/germs/slides.hpp"

#include "engine/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace deltaflow {

namespace {

// Systems with held blocks that are kept; then those not in use are forgotten.
constexpr std::size_t most_held_systems = 100;

}  // namespace

SlideSearch::Trial Slides::trial(OneSidedGerm& g, Discrete& discrete) {
    tried_ = &g;
    return {.branch = discrete.branch,
            .slides = discrete.slides,
            .before = &discrete == &state_.now ? nullptr : &state_.now.branch,
            .solves = {},
            .begins = [] {},
            .value_sign = [&](NodeId c, double threshold) { return germs_.value_sign(g, c, threshold); },
            .leaves = [&](const HeldSurface& h) { return leaves_surface(h, g, discrete); }};
}

void Slides::use_system(const System& s) {
    if (&s == at_.s) return;
    at_.s = &s;
    at_.m = &machineries_.of(s);
    if (state_.guess.size() < s.d.nodes.size()) state_.guess.resize(s.d.nodes.size(), NAN);
    list_branchers(s, s.branchers);
    complete_left_germ();
}

// Many blocks may be held in many ways, there may be many modes, and each takes room.
void Slides::forget_unused_systems() {
    const bool modes = modes_ && modes_->are_many();
    if (held_systems().count() <= most_held_systems && !modes) return;
    const std::array used = {at_.s, state_.left.system, state_.right.system, probe_.system};
    const std::vector<const System*> last = modes ? modes_->entered_last() : std::vector<const System*>();
    const auto is_kept = [&](const System* s) {
        if (std::binary_search(last.begin(), last.end(), s)) return true;
        return std::any_of(used.begin(), used.end(),
                           [&](const System* u) { return u && (u == s || u->released == s); });
    };
    machineries_.forget_if([&](const System* s) { return (modes || s->released) && !is_kept(s); });
    std::erase_if(moving_, [&](const auto& known) { return !is_kept(known.first); });
    held_systems().forget_all_but(is_kept);
    if (modes) modes_->forget_all_but(is_kept);
}

void Slides::forget_systems() {
    machineries_.clear();
    forget_held_systems();
    moving_.clear();
    state_.left = state_.right = probe_ = OneSidedGerm();
}

// Another system may read states at an instant that the one before did not look at.
void Slides::complete_left_germ() {
    OneSidedGerm& g = state_.left;
    if (g.rungs.a.empty() || g.system == at_.s) return;
    g.rungs.a.resize(std::max(g.rungs.a.size(), at_.s->d.nodes.size() * std::size_t{g.rungs.stride}));
    if (!g.system || g.system->states != at_.s->states) return;
    const auto& seen = machineries_.of(*g.system).seen_states;
    for (std::uint32_t i = 0; i < at_.s->states.size(); ++i)
        if (!std::binary_search(seen.begin(), seen.end(), i))
            *g.rungs.at(at_.s->states[i]) = Bounded(state_.x[i], rounding::unit * std::abs(state_.x[i]));
}

std::optional<int> Slides::leaves_surface(const HeldSurface& h, OneSidedGerm& g, const Discrete& discrete) {
    if (!state_.is_active(h.block)) return 1;  // nobody asks for it any more: it need not be held
    if (const int s = germs_.value_sign(g, h.condition, h.threshold); s != 0) return s;
    for (int k = 1; k < h.held.order; ++k) {
        if (g.order < k) germs_.evaluate(g, discrete, k, false);
        const Bounded rung = g.rungs.at(h.condition)[k];
        const bool stays = g.system == state_.left.system && &g != &state_.left && state_.left.order >= k &&
                           is_zero(rung - state_.left.rungs.at(h.condition)[k]);
        if (const int s = stays || &g == &state_.left ? 0 : sign(rung); s != 0) return s;
    }
    if (germs_.forward_sign(g, discrete, h.weight, 0) < 0) return -1;
    if (germs_.forward_sign(g, discrete, h.weight, 1) > 0) return 1;
    return std::nullopt;
}

// Where the weight has come to its end, the derivative that it settled is zero still.
void Slides::note_release(const HeldSurface& h, const HeldSurface& leader, int side) {
    if (germs_.value_sign(*tried_, leader.condition, leader.threshold) != 0 ||
        germs_.value_sign(*tried_, leader.weight, side > 0 ? 1 : 0) != 0)
        return;
    for (Located& l : state_.located)
        if (l.node == h.condition && l.threshold == h.threshold) {
            l.zeros = h.held.order + 1;
            l.leaves = true;
        }
}

void Slides::respect_held() {
    for (const HeldSurface& h : at_.s->held) {
        std::erase_if(state_.located,
                      [&](const Located& l) { return l.node == h.condition && l.threshold == h.threshold; });
        state_.located.push_back({.node = h.condition, .threshold = h.threshold, .zeros = h.held.order});
    }
}

// The states that the conditions, and those of their derivatives that no block settles, are made of.
const std::vector<std::uint32_t>& Slides::moving_states() {
    const auto [at, is_new] = moving_.try_emplace(at_.s);
    if (!is_new) return at->second;
    std::vector<int> depth(at_.s->d.nodes.size(), 0);
    std::vector<std::pair<NodeId, int>> work;
    for (const HeldSurface& h : at_.s->held) work.emplace_back(h.condition, h.held.order);
    while (!work.empty()) {
        const auto [n, left] = work.back();
        work.pop_back();
        if (left <= depth[n]) continue;
        depth[n] = left;
        const bool climbs = at_.s->d.nodes[n].op == Primitive::integrator;
        for (const NodeId input : at_.s->d.inputs_of(n)) work.emplace_back(input, climbs ? left - 1 : left);
    }
    for (std::uint32_t i = 0; i < at_.s->states.size(); ++i)
        if (depth[at_.s->states[i]] > 0) at->second.push_back(i);
    return at->second;
}

// A method of many steps would have to begin anew whenever a state is moved.
bool Slides::remembers_steps() const {
    if (settings_.method == Method::cvode) return true;
    return settings_.method == Method::automatic && at_.m->stepper && !at_.m->stepper->has_series();
}

// What is not settled by the held blocks: the conditions, and their derivatives below that order.
std::vector<double> Slides::misfits() {
    const double slack = remembers_steps() ? settings_.tolerance : 4 * rounding::unit;
    const std::vector<double> bounds = state_.x_bound;
    for (std::size_t i = 0; i < state_.x.size(); ++i) state_.x_bound[i] = slack * std::abs(state_.x[i]);
    int order = 1;
    for (const HeldSurface& h : at_.s->held) order = std::max(order, h.held.order - 1);
    germs_.evaluate(probe_, state_.now, order, true);
    state_.x_bound = bounds;
    std::vector<double> misfit;
    bool any = false;
    for (const HeldSurface& h : at_.s->held)
        for (int k = 0; h.leads && k < h.held.order; ++k) {
            const Bounded c = probe_.rungs.at(h.condition)[k] - Bounded(k == 0 ? h.threshold : 0);
            any = any || !is_zero(c);
            misfit.push_back(c.value);
        }
    return any ? misfit : std::vector<double>();
}

// How they depend on one state.
void Slides::slopes(std::uint32_t state, std::vector<double>& column) {
    const Program& p = at_.s->germ;
    const std::uint32_t stride = probe_.rungs.stride;
    std::vector<Dual> rungs(probe_.rungs.a.size());
    for (std::size_t i = 0; i < rungs.size(); ++i) rungs[i] = Dual{probe_.rungs.a[i].value, 0};
    rungs[std::size_t{at_.s->states[state]} * stride].slope = 1;
    execute(p, at_.m->germ_work, Frame<Dual>{rungs.data(), stride, &at_.s->d, &state_.now, Dual{state_.t, 0}},
            -p.highest, probe_.order);
    for (const HeldSurface& h : at_.s->held)
        for (int k = 0; h.leads && k < h.held.order; ++k)
            column.push_back(rungs[std::size_t{h.condition} * stride + static_cast<std::size_t>(k)].slope);
}

// One step of Newton's method, the shortest that there is: x - J' (J J')^-1 c.
void Slides::return_to_surfaces() {
    if (at_.s->held.empty() || settings_.method == Method::euler) return;
    std::vector<double> misfit = misfits();
    if (misfit.empty()) return;
    const auto& moving = moving_states();
    const std::size_t n = misfit.size();
    std::vector<double> columns, matrix(n * n, 0);
    for (const std::uint32_t i : moving) slopes(i, columns);
    std::vector<std::uint32_t> rows, places;
    for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = 0; b < n; ++b) {
            rows.push_back(static_cast<std::uint32_t>(a));
            places.push_back(static_cast<std::uint32_t>(b));
            for (std::size_t i = 0; i < moving.size(); ++i)
                matrix[a * n + b] += columns[i * n + a] * columns[i * n + b];
        }
    LinearSolver solver(static_cast<int>(n), rows, places);
    if (!solver.factor(matrix)) return;
    solver.solve(misfit);
    for (std::size_t i = 0; i < moving.size(); ++i)
        for (std::size_t a = 0; a < n; ++a) state_.x[moving[i]] -= columns[i * n + a] * misfit[a];
    if (at_.m->stepper && remembers_steps()) at_.m->stepper->restart();
}

}  // namespace deltaflow
