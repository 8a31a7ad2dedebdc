// The circuits of diagrams/.
#include "tests/diagrams/shipped.hpp"

using namespace deltaflow;
using namespace deltaflow::test;

TEST_CASE("A voltage step into an LC circuit and four derivatives of its current", "[diagrams]") {
    const Trace trace = run_diagram("lc_step");
    const Event& event = event_at(trace, 1);
    CHECK(trace.events.size() == 1);
    CHECK(find_jump(trace, event, "i") == nullptr);
    CHECK(find_jump(trace, event, "vC") == nullptr);
    check_jump(trace, event, "vL", 0, 3);
    check_jump(trace, event, "i1", 0, 6);
    check_jump(trace, event, "i2", 0, 0, {6});
    check_jump(trace, event, "i3", 0, -6, {0, 6});
    check_jump(trace, event, "i4", 0, 0, {-6, 0, 6});
    check_samples(trace, "i", [](double t) { return 6 * std::sin(t - 1) * step(t); });
    check_samples(trace, "vL", [](double t) { return 3 * std::cos(t - 1) * step(t); });
    check_samples(trace, "vC", [](double t) { return 3 * (1 - std::cos(t - 1)) * step(t); });
    check_samples(trace, "i1", [](double t) { return 6 * std::cos(t - 1) * step(t); });
    check_samples(trace, "i4", [](double t) { return 6 * std::sin(t - 1) * step(t); });
}

TEST_CASE("An LC circuit of another frequency", "[diagrams]") {
    const double L = 0.25, C = 0.16, V = 5, omega = 1 / std::sqrt(L * C);  // 5 rad/s
    const Trace trace = run_diagram("lc_step", {{"L", "0.25"}, {"C", "0.16"}, {"V", "5"}});
    const Event& event = event_at(trace, 1);
    const double rise = V / L, square = omega * omega;
    check_jump(trace, event, "i3", 0, -rise * square, {0, rise});
    check_jump(trace, event, "i4", 0, 0, {-rise * square, 0, rise});
    check_samples(trace, "i", [=](double t) { return rise / omega * std::sin(omega * (t - 1)) * step(t); });
    check_samples(trace, "vC", [=](double t) { return V * (1 - std::cos(omega * (t - 1))) * step(t); });
}

TEST_CASE("A current step into a coil takes an impulse of voltage", "[diagrams]") {
    const Trace trace = run_diagram("current_step_into_lc");
    const Event& event = event_at(trace, 1);
    CHECK(trace.events.size() == 1);
    check_jump(trace, event, "i", 0, 2);
    check_jump(trace, event, "v", 0, 0, {1});
    check_jump(trace, event, "v1", 0, 0.5, {0, 1});
    check_jump(trace, event, "v2", 0, 0, {0.5, 0, 1});
    check_samples(trace, "v", [](double t) { return (t - 1) / 2 * step(t); });
    check_samples(trace, "v1", [](double t) { return step(t) / 2; });
}

TEST_CASE("Two capacitors share their charge at once and lose energy", "[diagrams]") {
    const Trace trace = run_diagram("two_capacitors_blocks");
    const Event& event = event_at(trace, 1);
    CHECK(trace.events.size() == 1);
    check_jump(trace, event, "v1", 10, 2);
    check_jump(trace, event, "vb", 0, 2);
    check_jump(trace, event, "i", 0, 0, {8});
    check_jump(trace, event, "di", 0, 0, {0, 8});
    check_jump(trace, event, "energy", 50, 10);
    check_samples(trace, "v1", [](double t) { return t < 1 ? 10 : 2; });
    check_samples(trace, "energy", [](double t) { return t < 1 ? 50 : 10; });
}

