// Linear systems and loops of diagrams/.
#include "tests/diagrams/shipped.hpp"

using namespace deltaflow;
using namespace deltaflow::test;

TEST_CASE("Improper transfer functions of a step give delta to delta'''", "[diagrams]") {
    const Trace trace = run_diagram("improper_transfer_function");
    const Event& event = event_at(trace, 1);
    CHECK(trace.events.size() == 1);
    check_jump(trace, event, "y2", 0, -1, {1});
    check_jump(trace, event, "y3", 0, 1, {-1, 1});
    check_jump(trace, event, "y4", 0, -1, {1, -1, 1});
    check_jump(trace, event, "y5", 0, 1, {-1, 1, -1, 1});
    for (const std::string signal : {"y2", "y4"})
        check_samples(trace, signal, [](double t) { return -std::exp(1 - t) * step(t); });
    for (const std::string signal : {"y3", "y5"})
        check_samples(trace, signal, [](double t) { return std::exp(1 - t) * step(t); });
}

TEST_CASE("Improper transfer functions follow their pole", "[diagrams]") {
    // s^n/(s + a) of a step is s^(n-1)/(s + a) = s^(n-2) - a s^(n-3) + ... + (-a)^(n-1)/(s + a).
    const double a = 1.5;
    const Trace trace = run_diagram("improper_transfer_function", {{"a", "3/2"}});
    const Event& event = event_at(trace, 1);
    for (int n = 2; n <= 5; ++n) {
        std::vector<double> impulses;
        for (int i = 0; i <= n - 2; ++i) impulses.push_back(std::pow(-a, n - 2 - i));
        const double right = std::pow(-a, n - 1);
        check_jump(trace, event, "y" + std::to_string(n), 0, right, impulses);
        check_samples(trace, "y" + std::to_string(n),
                      [=](double t) { return right * std::exp(-a * (t - 1)) * step(t); });
    }
}

TEST_CASE("A lag hit by delta^(n) answers with delta^(n-1) and all below", "[diagrams]") {
    for (const double a : {2.0, -0.5, 7.0}) {
        INFO("a = " << a);
        const Trace trace = run_diagram("lag_driven_by_impulses", {{"a", std::to_string(a)}});
        CHECK(trace.events.size() == 1);
        const Event& event = event_at(trace, 1);
        for (int n = 0; n <= 3; ++n) {
            const std::string signal = "x" + std::to_string(n) + ".x";
            std::vector<double> impulses;
            for (int i = 0; i < n; ++i) impulses.push_back(std::pow(-a, n - 1 - i));
            check_jump(trace, event, signal, 0, std::pow(-a, n), impulses);
            check_samples(trace, signal,
                          [=](double t) { return std::pow(-a, n) * std::exp(-a * (t - 1)) * step(t); });
        }
    }
}

TEST_CASE("The force along a path that jumps carries delta and delta'", "[diagrams]") {
    const Trace trace = run_diagram("inverse_mass_spring_damper");
    const Event& event = event_at(trace, 1);
    CHECK(trace.events.size() == 1);
    check_jump(trace, event, "x", 1, 1.1);
    check_jump(trace, event, "v", 2, 2, {0.1});
    check_jump(trace, event, "a", 2, 2, {0, 0.1});
    check_jump(trace, event, "jerk", 0, 0, {0, 0, 0.1});
    check_jump(trace, event, "F", 15, 15.5, {0.3, 0.2});
    check_samples(trace, "F", [](double t) { return 4 + 6 * t + 5 * t * t + step(t) / 2; });
}

TEST_CASE("Algebraic loops are solved for jumps, delta and delta'", "[diagrams]") {
    const Trace trace = run_diagram("algebraic_loop_with_impulse");
    const Event& event = event_at(trace, 1);
    CHECK(trace.events.size() == 1);
    const double s = std::sin(1);
    // f = 2 | 3 + 8 delta + 4 delta'
    check_jump(trace, event, "x", 1 - s, 1.5 - s, {4, 2});
    check_jump(trace, event, "y", 0.5 + s / 2, 0.75 + s / 2, {2, 1});
    check_jump(trace, event, "z", 1, 1.5, {5, 2});
    const double p = 0.5 + (1 - std::cos(1)) / 2;
    check_jump(trace, event, "p", p, p + 2, {1});
    check_samples(trace, "x", [](double t) { return (2 + step(t)) / 2 - std::sin(t); });
    check_samples(trace, "z", [](double t) { return (2 + step(t)) / (1 + t); });
}

TEST_CASE("A loop of another gain moves its impulses along", "[diagrams]") {
    // x = f - k (x/2 + w): x = (f - k w)/(1 + k/2)
    const double k = -0.5;
    const Trace trace = run_diagram("algebraic_loop_with_impulse", {{"k", "-1/2"}});
    const double s = std::sin(1), d = 1 + k / 2;
    check_jump(trace, event_at(trace, 1), "x", (2 - k * s) / d, (3 - k * s) / d, {8 / d, 4 / d});
}

TEST_CASE("A singular loop is a mistake of the model", "[diagrams]") {
    CHECK_THROWS_AS(try_diagram("algebraic_loop_with_impulse", {{"k", "-2"}}), ModelError);
}

TEST_CASE("A PID loop is solved for the jump and the impulse of its kick", "[diagrams]") {
    const double kp = 3, ki = 1, kd = 1;
    const Trace trace = run_diagram("derivative_kick");
    const Event& event = event_at(trace, 1);
    const double kick = kd / (1 + kd);
    check_jump(trace, event, "r", 0, 1);
    check_jump(trace, event, "y", 0, kick);
    check_jump(trace, event, "e", 0, 1 - kick);
    // After the kick u = kp e + ki int e + kd e' with e' = -y' and y' = u - y.
    const double u = (kp * (1 - kick) + kd * kick) / (1 + kd);
    check_jump(trace, event, "u", 0, u, {kick});
    // (1 + kd) y'' + (1 + kp) y' + ki y = ki from y = kick, y' = u - kick.
    const double middle = -(1 + kp) / (2 * (1 + kd)), root = std::sqrt(middle * middle - ki / (1 + kd));
    const double fast = middle - root, slow = middle + root;
    const double b = ((u - kick) - slow * (kick - 1)) / (fast - slow), c = kick - 1 - b;
    check_samples(trace, "y", [=](double t) {
        return (1 + b * std::exp(fast * (t - 1)) + c * std::exp(slow * (t - 1))) * step(t);
    });
}
