// Diagrams that switch, sample or fire.
#include "tests/diagrams/shipped.hpp"

using namespace deltaflow;
using namespace deltaflow::test;

TEST_CASE("A thermostat switches after the logarithms of its temperatures", "[diagrams]") {
    const double outside = 5, tau = 8, hot = 37;
    for (const auto& [low, high] : {std::pair(19.0, 21.0), std::pair(19.5, 19.75)}) {
        const Trace trace =
            run_diagram("thermostat", {{"low", std::to_string(low)}, {"high", std::to_string(high)}});
        const double heating = tau * std::log((hot - low) / (hot - high));
        const double cooling = tau * std::log((high - outside) / (low - outside));
        std::vector<double> times{0};
        double next = tau * std::log((hot - outside) / (hot - high));
        for (bool on = true; next < 24; on = !on, next += on ? heating : cooling) times.push_back(next);
        const auto events = events_of(trace, "heater");
        REQUIRE(events.size() == times.size() - 1);
        for (std::size_t i = 0; i < events.size(); ++i) {
            CHECK(events[i].t == close_to(times[i + 1]));
            check_jump(trace, events[i], "heater", i % 2 == 0, i % 2 == 1);
        }
        const auto temperature = [&, low = low, high = high](double t) {
            const auto phase = std::upper_bound(times.begin(), times.end(), t) - times.begin() - 1;
            const double decay = std::exp(-(t - times[phase]) / tau);
            if (phase == 0) return hot + (outside - hot) * decay;
            return phase % 2 == 0 ? hot + (low - hot) * decay : outside + (high - outside) * decay;
        };
        check_samples(trace, "T", temperature);
    }
}

TEST_CASE("A sampled PID controller follows its recursion", "[diagrams]") {
    const double tau = 1, h = 0.1, kp = 2, ki = 1.5, kd = 0.05;
    const double a = std::exp(-h / tau);
    const Trace trace = run_diagram("sampled_pid");
    const auto events = events_of(trace, "u");
    REQUIRE(events.size() == 51);
    double y = 0, s = 0, e_before = 0, u_before = 0;
    std::vector<double> ys, us;
    for (std::size_t k = 0; k < events.size(); ++k) {
        const double e = 1 - y, s_before = s;
        s += h * e;
        const double u = kp * e + ki * s + kd * (e - e_before) / h;
        CHECK(events[k].t == close_to(static_cast<double>(k) / 10));
        check_jump(trace, events[k], "u", u_before, u);
        check_jump(trace, events[k], "s", s_before, s);
        ys.push_back(y);
        us.push_back(u);
        y = a * y + (1 - a) * u;
        e_before = e;
        u_before = u;
    }
    check_samples(trace, "y", [&](double t) {
        const auto k = static_cast<std::size_t>(t * 10 + 1e-9);
        return us[k] + (ys[k] - us[k]) * std::exp(-(t - static_cast<double>(k) / 10) / tau);
    });
}

TEST_CASE("A neuron fires at equal intervals and its spikes arrive later", "[diagrams]") {
    const double tau = 10, weight = 0.25;
    for (const double drive : {2.0, 1.25}) {
        INFO("drive " << drive);
        const double interval = tau * std::log(drive / (drive - 1)), r = std::exp(-interval / tau);
        const Trace trace = run_diagram("neuron", {{"drive", std::to_string(drive)}});
        const auto spikes = events_of(trace, "spike"), heard = events_of(trace, "heard");
        REQUIRE(spikes.size() == static_cast<std::size_t>(60 / interval));
        REQUIRE(heard.size() == static_cast<std::size_t>((60 - 3) / interval));
        for (std::size_t n = 0; n < spikes.size(); ++n) {
            CHECK(spikes[n].t == close_to(static_cast<double>(n + 1) * interval));
            check_jump(trace, spikes[n], "v", 1, 0);
            check_jump(trace, spikes[n], "spike", 0, 0, {1});
        }
        double level = 0;
        for (std::size_t n = 0; n < heard.size(); ++n, level = (level + weight) * r) {
            CHECK(heard[n].t == close_to(static_cast<double>(n + 1) * interval + 3));
            check_jump(trace, heard[n], "heard", 0, 0, {1});
            check_jump(trace, heard[n], "w", level, level + weight);
        }
        check_samples(trace, "v",
                      [=](double t) { return drive * (1 - std::exp(-std::fmod(t, interval) / tau)); });
    }
}

TEST_CASE("Doses add up to a geometric series", "[diagrams]") {
    const double dose = 500.0 / 40, k = std::log(2.0) / 6, interval = 8;
    const Trace trace = run_diagram("dosing");
    REQUIRE(trace.events.size() == 9);
    const double r = std::exp(-k * interval);
    for (int n = 0; n < 9; ++n) {
        const double after = dose * (1 - std::pow(r, n + 1)) / (1 - r);
        const Event& event = event_at(trace, 1 + n * interval);
        check_jump(trace, event, "c", after - dose, after);
        check_jump(trace, event, "doses", 0, 0, {dose});
    }
    const auto level = [=](double t) {
        const int n = static_cast<int>((t - 1) / interval);
        const double after = dose * (1 - std::pow(r, n + 1)) / (1 - r);
        return t < 1 ? 0 : after * std::exp(-k * (t - 1 - n * interval));
    };
    check_samples(trace, "c", level);
    // All that came in either left, k times the area, or is still there.
    check_samples(trace, "area", [=](double t) {
        return t < 1 ? 0 : (dose * (std::floor((t - 1) / interval) + 1) - level(t)) / k;
    });
}

TEST_CASE("A mass slides along a line and does not feel what pushes it", "[diagrams]") {
    const double a = 1.5, U = 3, D = 2, w = 5;
    const auto v = [&](double t) { return -U * t + D / w * (1 - std::cos(w * t)); };
    const auto x = [&](double t) { return 1 - U * t * t / 2 + D / w * t - D / (w * w) * std::sin(w * t); };
    double low = 0, high = 1;  // s = v + a x falls from a
    for (int i = 0; i < 60; ++i) {
        const double t = (low + high) / 2;
        (v(t) + a * x(t) > 0 ? low : high) = t;
    }
    const double begin = low, x0 = x(begin);
    const Trace trace = run_diagram("sliding_mode_control");
    REQUIRE(trace.sliding.size() == 1);
    CHECK(trace.sliding[0].block == "u");
    CHECK(trace.sliding[0].from == close_to(begin));
    CHECK(trace.sliding[0].to == 5);
    const auto along = [&](double t) { return x0 * std::exp(-a * (t - begin)); };
    check_samples(trace, "x", [&](double t) { return t < begin ? x(t) : along(t); });
    check_samples(trace, "v", [&](double t) { return t < begin ? v(t) : -a * along(t); });
    check_samples(trace, "u",
                  [&](double t) { return t < begin ? -U : a * a * along(t) - D * std::sin(w * t); });
    check_samples(trace, "s", [&](double t) { return t < begin ? v(t) + a * x(t) : 0; });
}
