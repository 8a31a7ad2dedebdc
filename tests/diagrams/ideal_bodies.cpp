// Contacts and dry friction under [mechanics] and in bond graphs.
#include "tests/diagrams/piecewise.hpp"

using namespace deltaflow;
using namespace deltaflow::test;

TEST_CASE("A block on a belt sticks and slips", "[diagrams]") {
    const Trace trace = run_diagram("stick_slip");
    const double k = 10, w = 0.2, omega = std::sqrt(k), low = 0.05, high = 0.15, middle = 0.1;
    const double slip = (2 * std::acos(-1.0) - 2 * std::atan((high - middle) * omega / w)) / omega;
    const double stick = (high - low) / w;
    double from = 0, begin = 0;  // of the stick at hand, and its position
    check_all(trace, "x.position", [&](double t) {
        const auto length = [&] { return (high - begin) / w; };
        while (t > from + length() + slip) {
            from += length() + slip;
            begin = low;
        }
        const double s = t - from;
        if (s <= length()) return begin + w * s;
        const double phase = omega * (s - length());
        return middle + (high - middle) * std::cos(phase) + w / omega * std::sin(phase);
    });
    CHECK(event_at(trace, 0.75).t == about(0.75));
    CHECK(event_at(trace, 0.75 + slip).t == about(0.75 + slip));
    CHECK(event_at(trace, 0.75 + slip + stick).t == about(0.75 + slip + stick));
}

TEST_CASE("A block creeps down an incline that shakes", "[diagrams]") {
    const Trace trace = run_diagram("block_on_an_incline");
    const double pi = std::acos(-1.0), g = 9.81, angle = pi / 9, A = 0.4, w = 10;
    const double down = g * std::sin(angle), rub = 0.5 * g * std::cos(angle), period = 2 * pi / w;
    const double first = (pi + std::asin((rub - down) / (A * w))) / w;
    const auto slipping = [&](double t) {  // velocity on the table
        return A * std::cos(w * first) + (rub - down) * (t - first) - A * std::cos(w * t);
    };
    const double last = root_of(slipping, first + 1e-6, first + period);
    const auto slipped = [&](double t) {
        return A * std::cos(w * first) * (t - first) + (rub - down) * (t - first) * (t - first) / 2 -
               A / w * (std::sin(w * t) - std::sin(w * first));
    };
    check_all(trace, "slip", [&](double t) {
        const double n = std::floor((t - first) / period), s = t - n * period;  // since a slip began
        return n < 0 ? 0 : n * slipped(last) + slipped(std::min(s, last));
    });
    CHECK(event_at(trace, first).t == about(first));
    CHECK(event_at(trace, last).t == about(last));
}

TEST_CASE("Boxes fall on each other, one impact after the other", "[diagrams]") {
    const Trace trace = run_diagram("falling_stack");
    const double g = 9.81, h = 0.5;
    double height = 0;
    REQUIRE(trace.events.size() == 5);
    for (int i = 0; i < 5; ++i) {
        height += h * (i + 1);
        const Event& event = event_at(trace, std::sqrt(2 * height / g));
        const double blow = std::sqrt(2 * g * height);
        check_jump(trace, event, "box[0].k.effort", g * i, g * (i + 1), {blow});
    }
}

TEST_CASE("A ball on a string is caught, and hangs in the end", "[diagrams]") {
    const Trace trace = run_diagram("ball_on_a_string");
    const double g = 9.81, e = 0.6, l = 1;
    double t = std::sqrt(2 * l / g), v = g * t;
    for (int i = 0; i < 8; ++i) {
        const Event& event = event_at(trace, t);
        check_jump(trace, event, "x.velocity", -v, e * v);
        check_jump(trace, event, "string.force", 0, 0, {0.5 * v * (1 + e)});
        v *= e;
        t += 2 * v / g;
    }
    check_all(trace, "x.position", [&](double time) {
        double begin = std::sqrt(2 * l / g), speed = e * g * begin;
        if (time < begin) return -g * time * time / 2;
        while (speed > 1e-9 && time > begin + 2 * speed / g) {
            begin += 2 * speed / g;
            speed *= e;
        }
        const double s = time - begin;
        return speed <= 1e-9 ? -l : -l + speed * s - g * s * s / 2;
    });
    CHECK(trace.samples[signal_index(trace, "string.force")].back() == about(0.5 * g));
}

TEST_CASE("A rocking block comes to rest on both corners", "[diagrams]") {
    const Trace trace = run_diagram("rocking_block");
    const double m = 2, g = 9.81, b = 0.5, J = 0.2, e = 0.5, start = 0.1;
    // It turns about the corner that lies: (J + m b^2) a'' = m g b.
    const double rate = m * g * b / (J + m * b * b);
    const double first = std::sqrt(2 * start / rate);
    const Event& blow = event_at(trace, first);
    const double spin = rate * first;
    // The corner that falls rebounds; the other one stays: turning about it, with e times the spin.
    check_jump(trace, blow, "spin.flow", -spin, e * spin);
    CHECK(trace.samples[signal_index(trace, "k1.effort")].back() == about(m * g / 2));
    CHECK(trace.samples[signal_index(trace, "k2.effort")].back() == about(m * g / 2));
}

TEST_CASE("The blow of the first ball reaches the last one within an instant", "[diagrams]") {
    const Trace trace = run_diagram("cradle_by_contacts");
    const double omega = std::sqrt(9.81), half = std::acos(-1.0) / omega;
    const auto swing = [&](double t, bool last) {
        const double n = std::floor(t / half), s = t - n * half;
        const bool flies = (static_cast<int>(n) % 2 == 0) == last;
        return flies ? (last ? 1 : -1) * std::sin(omega * s) / omega : 0;
    };
    check_all(trace, "x5.position", [&](double t) { return swing(t, true); });
    check_all(trace, "x1.position", [&](double t) { return swing(t, false); });
    const auto at_start = std::count_if(trace.events.begin(), trace.events.end(),
                                        [](const Event& event) { return event.t == 0 && event.committed; });
    CHECK(at_start == 4);
}
