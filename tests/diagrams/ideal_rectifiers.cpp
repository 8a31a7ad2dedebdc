// Rectifiers of ideal diodes: bridges, the six-pulse rectifier, valves of a pump, a coil that is switched
// off.
#include "tests/diagrams/piecewise.hpp"

using namespace deltaflow;
using namespace deltaflow::test;

namespace {

constexpr double pi = 3.14159265358979323846;

}  // namespace

TEST_CASE("A bridge of ideal diodes gives the absolute value", "[diagrams]") {
    const Trace trace = run_diagram("bridge_rectifier");
    const auto u = [](double t) { return 10 * std::sin(100 * pi * t); };
    check_all(trace, "p.voltage", [&](double t) { return std::abs(u(t)); });
    check_all(trace, "u.current", [&](double t) { return -u(t) / 10; });
    check_all(trace, "d1.current", [&](double t) { return std::max(u(t), 0.0) / 10; });
}

TEST_CASE("A bridge charges its capacitor near the peaks", "[diagrams]") {
    const Trace trace = run_diagram("bridge_rectifier_rc");
    const double w = 100 * pi, tau = 100 * 2e-4;
    const double off = (pi - std::atan(w * tau)) / w, half = 0.01;
    const auto u = [&](double t) { return 10 * std::abs(std::sin(w * t)); };
    const auto decay = [&](double t, double from) { return u(from) * std::exp(-(t - from) / tau); };
    const auto v = [&](double t) {
        const double begin = std::floor(t / half) * half;
        if (begin < half / 2) return t < off ? u(t) : decay(t, off);
        const double blocked = begin - half + off;
        const double on = root_of([&](double s) { return decay(s, blocked) - u(s); }, begin, begin + off);
        return t < on ? decay(t, blocked) : t < begin + off ? u(t) : decay(t, begin + off);
    };
    check_all(trace, "p.voltage", [&](double t) { return v(t + 1e-15); });
}

TEST_CASE("A coil behind a bridge keeps its current", "[diagrams]") {
    const Trace trace = run_diagram("bridge_rectifier_rl");
    const double w = 100 * pi, R = 10, L = 0.1, z = R * R + w * w * L * L;
    const auto forced = [&](double t) { return 10 * (R * std::sin(w * t) - w * L * std::cos(w * t)) / z; };
    double begin = 0, i = 0;  // of the half period
    check_all(trace, "l.current", [&](double t) {
        const auto in_half = [&](double s) { return forced(s) + (i - forced(0)) * std::exp(-R / L * s); };
        while (t > begin + 0.01) {
            i = in_half(0.01);
            begin += 0.01;
        }
        return in_half(t - begin);
    });
}

TEST_CASE("Six diodes pass on the highest phase against the lowest", "[diagrams]") {
    const Trace trace = run_diagram("six_pulse_rectifier");
    const auto v = [](double t) {
        const double w = 100 * pi, third = 2 * pi / 3;
        const double a = std::sin(w * t), b = std::sin(w * t - third), c = std::sin(w * t + third);
        return 10 * (std::max({a, b, c}) - std::min({a, b, c}));
    };
    check_all(trace, "p.voltage", v);
    double at = 0;
    Vector<1> i{0};
    const auto rate = [&](double t, const Vector<1>& x) { return Vector<1>{(v(t) - 10 * x[0]) / 0.05}; };
    check_all(
        trace, "l.current",
        [&](double t) {
            if (t > at) i = flow_on(rate, at, t, i, 200);
            at = t;
            return i[0];
        },
        1e-6);  // steps go over the kinks of v
}

TEST_CASE("A coil that is switched off frees its current through a diode", "[diagrams]") {
    const Trace trace = run_diagram("relay_coil");
    const double V = 12, R = 60, L = 0.3, drop = 0.7, tau = L / R;
    const double last = V / R * (1 - std::exp(-0.02 / tau));
    const double empty = 0.03 + tau * std::log(1 + R * last / drop);
    check_all(trace, "l.current", [&](double t) {
        if (t < 0.01) return 0.0;
        if (t <= 0.03) return V / R * (1 - std::exp(-(t - 0.01) / tau));
        return t >= empty ? 0.0 : (last + drop / R) * std::exp(-(t - 0.03) / tau) - drop / R;
    });
    check_all(trace, "k.voltage", [&](double t) {
        return t > 0.00999 && t < 0.0299999 ? 0 : t >= 0.0299999 && t < empty ? V + drop : V;
    });
    CHECK(event_at(trace, empty).t == about(empty));
}

TEST_CASE("A switch opens one of two coupled coils, and the other takes the flux over", "[diagrams]") {
    const Trace trace = run_diagram("coupled_coils");
    const double U = 12, R1 = 2, R2 = 5, L1 = 0.1, L2 = 0.4, M = 0.18;
    const auto growing = [&](double t) { return U / R1 * (1 - std::exp(-R1 * t / L1)); };
    const double last = growing(0.1), taken = M / L2 * last;
    check_all(trace, "l1.current", [&](double t) { return t < 0.1 - 1e-9 ? growing(t) : 0.0; });
    check_all(trace, "l2.current",
              [&](double t) { return t < 0.1 - 1e-9 ? 0.0 : taken * std::exp(-R2 * (t - 0.1) / L2); });
    const auto& opening = event_at(trace, 0.1);
    const Jump& jump = *find_jump(trace, opening, "s.voltage");
    REQUIRE(trace.impulses_of(jump).size() == 1);
    CHECK(trace.impulses_of(jump)[0] == about((1 - M * M / (L1 * L2)) * L1 * last));
    double lost = 0;
    for (const EnergyEvent& entry : trace.energy.instants)
        if (std::abs(entry.t - 0.1) < 1e-9) lost += entry.stored_before + entry.supplied - entry.stored_after;
    CHECK(lost == about((L1 - M * M / L2) * last * last / 2));
}

