// The diagrams that show a rule of the algebra of distributions.
#include "tests/diagrams/shipped.hpp"

using namespace deltaflow;
using namespace deltaflow::test;

TEST_CASE("A ramp times delta'' leaves delta'' and delta'", "[diagrams]") {
    const Trace trace = run_diagram("product_rule");
    const Event& event = event_at(trace, 1.44);
    CHECK(trace.events.size() == 1);
    check_jump(trace, event, "V", 1, 1, {0, 0, 20});
    check_jump(trace, event, "Y", -14.1264, -14.1264, {0, 392.4, -282.528});
    CHECK(find_jump(trace, event, "U") == nullptr);
    check_samples(trace, "Y", [](double t) { return -9.81 * t; });
}

TEST_CASE("The product rule follows its parameters", "[diagrams]") {
    const double g = 1.625, tau = 0.75, size = -3;
    const Trace trace = run_diagram("product_rule", {{"g", "1.625"}, {"tau", "0.75"}, {"size", "-3"}});
    check_jump(trace, event_at(trace, tau), "Y", -g * tau, -g * tau, {0, 2 * g * size, -g * tau * size});
}

TEST_CASE("The derivative of a jump is an impulse, and the integral of that is the jump", "[diagrams]") {
    const Trace trace = run_diagram("derivative_rule");
    const Event& event = event_at(trace, 2);
    CHECK(trace.events.size() == 1);
    check_jump(trace, event, "U", -14.62, 14.62);
    check_jump(trace, event, "Y", -9.81, -9.81, {29.24});
    check_jump(trace, event, "dY", 0, 0, {0, 29.24});
    check_jump(trace, event, "sum", -14.62, 14.62);
    const auto u = [](double t) { return t < 2 ? 5 - 9.81 * t : 14.62 - 9.81 * (t - 2); };
    check_samples(trace, "U", u);
    check_samples(trace, "sum", u);
    check_samples(trace, "Y", [](double) { return -9.81; });
    check_samples(trace, "dY", [](double) { return 0; });
}

TEST_CASE("The derivative rule at the first contact of the bouncing ball", "[diagrams]") {
    const double td = 1.427843122927064466967280, speed = 14.00714103591450242094902;
    const Trace trace = run_diagram("derivative_rule", {{"v0", "0"}, {"td", "20*sqrt(545)/327"}});
    const Event& event = event_at(trace, td);
    check_jump(trace, event, "U", -speed, speed);
    check_jump(trace, event, "Y", -9.81, -9.81, {2 * speed});
    check_jump(trace, event, "dY", 0, 0, {0, 2 * speed});
}

TEST_CASE("A step differentiated n times is delta^(n-1), and comes back", "[diagrams]") {
    for (const double size : {1.0, -2.5}) {
        const Trace trace = run_diagram("delta_chain", {{"size", std::to_string(size)}, {"tau", "1/3"}});
        const Event& event = event_at(trace, 1.0 / 3);
        CHECK(trace.events.size() == 1);
        for (const std::string signal : {"S", "R"}) {
            check_jump(trace, event, signal, 0, size);
            check_samples(trace, signal, [size](double t) { return t < 1.0 / 3 ? 0 : size; });
        }
        for (int n = 1; n <= 5; ++n) {
            std::vector<double> impulses(n);
            impulses.back() = size;
            check_jump(trace, event, "S" + std::to_string(n), 0, 0, impulses);
            if (n < 5) check_jump(trace, event, "R" + std::to_string(n), 0, 0, impulses);
        }
    }
}

TEST_CASE("A kink of second order has an impulse in its third derivative", "[diagrams]") {
    const Trace trace = run_diagram("derivative_chain");
    const Event& event = event_at(trace, 1);
    CHECK(trace.events.size() == 1);
    CHECK(find_jump(trace, event, "w") == nullptr);
    CHECK(find_jump(trace, event, "w1") == nullptr);
    check_jump(trace, event, "w2", 0, 4);
    check_jump(trace, event, "w3", 0, 1, {4});
    check_jump(trace, event, "w4", 0, 0, {1, 4});
    check_jump(trace, event, "w5", 0, 0, {0, 1, 4});
    check_samples(trace, "w",
                  [](double t) { return (std::pow(t - 1, 3) / 6 + 2 * std::pow(t - 1, 2)) * step(t); });
    check_samples(trace, "w1", [](double t) { return (std::pow(t - 1, 2) / 2 + 4 * (t - 1)) * step(t); });
    check_samples(trace, "w2", [](double t) { return (t + 3) * step(t); });
    check_samples(trace, "w3", [](double t) { return step(t); });
}

TEST_CASE("Impulses climb through a chain of integrators", "[diagrams]") {
    const Trace trace = run_diagram("integrator_chain");
    const Event& event = event_at(trace, 1);
    CHECK(trace.events.size() == 1);
    const double s = std::sin(1), c = std::cos(1);
    check_jump(trace, event, "U", c, c, {-2, 3, 5});
    check_jump(trace, event, "I1", s, s - 2, {3, 5});
    check_jump(trace, event, "I2", 1 - c, 4 - c, {5});
    check_jump(trace, event, "I3", 1 - s, 6 - s);
    CHECK(find_jump(trace, event, "I4") == nullptr);
    check_samples(trace, "I1", [](double t) { return std::sin(t) - 2 * step(t); });
    check_samples(trace, "I2", [](double t) { return 1 - std::cos(t) + (5 - 2 * t) * step(t); });
    check_samples(trace, "I3", [](double t) { return t - std::sin(t) + (-t * t + 5 * t + 1) * step(t); });
    check_samples(trace, "I4", [](double t) {
        const double after = -t * t * t / 3 + 5 * t * t / 2 + t - 19.0 / 6;
        return t * t / 2 + std::cos(t) - 1 + after * step(t);
    });
}

TEST_CASE("A delay passes on curves, jumps and impulses, whatever its length", "[diagrams]") {
    for (const double by : {0.5, 0.375, 0.9}) {
        INFO("by " << by);
        const Trace trace = run_diagram("delayed_impulse", {{"by", std::to_string(by)}});
        const double c1 = std::cos(1), c2 = std::cos(2);
        check_jump(trace, event_at(trace, 1), "u", c1, c1 + 2, {3});
        check_jump(trace, event_at(trace, by), "y", 0, 1);
        check_jump(trace, event_at(trace, 1 + by), "y", c1, c1 + 2, {3});
        check_jump(trace, event_at(trace, 1 + by), "z", std::sin(1), std::sin(1) + 3);
        check_jump(trace, event_at(trace, 2 + by), "y", c2 + 2, c2 + 2, {0, -1});
        check_jump(trace, event_at(trace, 2 + by), "z", std::sin(2) + 5, std::sin(2) + 5, {-1});
        CHECK(trace.events.size() == 5);
        const auto late = [by](double t) { return t >= by - 1e-15; };
        check_samples(trace, "y",
                      [=](double t) { return late(t) ? std::cos(t - by) + 2 * step(t, 1 + by) : 0; });
        check_samples(trace, "z", [=](double t) {
            return late(t) ? std::sin(t - by) + (3 + 2 * (t - by - 1)) * step(t, 1 + by) : 0;
        });
    }
}

TEST_CASE("A signal that only carries an impulse has one value on both sides", "[diagrams]") {
    const Trace trace = run_diagram("delayed_impulse");
    const Jump* jump = find_jump(trace, event_at(trace, 2.5), "y");
    REQUIRE(jump != nullptr);
    CHECK(jump->left == jump->right);
}
