// The balls of diagrams/.
#include "engine/solve/steppers/stepper.hpp"
#include "tests/diagrams/shipped.hpp"

using namespace deltaflow;
using namespace deltaflow::test;

namespace {

constexpr double g = 9.81;
constexpr double height = 10;
constexpr double t1 = 1.427843122927064466967280;  // sqrt(2 height / g): the first contact
constexpr double v1 = 14.00714103591450242094902;  // sqrt(2 height g): its speed

// Bounce n = 1, 2, ... of a ball with restitution e: t1 + 2 t1 (e + e^2 + ... + e^(n-1)).
double bounce_time(double e, int n) {
    double t = t1, flight = 2 * t1;
    for (int i = 1; i < n; ++i) t += flight *= e;
    return t;
}

double speed_before(double e, int n) { return v1 * std::pow(e, n - 1); }

struct State {
    double y, v;
};

State ball_at(double e, double t) {
    if (t < t1) return {height - g * t * t / 2, -g * t};
    int n = 1;
    while (bounce_time(e, n + 1) <= t) ++n;
    const double since = t - bounce_time(e, n), v = speed_before(e, n + 1);
    return {v * since - g * since * since / 2, v - g * since};
}

void check_bounces(const Trace& trace, const std::string& ball, double e, int count) {
    const auto events = events_of(trace, ball + "F");
    REQUIRE(events.size() == static_cast<std::size_t>(count));
    for (int n = 1; n <= count; ++n) {
        const Event& event = events[n - 1];
        const double before = speed_before(e, n);
        CHECK(event.t == close_to(bounce_time(e, n)));
        check_jump(trace, event, ball + "v", -before, e * before);
        check_jump(trace, event, ball + "F", 0, 0, {(1 + e) * before});
    }
}

void check_flight(const Trace& trace, const std::string& ball, double e) {
    check_samples(trace, ball + "y", [e](double t) { return ball_at(e, t).y; });
    check_samples(trace, ball + "v", [e](double t) { return ball_at(e, t).v; });
}

}  // namespace

TEST_CASE("The bouncing ball bounces when and as hard as the closed form says", "[diagrams][ball]") {
    const Trace trace = run_diagram("bouncing_ball");
    check_bounces(trace, "", 0.8, 2);
    check_flight(trace, "", 0.8);
    CHECK(trace.events[0].t == close_to(1.4278431229270645));
    CHECK(trace.events[1].t == close_to(3.7123921196103677));
}

TEST_CASE("Ten bounces with restitution 0.8, and the heights between them", "[diagrams][ball]") {
    const Trace trace = run_diagram("bouncing_ball", {{"simulation.stop", "11.4"}});
    check_bounces(trace, "", 0.8, 10);
    check_flight(trace, "", 0.8);
}

TEST_CASE("Other restitutions are a parameter away", "[diagrams][ball]") {
    for (const double e : {0.25, 0.5, 0.9, 1.0}) {
        INFO("e = " << e);
        const double stop = (bounce_time(e, 4) + bounce_time(e, 5)) / 2;
        const Trace trace = run_diagram(
            "bouncing_ball", {{"e", std::to_string(e)}, {"simulation.stop", std::to_string(stop)}});
        check_bounces(trace, "", e, 4);
        check_flight(trace, "", e);
    }
}

TEST_CASE("The elastic ball comes back a thousand times without drifting", "[diagrams][ball]") {
    const Trace trace = run_diagram("bouncing_ball", {{"e", "1"}, {"simulation.stop", "2856"}});
    const auto events = events_of(trace, "F");
    REQUIRE(events.size() == 1000);
    for (int n = 1; n <= 1000; ++n) {
        INFO("bounce " << n);
        CHECK(events[n - 1].t == close_to((2 * n - 1) * t1));
        check_jump(trace, events[n - 1], "v", -v1, v1);
        check_jump(trace, events[n - 1], "F", 0, 0, {2 * v1});
    }
}

TEST_CASE("A ball that comes to rest is told as Zeno, with its time", "[diagrams][ball]") {
    const double zeno = 12.850588106343580;  // t1 (1 + e)/(1 - e)
    const Trace trace = try_diagram("bouncing_ball", {{"simulation.stop", "20"}});
    CHECK(trace.end_reason == EndReason::zeno);
    CHECK(trace.end_t == close_to(zeno));
    REQUIRE(trace.errors.size() == 1);
    CHECK(trace.errors[0].kind == ErrorKind::no_progress);

    const Trace stopped =
        try_diagram("bouncing_ball", {{"simulation.stop", "20"}, {"simulation.zeno", "stop"}});
    CHECK(stopped.end_reason == EndReason::zeno);
    CHECK(stopped.errors.empty());
    CHECK(stopped.end_t == trace.end_t);
}

TEST_CASE("A thousand balls bounce like one", "[diagrams][ball]") {
    const Trace trace = run_diagram("thousand_balls");
    for (const std::string ball : {"balls[0].", "balls[999]."}) {
        check_bounces(trace, ball, 0.8, 2);
        check_flight(trace, ball, 0.8);
    }
    check_samples(trace, "balls[499].y", [](double t) { return ball_at(0.8, t).y; });
}

