// Converters of ideal switches and diodes, in both modes of conduction, against phases worked out one by one.
#include "tests/diagrams/piecewise.hpp"

using namespace deltaflow;
using namespace deltaflow::test;

namespace {

using Rate = std::function<Vector<2>(double, const Vector<2>&)>;  // of (i, v)

struct Converter {
    double V = 12, L = 1e-4, C = 1e-4, R = 2, period = 1e-4, duty = 0.4;
    Rate closed, open;
    bool dry = false;  // has the coil run dry?

    // C v' = -v/R: nothing else happens while the coil is empty.
    Vector<2> empty(const Vector<2>& x) const { return {0, -x[1] / R / C}; }

    Vector<2> after_period(Vector<2> x) {
        x = flow_on(closed, 0, duty * period, x);
        constexpr int steps = 400;
        const double h = (1 - duty) * period / steps;
        const auto rest = [this](double, const Vector<2>& y) { return empty(y); };
        for (int k = 0; k < steps; ++k) {
            const Vector<2> next = step_on(open, 0, x, h);
            if (next[0] < 0) {
                dry = true;
                const auto current = [&](double s) { return step_on(open, 0, x, s)[0]; };
                const double s = root_of(current, 0, h);
                x = step_on(open, 0, x, s);
                x[0] = 0;
                return flow_on(rest, 0, (steps - k) * h - s, x);
            }
            x = next;
        }
        return x;
    }
};

Changes load(double R) { return {{"R", std::to_string(R)}}; }

void check_converter(const Trace& trace, Converter c, Vector<2> x, bool runs_dry) {
    INFO("R = " << c.R);
    for (int k = 1; k < 50; ++k) {
        x = c.after_period(x);
        CHECK(sample_near(trace, "l.current", k * c.period) == about(x[0]));
        CHECK(sample_near(trace, "p.voltage", k * c.period) == about(x[1]));
    }
    CHECK(c.dry == runs_dry);
}

Converter bucking(double R) {
    Converter c;
    c.R = R;
    c.closed = [=](double, const Vector<2>& x) {
        return Vector<2>{(c.V - x[1]) / c.L, (x[0] - x[1] / R) / c.C};
    };
    c.open = [=](double, const Vector<2>& x) { return Vector<2>{-x[1] / c.L, (x[0] - x[1] / R) / c.C}; };
    return c;
}

Converter boosting(double R) {
    Converter c;
    c.R = R;
    c.closed = [=](double, const Vector<2>& x) { return Vector<2>{c.V / c.L, -x[1] / R / c.C}; };
    c.open = [=](double, const Vector<2>& x) {
        return Vector<2>{(c.V - x[1]) / c.L, (x[0] - x[1] / R) / c.C};
    };
    return c;
}

Converter inverting(double R) {
    Converter c;
    c.R = R;
    c.closed = [=](double, const Vector<2>& x) { return Vector<2>{c.V / c.L, -x[1] / R / c.C}; };
    c.open = [=](double, const Vector<2>& x) { return Vector<2>{x[1] / c.L, (-x[0] - x[1] / R) / c.C}; };
    return c;
}

}  // namespace

TEST_CASE("An ideal buck converter in continuous conduction, and run dry", "[diagrams]") {
    check_converter(run_diagram("buck", load(0.5)), bucking(0.5), {0, 0}, false);
    check_converter(run_diagram("buck", load(50)), bucking(50), {0, 0}, true);
}

TEST_CASE("An ideal boost converter in continuous conduction, and run dry", "[diagrams]") {
    check_converter(run_diagram("boost", load(2)), boosting(2), {0, 12}, false);
    check_converter(run_diagram("boost", load(50)), boosting(50), {0, 12}, true);
}

TEST_CASE("An ideal buck-boost converter in continuous conduction, and run dry", "[diagrams]") {
    check_converter(run_diagram("buck_boost", load(0.5)), inverting(0.5), {0, 0}, false);
    check_converter(run_diagram("buck_boost", load(50)), inverting(50), {0, 0}, true);
}

TEST_CASE("An H-bridge frees its coil in the dead times", "[diagrams]") {
    const Trace trace = run_diagram("h_bridge");
    const double V = 10, R = 1, L = 1e-3, T = 1e-3, dead = 5e-5;
    // Toward s V / R for a time; with `stops`, until the current is zero.
    const auto on = [&](double i, double s, double time, bool stops) {
        const double goal = s * V / R, next = goal + (i - goal) * std::exp(-R / L * time);
        return stops && next * i <= 0 ? 0.0 : next;
    };
    double i = 0;
    for (int k = 0; k < 4; ++k) {
        i = on(i, i < 0 ? 1 : -1, dead, true);
        CHECK(sample_near(trace, "l.current", k * T + dead) == about(k == 0 ? 0 : i));
        i = on(k == 0 ? 0 : i, 1, T / 2 - dead, false);
        CHECK(sample_near(trace, "l.current", k * T + T / 2) == about(i));
        i = on(i, -1, dead, true);
        i = on(i, -1, T / 2 - dead, false);
        CHECK(sample_near(trace, "l.current", (k + 1) * T) == about(i));
    }
}

namespace {

// The impulse of a signal at the instant that was committed near t.
double impulse_at(const Trace& trace, std::string_view signal, double t) {
    for (const Event& event : trace.events) {
        const Jump* jump =
            event.committed && std::abs(event.t - t) < 1e-9 ? find_jump(trace, event, signal) : nullptr;
        if (jump && !trace.impulses_of(*jump).empty()) return trace.impulses_of(*jump)[0];
    }
    return 0;
}

}  // namespace

TEST_CASE("A switched capacitor carries charge on top of the source", "[diagrams]") {
    const Trace trace = run_diagram("capacitor_doubler");
    const double V = 5, C1 = 1e-6, C2 = 4e-6, R = 1e3, T = 1e-4;
    double v1 = 0, v2 = 0;
    for (int k = 0; k < 20; ++k) {
        if (k > 0) CHECK(impulse_at(trace, "u.current", k * T) == about(-C1 * (V - v1), 1e-14));
        v1 = V;
        v2 *= std::exp(-0.5 * T / R / C2);
        v2 = (C1 * (v1 + V) + C2 * v2) / (C1 + C2);
        CHECK(sample_near(trace, "p.voltage", (k + 0.5) * T) == about(v2));
        v2 *= std::exp(-0.4 * T / R / (C1 + C2));
        v1 = v2 - V;
        CHECK(sample_near(trace, "c1.voltage", (k + 0.9) * T) == about(v1));
        v2 *= std::exp(-0.1 * T / R / C2);
    }
}
