// Newton's cradle against sequences of pair collisions in exact numbers.
#include "tests/diagrams/shipped.hpp"

#include <fmt/format.h>

using namespace deltaflow;
using namespace deltaflow::test;

namespace {

std::vector<double> final_speeds(int n, int k, const std::string& e, Trace* whole = nullptr) {
    std::vector<std::string> record;
    for (int i = 0; i < n; ++i) record.push_back(fmt::format("ball[{}].body.flow", i));
    const Changes set{{"n", std::to_string(n)}, {"k", std::to_string(k)}, {"e", e}};
    Trace trace = simulate(
        load_model(diagram_path("newtons_cradle"), {.set = set, .record = record, .max_blocks = {}}));
    for (const RunError& error : trace.errors) FAIL_CHECK(error.text);
    CHECK(trace.warnings.empty());
    std::vector<double> speeds;
    for (const auto& row : trace.samples) speeds.push_back(row.back());
    if (whole) *whole = std::move(trace);
    return speeds;
}

// Leftmost approaching pair first, equal masses.
std::vector<double> pair_collisions(int n, int k, double e, int& collisions) {
    std::vector<double> v(static_cast<std::size_t>(n), 0.0);
    std::fill_n(v.begin(), k, 1.0);
    for (collisions = 0;; ++collisions) {
        std::size_t i = 0;
        while (i + 1 < v.size() && !(v[i] - v[i + 1] > 1e-15)) ++i;
        if (i + 1 == v.size()) return v;
        const double p = (1 + e) * (v[i] - v[i + 1]) / 2;
        v[i] -= p;
        v[i + 1] += p;
    }
}

}  // namespace

TEST_CASE("As many balls leave a cradle as came in", "[diagrams][bonds]") {
    check_samples(run_diagram("newtons_cradle"), "speed", [](double t) { return t < 0.5 ? 1.0 : 0.0; });
    for (const auto& [n, k] :
         {std::pair(3, 1), std::pair(3, 2), std::pair(5, 1), std::pair(5, 2), std::pair(5, 3)}) {
        INFO(n << " balls, " << k << " moving");
        Trace trace;
        const auto speeds = final_speeds(n, k, "1", &trace);
        for (int i = 0; i < n; ++i)
            CHECK(speeds[static_cast<std::size_t>(i)] == close_to(i >= n - k ? 1 : 0));
        // Each of the k (n - k) collisions is a mode that holds for no time: it is entered and left.
        CHECK(trace.events.size() == static_cast<std::size_t>(2 * k * (n - k)));
        for (const Event& event : trace.events) CHECK(event.t == 0.5);
        for (const EnergyEvent& event : trace.energy.instants)
            CHECK(event.stored_after == close_to(event.stored_before));
    }
}

TEST_CASE("A cradle with restitution follows its pairs", "[diagrams][bonds]") {
    const auto check = [](const std::vector<double>& seen, const std::vector<double>& wanted) {
        REQUIRE(seen.size() == wanted.size());
        for (std::size_t i = 0; i < wanted.size(); ++i) CHECK(seen[i] == close_to(wanted[i]));
    };
    check(final_speeds(3, 1, "0.8"), {0.091, 0.099, 0.81});
    check(final_speeds(3, 1, "0.5"), {13.0 / 64, 15.0 / 64, 9.0 / 16});
    int collisions = 0;
    check(final_speeds(6, 2, "0.7"), pair_collisions(6, 2, 0.7, collisions));
    CHECK(collisions > 10);
    check(final_speeds(3, 1, "0"), {1.0 / 3, 1.0 / 3, 1.0 / 3});
}

TEST_CASE("A cradle of ever heavier balls hands on what its masses allow", "[diagrams][bonds]") {
    // Masses 1, 2, 4: the first ball bounces back off the second one, and that off the third.
    const Changes set{{"n", "3"}, {"ratio", "2"}};
    const Trace trace =
        simulate(load_model(diagram_path("newtons_cradle"),
                            {.set = set,
                             .record = {{"ball[0].body.flow", "ball[1].body.flow", "ball[2].body.flow"}},
                             .max_blocks = {}}));
    const double speeds[] = {-1.0 / 3, -2.0 / 9, 4.0 / 9};
    for (std::size_t i = 0; i < 3; ++i) CHECK(trace.samples[i].back() == Approx(speeds[i]).epsilon(1e-13));
}
