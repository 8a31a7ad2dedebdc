// The past that delays keep: what their inputs were in each step.
#include "blocks/lag.hpp"
#include "engine/limits.hpp"
#include "engine/run/island.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace deltaflow {

// The past from `from` to `to` after the beginning of the step, as the series of a method has it.
void IslandGerms::append_series(const Stepper& method, double from, double to) {
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

// Delays that vary. On a piece of the past the delayed signal is a polynomial of t - by, so it is a formula
// of ordinary blocks whose coefficients are set here: where t - by comes to the end of a piece, an instant
// goes on to the next one.
namespace {

[[noreturn]] void fail_without_delay(NodeId delay) {
    throw RunFailure{.kind = ErrorKind::assertion,
                     .node = delay,
                     .what = "\"by\" comes to 0, and has to stay above it",
                     .advice = "take max(by, 1e-3) or the like, or decide between the input and its past"};
}

// Pieces of the past become shorter and shorter as `by` falls to zero: there is no use in going on.
constexpr double vanishing = 1e-4;
bool vanishes(double t, const Bounded* tau, double most) {
    const double by = t - tau[0].value, rate = 1 - tau[1].value;
    return by < vanishing * most && rate < 0 && by < -rate * vanishing * most;
}

}  // namespace

void IslandGerms::read_past(std::size_t i, const History::Piece* piece, double from, double until) {
    const NodeId n = s_->delays[i];
    const auto in = s_->d.inputs_of(n);
    const auto set = [&](std::size_t input, double value) {
        const std::uint32_t extra = s_->d.nodes[in[input]].extra;
        state_.after.pieces[extra] = {value, 0, state_.t};
        if (extra < arrived_discrete_.pieces.size())
            arrived_discrete_.pieces[extra] = state_.after.pieces[extra];
    };
    set(lag::from, from);
    set(lag::until, until);
    set(lag::origin, piece ? piece->from : 0);
    const std::size_t count = in.size() - lag::coefficients;
    if (piece && piece->c.size() > count)
        throw RunFailure{.kind = ErrorKind::not_finite,
                         .node = n,
                         .what = "the input of this delay is a polynomial of too high a degree",
                         .advice = "take another method, such as dopri5"};
    for (std::size_t k = 0; k < count; ++k) {
        const double initial = k == 0 ? s_->d.parameters_of(n)[1] : 0;
        set(lag::coefficients + k, !piece ? initial : k < piece->c.size() ? piece->c[k] : 0);
    }
}

// Every end of a piece is an instant where the delay varies, and ends pieces in turn: there should be few. A
// series is as good as the next one far beyond most steps; what is more than rounding would be a jump.
void IslandGerms::keep_piece(std::size_t i, History::Piece piece) {
    constexpr double rounding = 4e-16;
    if (lag::varies(s_->d, s_->delays[i]))
        state_.histories[i].append(std::move(piece), rounding);
    else
        state_.histories[i].append(std::move(piece));
}

// Before the start there is the initial value.
void IslandGerms::begin_pasts() {
    for (std::size_t i = 0; i < s_->delays.size(); ++i)
        if (lag::varies(s_->d, s_->delays[i])) {
            const NodeId until = s_->d.inputs_of(s_->delays[i])[lag::until];
            state_.now.pieces[s_->d.nodes[until].extra] = {state_.t, 0, state_.t};
        }
}

namespace {

// delta(tau(t) - tau0) = delta(t - t0) / |tau'(t0)|; of derivatives only where tau is t less a constant.
std::vector<double> arriving(std::vector<double> impulses, const Bounded* tau, int order, NodeId delay) {
    if (impulses.empty()) return impulses;
    const bool plain = is_zero(tau[1] - Bounded(1)) &&
                       std::all_of(tau + 2, tau + order + 1, [](const Bounded& x) { return is_zero(x); });
    if (plain) return impulses;
    if (impulses.size() > 1 || is_zero(tau[1]))
        throw RunFailure{.kind = ErrorKind::undefined,
                         .node = delay,
                         .what = impulses.size() > 1
                                     ? "a derivative of delta comes out of a delay that changes"
                                     : "an impulse comes out of a delay while t - by stands still",
                         .advice = "keep \"by\" constant while impulses pass"};
    impulses[0] /= std::abs(tau[1].value);
    return impulses;
}

}  // namespace

// Where t - by leaves its piece, forwards or backwards, the next one counts, and impulses between them come
// out.
void IslandGerms::move_pasts(Arrivals& arrivals) {
    for (std::size_t i = 0; i < s_->delays.size(); ++i) {
        const NodeId n = s_->delays[i];
        if (!lag::varies(s_->d, n) || starting_) continue;
        const auto in = s_->d.inputs_of(n);
        const auto sign = [&](std::size_t input) {
            return forward_sign(state_.left, state_.now, in[input], 0);
        };
        const bool forwards = sign(lag::over) > 0;
        if (!forwards && sign(lag::under) <= 0) continue;
        const double at = state_.now.pieces[s_->d.nodes[in[forwards ? lag::until : lag::from]].extra].value;
        const History& past = state_.histories[i];
        const History::Piece* const piece = past.piece_at(at, !forwards);
        if (state_.left.order < 2) evaluate(state_.left, state_.now, 2, false);
        const bool ends = !piece || piece->to <= at;
        if (forwards && (ends || vanishes(state_.t, state_.left.rungs.at(in[lag::time]), past.by())))
            fail_without_delay(n);
        read_past(i, piece, piece ? piece->from : lag::never, piece ? piece->to : at);
        const auto impulses = arriving(past.impulses_at(at, 4 * same_time(state_.t)),
                                       state_.left.rungs.at(in[lag::time]), state_.left.order, n);
        if (!impulses.empty()) arrivals.add(in[lag::strike], impulses);
    }
}

// Where `by` has jumped another piece may count: then the instant is solved again.
bool IslandGerms::correct_pasts() {
    bool any = false;
    for (std::size_t i = 0; i < s_->delays.size(); ++i) {
        const NodeId n = s_->delays[i];
        if (!lag::varies(s_->d, n)) continue;
        const auto in = s_->d.inputs_of(n);
        const auto value = [&](std::size_t input) {
            return state_.after.pieces[s_->d.nodes[in[input]].extra].value;
        };
        const double at = m_->solver->right(in[lag::time]).value, slack = 4 * same_time(state_.t);
        if (starting_ && at >= state_.t) fail_without_delay(n);
        if (at >= value(lag::from) - slack && at <= value(lag::until) + slack) continue;
        if (at > state_.t + slack) continue;  // an assertion tells it
        const History::Piece* const piece = state_.histories[i].piece_at(at, false);
        const double until = piece ? piece->to : settings_.start;
        if (until == value(lag::until)) continue;
        read_past(i, piece, piece ? piece->from : lag::never, until);
        any = true;
    }
    return any;
}

}  // namespace deltaflow
