// A hysteresis at the start comes from its initial value, whatever branches were tried on the way.
#include "tests/campaign/outcome.hpp"

#include <catch2/catch.hpp>

using namespace deltaflow::campaign;

// exp(-abs(h)) is below 1, but above it on the branch of abs that is tried first.
TEST_CASE("A hysteresis between its thresholds begins with its initial value", "[campaign]") {
    for (const char* const initial : {"0", "1"}) {
        const std::string text = std::string(R"toml(
[blocks]
h = "1 + 0*t"
a = { type = "exp", in = "-abs(h)" }
y = { type = "hysteresis", in = "a", low = -0.5, high = 0.75, initial = )toml") +
                                 initial + " }\n[simulation]\nstop = 1\nrecord = [\"y\"]\n";
        const double wanted = initial[0] - '0';
        for (const char* const impulses : {"symbolic", "numeric"}) {
            Plan plan;
            plan.set = {{"simulation.impulses", impulses}};
            const Outcome outcome = run(text, plan);
            REQUIRE(outcome.code == 0);
            CHECK(outcome.samples[0].front() == wanted);
            CHECK(outcome.samples[0].back() == wanted);
        }
    }
}

TEST_CASE("A period that the rounding of the time swallows ends the run", "[campaign][slow]") {
    for (const char* const block : {R"({ type = "impulse", at = 1, period = 5e-324 })",
                                    R"({ type = "hold", in = "t", period = 1e-30 })"})
        for (const char* const impulses : {"symbolic", "numeric"}) {
            Plan plan;
            plan.set = {{"simulation.impulses", impulses}};
            CHECK(run(std::string("[blocks]\na = ") + block + "\n[simulation]\nstart = 0.5\nstop = 2\n", plan)
                      .code == 5);
        }
}

TEST_CASE("A step that the rounding of the time swallows is refused", "[campaign]") {
    const std::string text = "[blocks]\na = \"t\"\n[simulation]\nstop = 5e-324\n";
    for (const auto& setting :
         {std::pair{"simulation.impulses", "numeric"}, std::pair{"simulation.method", "rk4"}}) {
        Plan plan;
        plan.set = {{setting.first, setting.second}};
        CHECK(run(text, plan).code == 3);
    }
    CHECK(run(text).code == 0);
}