TEST_CASE("The charge that two capacitors share is conserved for all their sizes", "[diagrams]") {
    for (const double C2 : {0.125, 1.0, 3.0, 1e6}) {
        INFO("C2 = " << C2);
        const double C1 = 1.5, V = -7, shared = C1 * V / (C1 + C2);
        const Trace trace =
            run_diagram("two_capacitors_blocks",
                        {{"C1", "1.5"}, {"C2", std::to_string(C2)}, {"V", "-7"}, {"close", "0.3"}});
        const Event& event = event_at(trace, 0.3);
        check_jump(trace, event, "v1", V, shared);
        check_jump(trace, event, "i", 0, 0, {C2 * shared});
        check_jump(trace, event, "energy", C1 * V * V / 2, (C1 + C2) * shared * shared / 2);
    }
}

namespace {

// The rectifier of diagrams/rectifier.toml in closed form, mode by mode.
struct Rectifier {
    double f = 50, V = 10, Ri = 10, R = 1000, C = 1e-5;
    double omega = 2 * 3.141592653589793238 * f;

    double source(double t) const { return V * std::sin(omega * t); }
    double rate(bool on) const { return (on ? 1 / Ri + 1 / R : 1 / R) / C; }
    // What the sine alone would make of vc while the diode conducts: vc' = -rate vc + V/(Ri C) sin(omega t).
    double driven(double t) const {
        const double k = rate(true), gain = V / (Ri * C) / (k * k + omega * omega);
        return gain * (k * std::sin(omega * t) - omega * std::cos(omega * t));
    }
    double voltage(bool on, double t0, double v0, double t) const {
        const double decay = std::exp(-rate(on) * (t - t0));
        return on ? driven(t) + (v0 - driven(t0)) * decay : v0 * decay;
    }
    double current(bool on, double v, double t) const { return on ? (source(t) - v) / Ri : 0; }
};

// The first zero of f in (a, b], where f changes its sign once.
double bisect(double a, double b, const std::function<double(double)>& f) {
    const bool sign = f(a) > 0;
    for (int i = 0; i < 200 && std::nextafter(a, b) < b; ++i) {
        const double middle = (a + b) / 2;
        ((f(middle) > 0) == sign ? a : b) = middle;
    }
    return b;
}

}  // namespace

TEST_CASE("A rectifier switches where the source meets the capacitor", "[diagrams]") {
    const Rectifier circuit;
    const Trace trace = run_diagram("rectifier");
    const auto events = events_of(trace, "on");
    REQUIRE(events.size() == 9);
    bool on = true;
    double t0 = 0, v0 = 0;
    std::vector<double> times{0}, voltages{0};
    for (const Event& event : events) {
        // On: off again after the peak of the source. Off: on again in the next rise.
        const double period = 1 / circuit.f, cycle = std::floor(t0 / period) * period;
        const double from = on ? cycle + 0.25 * period : cycle + period;
        const double to = on ? cycle + 0.5 * period : cycle + 1.25 * period;
        const double t =
            bisect(from, to, [&](double s) { return circuit.source(s) - circuit.voltage(on, t0, v0, s); });
        const double v = circuit.voltage(on, t0, v0, t);
        CHECK(event.t == close_to(t));
        check_jump(trace, event, "on", on, !on);
        // i' while conducting: (vs' - vc')/Ri, where vc' = -vc/(R C) at the switching point.
        const double slope =
            (circuit.omega * circuit.V * std::cos(circuit.omega * t) + v / (circuit.R * circuit.C)) /
            circuit.Ri;
        check_jump(trace, event, "di", on ? slope : 0, on ? 0 : slope);
        on = !on;
        t0 = t;
        v0 = v;
        times.push_back(t);
        voltages.push_back(v);
    }
    const auto mode = [&](double t) {
        return std::upper_bound(times.begin(), times.end(), t) - times.begin() - 1;
    };
    const auto voltage = [&](double t) {
        return circuit.voltage(mode(t) % 2 == 0, times[mode(t)], voltages[mode(t)], t);
    };
    check_samples(trace, "vc", voltage);
    check_samples(trace, "i", [&](double t) { return circuit.current(mode(t) % 2 == 0, voltage(t), t); });
}
