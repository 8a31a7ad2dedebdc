// Every example of the block catalogue, run as a model.
#include "blocks/catalogue.hpp"
#include "engine/simulate.hpp"
#include "signal/print.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

using namespace deltaflow;

namespace {

// Examples are numbers of a few digits through a few operations each.
constexpr double tolerance = 1e-12;

std::string example_model(const BlockType& type, const Example& example) {
    return fmt::format(
        "[blocks]\n"
        "H = {{ type = \"step\", at = 1 }}\n"
        "d = {{ type = \"impulse\", at = 1 }}\n"
        "d1 = {{ type = \"impulse\", at = 1, order = 1 }}\n"
        "d2 = {{ type = \"impulse\", at = 1, order = 2 }}\n"
        "y = {}\n"
        "[simulation]\nstop = 2\nevery = 0.5\nrecord = [\"y\"]\n",
        example_block(type, example));
}

struct Outcome {
    Germ<double> germ;  // at t = 1
    std::string error;
};

double sample_at_one(const Trace& trace) {
    const auto at = std::find(trace.t.begin(), trace.t.end(), 1.0);
    REQUIRE(at != trace.t.end());
    return trace.samples[0][at - trace.t.begin()];
}

// What the trace says of t = 1: its event there, or the sample if nothing happened.
Germ<double> germ_at_one(const Trace& trace) {
    for (const Event& event : trace.events) {
        if (event.t != 1 || event.jump_count == 0) continue;
        REQUIRE(event.jump_count == 1);
        const Jump& jump = trace.jumps_of(event)[0];
        const auto impulses = trace.impulses_of(jump);
        return make_germ<double>({jump.left}, {jump.right}, {impulses.begin(), impulses.end()});
    }
    return Germ<double>::constant(sample_at_one(trace), 1);
}

Outcome run(const std::string& text) {
    try {
        const Trace trace = simulate(load_model_text("example.toml", text));
        if (!trace.errors.empty()) return {{}, trace.errors[0].text};
        return {germ_at_one(trace), ""};
    } catch (const ModelError& e) {
        return {{}, e.what()};
    }
}

bool near(double x, double y) { return std::abs(x - y) <= tolerance * std::max(1.0, std::abs(y)); }

bool near(const std::vector<double>& x, const std::vector<double>& y) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end(), [](double a, double b) { return near(a, b); });
}

}  // namespace

TEST_CASE("Every example of the catalogue gives what it says", "[examples]") {
    for (const BlockType& type : catalogue())
        for (const Example& example : type.examples) {
            if (example.out.empty()) continue;
            INFO(example_block(type, example));
            const Outcome outcome = run(example_model(type, example));
            INFO(outcome.error);
            CHECK(outcome.error.empty());
            INFO(outcome.germ << " instead of " << example.out);
            const Germ<double> wanted = to_double(parse_germ(example.out));
            CHECK(near(outcome.germ.left, wanted.left));
            CHECK(near(outcome.germ.right, wanted.right));
            CHECK(near(outcome.germ.impulses, wanted.impulses));
        }
}

TEST_CASE("Every example of the catalogue that must fail says why", "[examples]") {
    for (const BlockType& type : catalogue())
        for (const Example& example : type.examples) {
            if (example.fails.empty()) continue;
            INFO(example_block(type, example));
            const Outcome outcome = run(example_model(type, example));
            INFO(outcome.germ);
            CHECK_THAT(outcome.error, Catch::Contains(std::string(example.fails)));
        }
}
