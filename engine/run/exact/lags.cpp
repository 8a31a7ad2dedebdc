#include "engine/run/exact/lags.hpp"

#include "blocks/lag.hpp"
#include "engine/model/run_failure.hpp"
#include "engine/run/exact/germs.hpp"

#include <algorithm>

namespace deltaflow::closed_form {

namespace {

[[noreturn]] void fail_without_delay(NodeId delay) {
    throw RunFailure{.kind = ErrorKind::assertion,
                     .node = delay,
                     .what = "\"by\" comes to 0, and has to stay above it",
                     .advice = "take max(by, 1e-3) or the like, or decide between the input and its past"};
}

// delta(tau(t) - tau0) = delta(t - t0) / |tau'(t0)|; of derivatives only where tau is t less a constant.
std::vector<Quadratic> arriving(std::vector<Quadratic> impulses, const Polynomial& tau, NodeId delay) {
    const bool plain = tau.size() == 2 && tau[1] == Quadratic(1);
    if (impulses.empty() || plain) return impulses;
    const bool stands = tau.size() < 2 || is_zero(tau[1]);
    if (impulses.size() > 1 || stands)
        throw RunFailure{.kind = ErrorKind::undefined,
                         .node = delay,
                         .what = impulses.size() > 1
                                     ? "a derivative of delta comes out of a delay that changes"
                                     : "an impulse comes out of a delay while t - by stands still",
                         .advice = "keep \"by\" constant while impulses pass"};
    impulses[0] = impulses[0] / (sign(tau[1]) > 0 ? tau[1] : -tau[1]);
    return impulses;
}

}  // namespace

bool ExactLags::varies(NodeId delay) const { return lag::varies(x.s->d, delay); }

NodeId ExactLags::time_of(NodeId delay) const { return x.s->d.inputs_of(delay)[lag::time]; }

// `until`: where the initial value ends, if there is no piece.
void ExactLags::read(NodeId delay, const std::optional<ExactHistory::Past>& past, const Quadratic& until,
                     ExactDiscrete& after) const {
    const auto in = x.s->d.inputs_of(delay);
    const auto set = [&](std::size_t input, const Quadratic& value) {
        after.pieces[x.s->d.nodes[in[input]].extra] = {value, Quadratic(0), t};
    };
    const std::size_t count = in.size() - lag::coefficients;
    if (past && past->p.size() > count)
        throw RunFailure{.kind = ErrorKind::model,
                         .node = delay,
                         .what = "the input of this delay is a polynomial of too high a degree",
                         .advice = "run it instead"};
    set(lag::from, past ? past->from : Quadratic(exact(lag::never)));
    set(lag::until, past ? past->to : until);
    set(lag::origin, past ? past->from : Quadratic(0));
    for (std::size_t k = 0; k < count; ++k) {
        const Quadratic initial = k == 0 ? x.parameters[delay][1] : Quadratic(0);
        set(lag::coefficients + k, !past ? initial : k < past->p.size() ? past->p[k] : Quadratic(0));
    }
}

void ExactLags::begin(ExactDiscrete& now) const {
    for (const auto& [delay, history] : histories)
        if (varies(delay)) read(delay, std::nullopt, t, now);
}

void ExactLags::move(const Side& left, ExactDiscrete& after,
                     std::map<NodeId, std::vector<Quadratic>>& arrivals) const {
    for (const auto& [delay, history] : histories) {
        if (!varies(delay)) continue;
        const auto in = x.s->d.inputs_of(delay);
        const bool forwards = ExactGerms::forward_sign(left, in[lag::over]) > 0;
        if (!forwards && ExactGerms::forward_sign(left, in[lag::under]) <= 0) continue;
        const Quadratic at = after.pieces[x.s->d.nodes[in[forwards ? lag::until : lag::from]].extra].value;
        const auto past = history.past_at(at, t, !forwards);
        if (forwards && (!past || past->to <= at)) fail_without_delay(delay);
        read(delay, past, at, after);
        const auto impulses = arriving(history.impulses_at(at), trimmed(left.rungs[in[lag::time]]), delay);
        if (!impulses.empty()) arrivals[in[lag::strike]] = impulses;
    }
}

bool ExactLags::correct(NodeId delay, const ExactHistory& history, const Quadratic& at, ExactDiscrete& after,
                        ExactDiscrete& arrived) const {
    const auto in = x.s->d.inputs_of(delay);
    const auto value = [&](std::size_t input) { return after.pieces[x.s->d.nodes[in[input]].extra].value; };
    if (value(lag::from) <= at && at <= value(lag::until)) return false;
    if (t < at) return false;  // an assertion tells it
    const auto past = history.past_at(at, t, false);
    const Quadratic until = past ? past->to : history.start();
    if (until == value(lag::until)) return false;
    read(delay, past, until, after);
    if (!arrived.pieces.empty()) read(delay, past, until, arrived);
    return true;
}

}  // namespace deltaflow::closed_form
