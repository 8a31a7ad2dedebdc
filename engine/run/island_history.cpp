// The past that delays keep: what their inputs were in each step.
#include "engine/limits.hpp"
#include "engine/run/island.hpp"

#include <algorithm>
#include <array>

namespace deltaflow {

// The past from `from` to `to` after the beginning of the step, as the series of a method has it.
void Island::append_series(const Stepper& method, double from, double to) {
    for (std::size_t i = 0; i < s_->delays.size(); ++i) {
        const NodeId u = s_->d.inputs_of(s_->delays[i])[0];
        History::Piece piece{state_.t + from, state_.t + to, {0.0}};
        if (s_->degree[u] >= 0) piece.c.assign(method.series(u).begin(), method.series(u).end());
        keep_piece(i, std::move(piece));
    }
}

// Taylor series, one after the other, unless the step is too long for a few of them (stiff models). A
// polynomial through points of a step as short as those after an instant would lose the derivatives in
// rounding. Gives how far they reach.
double Island::append_expansions(double h) {
    if (settings_.method == Method::euler) return 0;
    if (!m_->expansion) m_->expansion = make_taylor_stepper(flow_context());
    double at = 0;
    std::vector<double> x(state_.x);
    while (at < h) {
        try {
            double length = m_->expansion->step(state_.t + at, x, h - at).h;
            for (double good = length; (good = m_->expansion->confirmed(length)) < length;) length = good;
            if (length < limits::shortest_expansion * h) break;
            const double end = std::min(at + length, h);
            append_series(*m_->expansion, at, end);
            m_->stepper->states(at = end, x);
        } catch (const RunFailure&) {
            break;
        }
    }
    return at;
}

// A signal from `from` to `to` as a polynomial through a few points.
std::vector<double> Island::fitted(NodeId u, double from, double to) {
    const int points = limits::collocation_points;
    std::array<double, limits::collocation_points> values{};
    const Watch w{u, u, 0, Watching::branch, 1};
    for (int k = 0; k < points; ++k)
        values[static_cast<std::size_t>(k)] =
            condition_at(w, from + (to - from) * chebyshev_point(k, points));
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
bool Island::fits(NodeId u, std::span<const double> c, double from, double to) {
    const Watch w{u, u, 0, Watching::branch, 1};
    return std::all_of(limits::fit_points.begin(), limits::fit_points.end(), [&](double part) {
        const double s = part * (to - from), value = condition_at(w, from + s);
        const double size = std::max(std::abs(value), std::abs(c[0]));
        return std::abs(horner(c, s) - value) <= limits::history_fit * settings_.tolerance * size;
    });
}

// Halved until they fit.
void Island::append_fitted(double from, double to, int depth) {
    std::vector<History::Piece> pieces;
    bool fit = true;
    for (std::size_t i = 0; i < s_->delays.size() && fit; ++i) {
        const NodeId u = s_->d.inputs_of(s_->delays[i])[0];
        pieces.push_back({state_.t + from, state_.t + to, {0.0}});
        if (s_->degree[u] < 0) continue;
        pieces.back().c = fitted(u, from, to);
        fit = depth == limits::fit_halvings || fits(u, pieces.back().c, from, to);
    }
    if (!fit) {
        append_fitted(from, 0.5 * (from + to), depth + 1);
        return append_fitted(0.5 * (from + to), to, depth + 1);
    }
    for (std::size_t i = 0; i < pieces.size(); ++i) keep_piece(i, std::move(pieces[i]));
}

void Island::append_history(double h) {
    if (h <= 0 || s_->delays.empty()) return;
    if (m_->stepper->has_series()) {
        append_series(*m_->stepper, 0, h);
    } else if (const double from = append_expansions(h); from < h) {
        append_fitted(from, h, settings_.method == Method::euler ? limits::fit_halvings : 0);
    }
    for (History& history : state_.histories) history.forget(m_->stepper->looks_back_to(state_.t));
}

}  // namespace deltaflow
