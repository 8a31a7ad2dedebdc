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
