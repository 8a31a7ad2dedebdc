// Free flight and instants: an elastic ball, against an event loop by hand and against CVODE.
#include "bench/bench.hpp"
#include "bench/flight_by_hand.hpp"

#include <fmt/format.h>

#include <cmath>

namespace deltaflow::bench {

namespace {

constexpr double g = 9.81, height = 10;
constexpr int bounces = 100000, cvode_bounces = 1000;
const double first_bounce = std::sqrt(2 * height / g);

// Bounce n = 1, 2, ... is at (2n - 1) t1; stop half way between two of them.
double stop_after(int n) { return 2 * n * first_bounce; }

const std::string ball_text = R"toml(
[parameters]
g = 9.81
[blocks]
a   = "-g + F"
F   = "-2 * pre(v) * hit"
hit = { type = "crossing", in = "y", direction = "falling" }
v   = { type = "integrator", in = "a" }
y   = { type = "integrator", in = "v", initial = 10 }
[simulation]
record = ["v", "F"]
)toml";

template <class Bounces, class Time>
double largest_error(const Bounces& list, Time time, std::size_t count) {
    double largest = 0;
    for (std::size_t n = 0; n < count; ++n)
        largest =
            std::max(largest, std::abs(time(list[n]) - (2.0 * static_cast<double>(n) + 1) * first_bounce));
    return largest;
}
double time_of_event(const Event& e) { return e.t; }
double time_of_bounce(const Bounce& b) { return b.t; }

void expect_same(const Trace& trace, const std::vector<Bounce>& hand) {
    expect_equal("number of bounces", static_cast<double>(trace.events.size()),
                 static_cast<double>(hand.size()), 0);
    for (std::size_t n = 0; n < hand.size(); ++n) {
        expect_equal("time of a bounce", trace.events[n].t, hand[n].t, 1e-9);
        expect_equal("velocity after a bounce", trace.jumps_of(trace.events[n])[0].right, hand[n].after,
                     1e-9);
        expect_equal("impulse of a bounce", trace.impulses_of(trace.jumps_of(trace.events[n])[1])[0],
                     hand[n].impulse, 1e-9);
    }
}

void against_cvode(Figures& figures, const FlatModel& model) {
    const FlatModel few = until(model, stop_after(cvode_bounces));
    Trace trace;
    std::vector<Bounce> by_cvode;
    const auto [engine, cvode] = race(
        7, [&] { trace = simulate(few); },
        [&] { by_cvode = bounces_by_cvode(g, height, cvode_bounces, few.settings.tolerance); });
    if (by_cvode.empty()) return;
    expect_equal("bounces by CVODE", static_cast<double>(by_cvode.size()), cvode_bounces, 0);
    const double error = largest_error(trace.events, time_of_event, cvode_bounces),
                 cvode_error = largest_error(by_cvode, time_of_bounce, cvode_bounces);
    figures.push_back({"flight: time / CVODE", engine / cvode, "ratio", 0.1,
                       fmt::format("{:.3g} us against {:.3g} us a bounce", 1e6 * engine / cvode_bounces,
                                   1e6 * cvode / cvode_bounces)});
    figures.push_back(
        {"flight: error / CVODE", error / cvode_error, "ratio", 1,
         fmt::format("{:.2g} s against {:.2g} s after {} bounces", error, cvode_error, cvode_bounces)});
}

}  // namespace

Figures flight() {
    const FlatModel model = load_model_text("ball.toml", ball_text);
    const FlatModel many = until(model, stop_after(bounces));
    Trace trace;
    std::vector<Bounce> by_hand;
    const auto [engine, hand] = race(
        5, [&] { trace = simulate(many); },
        [&] { by_hand = bounces_by_hand(g, height, stop_after(bounces)); });
    expect_same(trace, by_hand);
    Figures figures{{"flight: time / hand-written", engine / hand, "ratio", 10,
                     fmt::format("{} bounces, {:.3g} us against {:.3g} us each", trace.events.size(),
                                 1e6 * engine / bounces, 1e6 * hand / bounces)}};
    against_cvode(figures, model);
    return figures;
}

}  // namespace deltaflow::bench
