// What the tests of bond graphs share: modes of an instant, rows of energy, the ledger of a run, linear
// systems of two states in closed form.
#pragma once

#include "tests/diagrams/shipped.hpp"

#include <cstdio>

namespace deltaflow::test {

// Reference values were worked out elsewhere and are compared to nine digits.
constexpr double nine_digits = 1e-9;
inline Approx near_to(double x) { return Approx(x).epsilon(nine_digits).margin(nine_digits); }

// Work is summed over all steps of a run; without impulses the ledger closes to ten digits of what was turned
// over.
constexpr double ledger_digits = 1e-10;

using States = std::vector<std::pair<std::string, std::string>>;  // automaton, state

inline std::string state_of(const Trace& trace, const Event& event, std::string_view automaton) {
    const auto found = std::find_if(trace.automata.begin(), trace.automata.end(),
                                    [&](const AutomatonNames& a) { return a.name == automaton; });
    INFO(automaton);
    REQUIRE(found != trace.automata.end());
    const auto index = static_cast<std::size_t>(found - trace.automata.begin());
    return found->states[trace.modes_of(event)[index]];
}

// A row of the table of modes: <t + epsilon, index>, mythical or not, and the states it is solved in.
struct Row {
    double t;
    std::uint32_t epsilon, index;
    bool committed;
    States states;
};

inline void check_row(const Trace& trace, const Event& event, const Row& row) {
    INFO("row <" << row.t << " + " << row.epsilon << " eps, " << row.index << ">");
    CHECK(event.t == close_to(row.t));
    CHECK(event.epsilon == row.epsilon);
    CHECK(event.index == row.index);
    CHECK(event.committed == row.committed);
    for (const auto& [automaton, state] : row.states) {
        INFO(automaton);
        CHECK(state_of(trace, event, automaton) == state);
    }
}

// Value to the right of an event, or in a mythical mode: what the last jump at that time left, else the
// sample there.
inline double value_at(const Trace& trace, const Event& event, std::string_view signal) {
    if (const Jump* jump = find_jump(trace, event, signal)) return jump->right;
    const auto index = static_cast<std::size_t>(&event - trace.events.data());
    for (std::size_t i = index; i-- > 0 && trace.events[i].t == event.t;)
        if (const Jump* jump = find_jump(trace, trace.events[i], signal); jump && trace.events[i].committed)
            return jump->right;
    const auto later = std::upper_bound(trace.t.begin(), trace.t.end(), event.t) - trace.t.begin();
    REQUIRE(later > 0);
    return trace.samples[signal_index(trace, signal)][static_cast<std::size_t>(later - 1)];
}

inline double impulse_at(const Trace& trace, const Event& event, std::string_view signal) {
    const Jump* jump = find_jump(trace, event, signal);
    if (!jump || jump->impulse_count == 0) return 0;
    CHECK(jump->impulse_count == 1);
    return trace.impulses_of(*jump)[0];
}

inline double sample_at(const Trace& trace, std::string_view signal, double t) {
    const auto found =
        std::find_if(trace.t.begin(), trace.t.end(), [t](double s) { return std::abs(s - t) < 1e-9; });
    INFO("a sample at " << t);
    REQUIRE(found != trace.t.end());
    return trace.samples[signal_index(trace, signal)][static_cast<std::size_t>(found - trace.t.begin())];
}

using Shares = std::vector<std::pair<std::uint32_t, double>>;

inline double sum_of(const Shares& shares) {
    double sum = 0;
    for (const auto& [element, energy] : shares) sum += energy;
    return sum;
}

inline double share_of(const Trace& trace, const Shares& shares, std::string_view element) {
    for (const auto& [index, energy] : shares)
        if (trace.elements[index] == element) return energy;
    return 0;
}

// The row of energy of the instant at t; two of them are never nearer than a millionth in these models.
inline const EnergyEvent& energy_at(const Trace& trace, double t) {
    const auto& rows = trace.energy.instants;
    const auto found = std::find_if(rows.begin(), rows.end(),
                                    [t](const EnergyEvent& e) { return std::abs(e.t - t) < 1e-6; });
    INFO("a row of energy at " << t);
    REQUIRE(found != rows.end());
    return *found;
}

// What an instant took, and that one junction took all of it.
inline void check_loss(const Trace& trace, double t, std::string_view junction, double before, double after) {
    const EnergyEvent& row = energy_at(trace, t);
    INFO(junction << " at " << t);
    CHECK(row.stored_before == close_to(before));
    CHECK(row.stored_after == close_to(after));
    CHECK(share_of(trace, row.dissipated, junction) == close_to(before + row.supplied - after));
    CHECK(sum_of(row.dissipated) == close_to(before + row.supplied - after));
}

// stored at the end = stored at the start + supplied - dissipated, instants included
inline void check_ledger(const Trace& trace, double digits = ledger_digits) {
    const EnergyLedger& ledger = trace.energy;
    double in = sum_of(ledger.supplied), out = sum_of(ledger.dissipated), turnover = ledger.stored_at_start;
    for (const EnergyEvent& row : ledger.instants) {
        in += row.supplied;
        out += sum_of(row.dissipated);
    }
    for (const auto& shares : {ledger.supplied, ledger.dissipated})
        for (const auto& [element, energy] : shares) turnover += std::abs(energy);
    const double missing = ledger.stored_at_start + in - out - ledger.stored_at_end;
    INFO("stored " << ledger.stored_at_start << " + supplied " << in << " - dissipated " << out
                   << " - stored " << ledger.stored_at_end);
    CHECK(std::abs(missing) <= digits * turnover);
}

// x' = a x + u with constant a and u: x(t) = x_inf + exp(a t) (x0 - x_inf).
struct TwoStates {
    double a11, a12, a21, a22, u1, u2;

    using State = std::pair<double, double>;

    State rest() const {
        const double det = a11 * a22 - a12 * a21;
        return {(a12 * u2 - a22 * u1) / det, (a21 * u1 - a11 * u2) / det};
    }
    // exp(a t) = exp(m t) (c 1 + s (a - m 1)) with m half the trace
    State at(State x0, double t) const {
        const double m = (a11 + a22) / 2, d = m * m - (a11 * a22 - a12 * a21), w = std::sqrt(std::abs(d));
        const double c = d < 0 ? std::cos(w * t) : std::cosh(w * t);
        const double s = d < 0 ? std::sin(w * t) / w : d > 0 ? std::sinh(w * t) / w : t;
        const State end = rest();
        const double x = x0.first - end.first, y = x0.second - end.second, decay = std::exp(m * t);
        return {end.first + decay * (c * x + s * ((a11 - m) * x + a12 * y)),
                end.second + decay * (c * y + s * (a21 * x + (a22 - m) * y))};
    }
};

// The zero of f in (a, b], where f changes its sign once.
inline double zero_between(double a, double b, const std::function<double(double)>& f) {
    const bool sign = f(a) > 0;
    for (int i = 0; i < 200 && std::nextafter(a, b) < b; ++i) {
        const double middle = (a + b) / 2;
        ((f(middle) > 0) == sign ? a : b) = middle;
    }
    return b;
}

inline std::string text(double x) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.17g", x);
    return digits;
}

}  // namespace deltaflow::test
