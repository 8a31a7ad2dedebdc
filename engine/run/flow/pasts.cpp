// The past that delays keep: what their inputs were in each step.
#include "engine/run/flow/pasts.hpp"

#include "blocks/lag.hpp"
#include "engine/limits.hpp"
#include "engine/numerics/roots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace deltaflow {

// The past from `from` to `to` after the beginning of the step, as the series of a method has it.
void Pasts::append_series(const Stepper& method, double from, double to) {
    for (std::size_t i = 0; i < at_.s->delays.size(); ++i) {
        const NodeId u = at_.s->d.inputs_of(at_.s->delays[i])[0];
        History::Piece piece{state_.t + from, state_.t + to, {0.0}};
        if (at_.s->degree[u] >= 0) piece.c.assign(method.series(u).begin(), method.series(u).end());
        keep_piece(i, std::move(piece));
    }
}

// Taylor series, one after the other, unless the step is too long for a few of them (stiff models). A
// polynomial through points of a step as short as those after an instant would lose the derivatives in
// rounding. Gives how far they reach.
double Pasts::append_expansions(double h) {
    if (settings_.method == Method::euler) return 0;
    if (!at_.m->expansion) at_.m->expansion = make_taylor_stepper(flow_context(settings_, state_, at_));
    double at = 0;
    std::vector<double> x(state_.x);
    while (at < h) {
        try {
            double length = at_.m->expansion->step(state_.t + at, x, h - at).h;
            for (double good = length; (good = at_.m->expansion->confirmed(length)) < length;) length = good;
            if (length < limits::shortest_expansion * h) break;
            const double end = std::min(at + length, h);
            append_series(*at_.m->expansion, at, end);
            at_.m->stepper->states(at = end, x);
        } catch (const RunFailure&) {
            break;
        }
    }
    return at;
}

// A signal from `from` to `to` as a polynomial through a few points.
std::vector<double> Pasts::fitted(NodeId u, double from, double to) {
    const int points = limits::collocation_points;
    std::array<double, limits::collocation_points> values{};
    const Watch w{u, u, 0, Watching::branch, 1};
    for (int k = 0; k < points; ++k)
        values[static_cast<std::size_t>(k)] =
            conditions_.value(w, from + (to - from) * chebyshev_point(k, points));
    std::vector<double> c(static_cast<std::size_t>(points));
    taylor_from_bernstein(bernstein_from_values(values), c);
    double power = 1;
    for (double& coefficient : c) {
        coefficient /= power;
        power *= to - from;
    }
    return c;
}

// Does the polynomial meet the signal between its points, to what is asked of the run?
bool Pasts::fits(NodeId u, std::span<const double> c, double from, double to) {
    const Watch w{u, u, 0, Watching::branch, 1};
    return std::all_of(limits::fit_points.begin(), limits::fit_points.end(), [&](double part) {
        const double s = part * (to - from), value = conditions_.value(w, from + s);
        const double size = std::max(std::abs(value), std::abs(c[0]));
        return std::abs(horner(c, s) - value) <= limits::history_fit * settings_.tolerance * size;
    });
}

// Halved until they fit.
void Pasts::append_fitted(double from, double to, int depth) {
    std::vector<History::Piece> pieces;
    bool fit = true;
    for (std::size_t i = 0; i < at_.s->delays.size() && fit; ++i) {
        const NodeId u = at_.s->d.inputs_of(at_.s->delays[i])[0];
        pieces.push_back({state_.t + from, state_.t + to, {0.0}});
        if (at_.s->degree[u] < 0) continue;
        pieces.back().c = fitted(u, from, to);
        fit = depth == limits::fit_halvings || fits(u, pieces.back().c, from, to);
    }
    if (!fit) {
        append_fitted(from, 0.5 * (from + to), depth + 1);
        return append_fitted(0.5 * (from + to), to, depth + 1);
    }
    for (std::size_t i = 0; i < pieces.size(); ++i) keep_piece(i, std::move(pieces[i]));
}

void Pasts::append_step(double h) {
    if (at_.m->stepper->has_series()) {
        append_series(*at_.m->stepper, 0, h);
    } else if (const double from = append_expansions(h); from < h) {
        append_fitted(from, h, settings_.method == Method::euler ? limits::fit_halvings : 0);
    }
    for (History& history : state_.histories) history.forget(at_.m->stepper->looks_back_to(state_.t));
}

// Every end of a piece is an instant where the delay varies, and ends pieces in turn: there should be few. A
// series is as good as the next one far beyond most steps; what is more than rounding would be a jump.
void Pasts::keep_piece(std::size_t i, History::Piece piece) {
    constexpr double rounding = 4e-16;
    if (lag::varies(at_.s->d, at_.s->delays[i]))
        state_.histories[i].append(std::move(piece), rounding);
    else
        state_.histories[i].append(std::move(piece));
}

}  // namespace deltaflow