TEST_CASE("A step size of other methods does not move the bounces", "[diagrams][ball]") {
    // Between bounces the ball is a polynomial of degree two, which these methods integrate exactly; what is
    // left is the location of the contact to their tolerance.
    for (const std::string method : {"dopri5", "rk4", "rosenbrock4", "cvode"}) {
        if (method == "cvode" && !has_cvode()) continue;
        INFO(method);
        const Trace trace =
            run_diagram("bouncing_ball", {{"simulation.method", method}, {"simulation.step", "0.01"}});
        const auto events = events_of(trace, "F");
        REQUIRE(events.size() == 2);
        for (int n = 1; n <= 2; ++n) CHECK(events[n - 1].t == Approx(bounce_time(0.8, n)).epsilon(1e-9));
    }
}

namespace {

// A ball with drag c v |v| falls by tanh and rises by tan; terminal is its terminal speed.
struct Drag {
    double c;
    double terminal = std::sqrt(g / c), length = 1 / c;

    // Falls from rest from a height: when it lands, and how fast.
    double fall_time(double from) const { return std::acosh(std::exp(from / length)) * terminal / g; }
    double speed_after(double time) const { return terminal * std::tanh(g * time / terminal); }
    double drop_after(double time) const { return length * std::log(std::cosh(g * time / terminal)); }
    // Rises with speed v: for how long and how high.
    double rise_time(double v) const { return std::atan(v / terminal) * terminal / g; }
    double apex(double v) const { return -length * std::log(std::cos(std::atan(v / terminal))); }
    double speed_before_apex(double time) const { return terminal * std::tan(g * time / terminal); }
};

}  // namespace

TEST_CASE("The jerk of a ball with drag carries delta and delta' at every bounce", "[diagrams][ball]") {
    for (const double c : {0.05, 0.4}) {
        const double e = 0.8;
        const Drag drag{c};
        const Trace trace =
            run_diagram("ball_with_drag", {{"c", std::to_string(c)}, {"simulation.stop", "3.5"}});
        const auto events = events_of(trace, "v");
        REQUIRE(events.size() >= 2);
        double top = height, t = 0;
        for (const Event& event : events) {
            const double fall = drag.fall_time(top), down = drag.speed_after(fall), up = e * down;
            t += fall;
            CHECK(event.t == close_to(t));
            // a = -g - c v|v|, j = -2 c |v| a
            const double a_left = -g + c * down * down, a_right = -g - c * up * up;
            check_jump(trace, event, "v", -down, up);
            check_jump(trace, event, "a", a_left, a_right, {down + up});
            check_jump(trace, event, "j", -2 * c * down * a_left, -2 * c * up * a_right,
                       {a_right - a_left, down + up});
            t += drag.rise_time(up);
            top = drag.apex(up);
        }
    }
}

TEST_CASE("A ball with drag falls by tanh and rises by tan", "[diagrams][ball]") {
    const Drag drag{0.05};
    const double landing = drag.fall_time(height), up = 0.8 * drag.speed_after(landing);
    const double apex = landing + drag.rise_time(up);
    const Trace trace = run_diagram("ball_with_drag", {{"simulation.stop", "3.2"}});
    check_samples(trace, "v", [&](double t) {
        if (t < landing) return -drag.speed_after(t);
        return t < apex ? drag.speed_before_apex(apex - t) : -drag.speed_after(t - apex);
    });
    check_samples(trace, "y", [&](double t) {
        if (t < landing) return height - drag.drop_after(t);
        if (t >= apex) return drag.apex(up) - drag.drop_after(t - apex);
        return drag.apex(up) - drag.apex(drag.speed_before_apex(apex - t));
    });
}

TEST_CASE("A ball finds every stair it lands on", "[diagrams][ball]") {
    const double e = 0.7, depth = 0.6;
    const Trace trace = run_diagram("ball_on_stairs");
    const auto contacts = events_of(trace, "F");
    std::size_t next = 0;
    double t = 0, y = 1, v = 0;
    for (int stair = 0; stair < 8; ++stair)
        while (true) {  // hop until the stair ends: y + v h - g h^2/2 = ground
            const double ground = -depth * stair;
            const double hop = (v + std::sqrt(v * v + 2 * g * (y - ground))) / g;
            const double h = std::min(hop, stair + 1 - t);
            y += v * h - g * h * h / 2;
            v -= g * h;
            t += h;
            if (h < hop) break;
            REQUIRE(next < contacts.size());
            CHECK(contacts[next].t == close_to(t));
            check_jump(trace, contacts[next], "v", v, -e * v);
            check_jump(trace, contacts[next++], "F", 0, 0, {-(1 + e) * v});
            y = ground;
            v *= -e;
        }
    CHECK(next == contacts.size());
    check_samples(trace, "ground", [](double t) { return -0.6 * std::floor(t); });
}