TEST_CASE("A blow on the upper one of two pendulums makes both rates jump", "[diagrams]") {
    const Trace trace = run_diagram("double_pendulum");
    const double g = 9.81, l = 0.5, a = 0.05, P = 0.02, m = 1, root = std::sqrt(2.0);
    const double slow = std::sqrt((2 - root) * g / l), fast = std::sqrt((2 + root) * g / l);
    // The blow (1, -1) in the shapes (1, root) and (1, -root).
    const double rate = P / (m * l * l), of_slow = rate * (1 - 1 / root) / 2,
                 of_fast = rate * (1 + 1 / root) / 2;
    const auto part = [&](double t, double sign) {
        const double before = a * std::cos(slow * t) * (sign > 0 ? 1 : root);
        if (t < 2) return before;
        const double s = of_slow / slow * std::sin(slow * (t - 2)),
                     f = of_fast / fast * std::sin(fast * (t - 2));
        return before + (sign > 0 ? s + f : root * (s - f));
    };
    check_all(trace, "up1.displacement", [&](double t) { return part(t, 1); });
    check_all(trace, "up2.displacement", [&](double t) { return part(t, -1); });
    REQUIRE(trace.events.size() == 1);
    const Jump& upper = *find_jump(trace, trace.events[0], "w1.flow");
    const Jump& lower = *find_jump(trace, trace.events[0], "w2.flow");
    CHECK(upper.right - upper.left == about(rate));
    CHECK(lower.right - lower.left == about(-rate));
}

TEST_CASE("A piston pump sucks with one valve and presses with the other", "[diagrams]") {
    const Trace trace = run_diagram("piston_pump");
    const auto q = [](double t) { return 2 * std::sin(4 * pi * t); };
    check_all(trace, "suction.current", [&](double t) { return std::max(-q(t), 0.0); });
    check_all(trace, "outlet.current", [&](double t) { return std::max(q(t), 0.0); });
    double at = 0;
    Vector<1> p{0};
    const auto rate = [&](double t, const Vector<1>& x) {
        return Vector<1>{(std::max(q(t), 0.0) - x[0] / 3) / 0.5};
    };
    check_all(
        trace, "vessel.voltage",
        [&](double t) {
            if (t > at) p = flow_on(rate, at, t, p, 50);
            at = t;
            return p[0];
        },
        1e-7);
}

namespace {

// Capacitors of one farad and ideal diodes on a source: charge moves so that the stored energy of the change
// is least while no diode is above zero. Hildreth's method, for many small steps of the source.
class Cascade {
public:
    explicit Cascade(int stages)
        : n_(stages), push_(stages, 0.0), smooth_(stages, 0.0), charge_(2 * stages, 0.0) {}

    void step(double source) {
        std::fill(charge_.begin(), charge_.end(), 0.0);
        for (int sweep = 0; sweep < 2000; ++sweep) {
            double change = 0;
            for (int d = 0; d < 2 * n_; ++d) change = std::max(change, relax(d, source));
            if (change < 1e-13) break;
        }
    }
    double out() const { return top(n_ - 1); }
    double first() const { return top(0); }

private:
    // Voltages of the column that is pushed, and of the other one, above stage k.
    double pushed(int k, double source) const {
        double v = source;
        for (int i = 0; i <= k; ++i) v -= push_[static_cast<std::size_t>(i)];
        return v;
    }
    double top(int k) const {
        double v = 0;
        for (int i = 0; i <= k; ++i) v += smooth_[static_cast<std::size_t>(i)];
        return v;
    }
    // Diode 2k: from below the stage to its pushed node; 2k + 1: from there to its output. A charge through
    // the first goes into all pushing capacitors up to k, and out of the smoothing ones below it.
    double relax(int d, double source) {
        const int k = d / 2;
        const bool second = d % 2 == 1;
        const double v = second ? pushed(k, source) - top(k) : (k == 0 ? 0 : top(k - 1)) - pushed(k, source);
        const double capacity = second ? 2 * (k + 1) : 2 * k + 1;  // the sum of what a unit changes
        double& charge = charge_[static_cast<std::size_t>(d)];
        const double next = std::max(0.0, charge + v / capacity), by = next - charge;
        charge = next;
        const double sign = second ? 1 : -1;
        for (int i = 0; i <= k; ++i) push_[static_cast<std::size_t>(i)] += sign * by;
        for (int i = 0; i <= (second ? k : k - 1); ++i) smooth_[static_cast<std::size_t>(i)] += sign * by;
        return std::abs(by);
    }

    int n_;
    std::vector<double> push_, smooth_, charge_;
};

}  // namespace

TEST_CASE("A cascade of capacitors and diodes lifts a voltage stage by stage", "[diagrams]") {
    const Trace trace = run_diagram("cockcroft_walton");
    Cascade cascade(3);
    constexpr int steps = 1000;  // a period
    for (int k = 1; k <= 20 * steps; ++k) {
        cascade.step(std::sin(2 * pi * k / steps));
        if (k % (5 * steps) != 0) continue;
        const double t = static_cast<double>(k) / steps;
        CHECK(sample_near(trace, "first.out.voltage", t) == about(cascade.first(), 1e-3));
        CHECK(sample_near(trace, "next[1].out.voltage", t) == about(cascade.out(), 1e-3));
    }
    CHECK(cascade.out() < 6);
}
