// Delays at an instant.
#include "engine/run/instants/varying_delays.hpp"

#include "blocks/lag.hpp"
#include "engine/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace deltaflow {

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

void VaryingDelays::read(std::size_t i, const History::Piece* piece, double from, double until) {
    const NodeId n = at_.s->delays[i];
    const auto in = at_.s->d.inputs_of(n);
    const auto set = [&](std::size_t input, double value) {
        const std::uint32_t extra = at_.s->d.nodes[in[input]].extra;
        state_.after.pieces[extra] = {value, 0, state_.t};
        if (extra < state_.arrived.pieces.size()) state_.arrived.pieces[extra] = state_.after.pieces[extra];
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
        const double initial = k == 0 ? at_.s->d.parameters_of(n)[1] : 0;
        set(lag::coefficients + k, !piece ? initial : k < piece->c.size() ? piece->c[k] : 0);
    }
}

// Before the start there is the initial value.
void VaryingDelays::begin() {
    for (std::size_t i = 0; i < at_.s->delays.size(); ++i)
        if (lag::varies(at_.s->d, at_.s->delays[i])) {
            const NodeId until = at_.s->d.inputs_of(at_.s->delays[i])[lag::until];
            state_.now.pieces[at_.s->d.nodes[until].extra] = {state_.t, 0, state_.t};
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
void VaryingDelays::move_all(Arrivals& arrivals) {
    for (std::size_t i = 0; i < at_.s->delays.size(); ++i) {
        const NodeId n = at_.s->delays[i];
        if (!lag::varies(at_.s->d, n) || state_.starting) continue;
        const auto in = at_.s->d.inputs_of(n);
        const auto sign = [&](std::size_t input) {
            return germs_.forward_sign(state_.left, state_.now, in[input], 0);
        };
        const bool forwards = sign(lag::over) > 0;
        if (!forwards && sign(lag::under) <= 0) continue;
        const double at =
            state_.now.pieces[at_.s->d.nodes[in[forwards ? lag::until : lag::from]].extra].value;
        const History& past = state_.histories[i];
        const History::Piece* const piece = past.piece_at(at, !forwards);
        if (state_.left.order < 2) germs_.evaluate(state_.left, state_.now, 2, false);
        const bool ends = !piece || piece->to <= at;
        if (forwards && (ends || vanishes(state_.t, state_.left.rungs.at(in[lag::time]), past.by())))
            fail_without_delay(n);
        read(i, piece, piece ? piece->from : lag::never, piece ? piece->to : at);
        const auto impulses = arriving(past.impulses_at(at, 4 * same_time(state_.t)),
                                       state_.left.rungs.at(in[lag::time]), state_.left.order, n);
        if (!impulses.empty()) arrivals.add(in[lag::strike], impulses);
    }
}

// Where `by` has jumped another piece may count: then the instant is solved again.
bool VaryingDelays::correct_all() {
    bool any = false;
    for (std::size_t i = 0; i < at_.s->delays.size(); ++i) {
        const NodeId n = at_.s->delays[i];
        if (!lag::varies(at_.s->d, n)) continue;
        const auto in = at_.s->d.inputs_of(n);
        const auto value = [&](std::size_t input) {
            return state_.after.pieces[at_.s->d.nodes[in[input]].extra].value;
        };
        const double at = at_.m->solver->right(in[lag::time]).value, slack = 4 * same_time(state_.t);
        if (state_.starting && at >= state_.t) fail_without_delay(n);
        if (at >= value(lag::from) - slack && at <= value(lag::until) + slack) continue;
        if (at > state_.t + slack) continue;  // an assertion tells it
        const History::Piece* const piece = state_.histories[i].piece_at(at, false);
        const double until = piece ? piece->to : settings_.start;
        if (until == value(lag::until)) continue;
        read(i, piece, piece ? piece->from : lag::never, until);
        any = true;
    }
    return any;
}

// Delays pass on what happened: impulses, and a due time where the signal is not smooth.
void VaryingDelays::store_all() {
    for (std::size_t i = 0; i < at_.s->delays.size(); ++i) {
        const NodeId u = at_.s->d.inputs_of(at_.s->delays[i])[0];
        std::vector<double> impulses;
        for (int k = 0; k < impulse_rungs(at_.s->regularity[u]); ++k)
            impulses.push_back(at_.m->solver->impulse(u, k).value);
        while (!impulses.empty() && impulses.back() == 0) impulses.pop_back();
        bool broken = !impulses.empty();
        if (broken) state_.histories[i].append(History::Impulse{state_.t, impulses});
        for (int k = 0; k <= std::min(state_.left.order, state_.right.order) && !broken; ++k)
            broken = !is_zero(state_.right.rungs.at(u)[k] - state_.left.rungs.at(u)[k]);
        if (broken) state_.histories[i].seal();
        if (broken) state_.agenda.add(state_.t + state_.histories[i].by(), at_.s->delays[i]);
    }
}

}  // namespace deltaflow
