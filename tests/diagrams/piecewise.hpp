// What the references of switched models share: short steps of Runge and Kutta between known instants.
#pragma once

#include "tests/diagrams/shipped.hpp"

#include <array>

namespace deltaflow::test {

// Some hundred classical Runge-Kutta steps a phase: nine digits are always there.
constexpr double eight_digits = 1e-8;
inline Approx about(double x, double tolerance = eight_digits) {
    return Approx(x).epsilon(tolerance).margin(tolerance);
}

template <std::size_t n>
using Vector = std::array<double, n>;

template <std::size_t n>
Vector<n> moved(Vector<n> x, double s, const Vector<n>& by) {
    for (std::size_t i = 0; i < n; ++i) x[i] += s * by[i];
    return x;
}

// x' = rate(t, x) from t to t + h.
template <std::size_t n, class Rate>
Vector<n> step_on(const Rate& rate, double t, const Vector<n>& x, double h) {
    const Vector<n> a = rate(t, x), b = rate(t + h / 2, moved(x, h / 2, a)),
                    c = rate(t + h / 2, moved(x, h / 2, b)), d = rate(t + h, moved(x, h, c));
    Vector<n> y = x;
    for (std::size_t i = 0; i < n; ++i) y[i] += h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
    return y;
}

template <std::size_t n, class Rate>
Vector<n> flow_on(const Rate& rate, double from, double to, Vector<n> x, int steps = 400) {
    const double h = (to - from) / steps;
    for (int k = 0; k < steps; ++k) x = step_on(rate, from + k * h, x, h);
    return x;
}

// The last time in [from, to] at which f has the sign that it has at first; halved to rounding.
template <class F>
double root_of(const F& f, double from, double to) {
    const bool sign = f(from) > 0;
    for (int i = 0; i < 200; ++i) {
        const double middle = (from + to) / 2;
        ((f(middle) > 0) == sign ? from : to) = middle;
    }
    return from;
}

// The sample nearest to t.
inline double sample_near(const Trace& trace, std::string_view signal, double t) {
    const auto nearer = [t](double a, double b) { return std::abs(a - t) < std::abs(b - t); };
    const auto at = std::min_element(trace.t.begin(), trace.t.end(), nearer) - trace.t.begin();
    return trace.samples[signal_index(trace, signal)][static_cast<std::size_t>(at)];
}

template <class F>
void check_all(const Trace& trace, std::string_view signal, const F& reference,
               double tolerance = eight_digits) {
    const auto& samples = trace.samples[signal_index(trace, signal)];
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const Approx wanted = about(reference(trace.t[i]), tolerance);
        if (samples[i] == wanted) continue;
        INFO(signal << " at " << trace.t[i]);
        CHECK(samples[i] == wanted);
    }
}

}  // namespace deltaflow::test
