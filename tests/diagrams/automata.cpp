// Diagrams whose automata have timers and values.
#include "tests/diagrams/shipped.hpp"

using namespace deltaflow;
using namespace deltaflow::test;

namespace {

std::vector<double> times_of(const Trace& trace, std::string_view signal) {
    std::vector<double> times;
    for (const Event& event : events_of(trace, signal))
        if (event.committed) times.push_back(event.t);
    return times;
}

}  // namespace

TEST_CASE("A traffic light keeps its times, and a request ends green early", "[diagrams]") {
    const Trace trace = run_diagram("traffic_light");
    // The request comes in the second green, from 88 on, after its eight seconds: it ends at 100.
    CHECK(times_of(trace, "light.green") ==
          std::vector<double>{30, 55, 88, 100, 133, 158, 191, 216, 249, 274});
    CHECK(times_of(trace, "light.rounds") == std::vector<double>{58, 103, 161, 219, 277});
    CHECK(trace.samples[signal_index(trace, "light.rounds")].back() == 5);
    const Trace early = run_diagram("traffic_light", {{"asks", "90"}});
    CHECK(times_of(early, "light.green")[3] == 96);
    const Trace never = run_diagram("traffic_light", {{"asks", "100000"}, {"simulation.stop", "58000"}});
    const auto rounds = times_of(never, "light.rounds");
    REQUIRE(rounds.size() == 1000);
    for (std::size_t i = 0; i < rounds.size(); ++i) CHECK(rounds[i] == 58.0 * static_cast<double>(i + 1));
}

TEST_CASE("A button that chatters is pressed once", "[diagrams]") {
    const Trace trace = run_diagram("debounced_button");
    const auto down = times_of(trace, "button.down");
    REQUIRE(down.size() == 2);
    CHECK(down[0] == close_to(0.132));
    CHECK(down[1] == close_to(0.5));
    CHECK(trace.samples[signal_index(trace, "button.presses")].back() == 1);
    CHECK(trace.samples[signal_index(trace, "button.since")].back() == close_to(0.132));
}

TEST_CASE("A gear box shifts at its turns, and the car does not jump", "[diagrams]") {
    const double first = 20.0 / 6, second = first + 0.4 + 20.0 / 3;
    for (const std::string method : {"taylor", "dopri5", "rosenbrock4"}) {
        const Trace trace = run_diagram("gear_box", {{"simulation.method", method}});
        const auto times = times_of(trace, "box.gear");
        REQUIRE(times.size() == 2);
        CHECK(times[0] == close_to(first + 0.4));
        CHECK(times[1] == close_to(second + 0.4));
        check_samples(trace, "v", [&](double t) {
            if (t < first) return 6 * t;
            if (t < first + 0.4) return 20.0;
            if (t < second) return 20 + 3 * (t - first - 0.4);
            return t < second + 0.4 ? 40.0 : 40 + 2 * (t - second - 0.4);
        });
    }
}

TEST_CASE("An elevator goes where it was called to, one call after the other", "[diagrams]") {
    const Trace trace = run_diagram("elevator");
    CHECK(times_of(trace, "lift.floor") == std::vector<double>{1, 12});
    CHECK(times_of(trace, "lift.open") == std::vector<double>{10, 12, 18, 20});
    check_samples(trace, "y", [](double t) {
        if (t < 1) return 0.0;
        if (t < 12) return std::min(9.0, t - 1);
        return std::max(3.0, 9 - (t - 12));
    });
}
