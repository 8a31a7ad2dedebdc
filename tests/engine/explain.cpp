// Explained instants: their numbers are those of the trace, and every line adds up.
#include "engine/explain.hpp"
#include "tests/paths.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

using namespace deltaflow;

namespace {

std::string diagram(const std::string& name) {
    return test::project_folder() + "/diagrams/" + name + ".toml";
}

std::vector<std::string> shipped() {
    std::vector<std::string> paths;
    for (const auto& entry : std::filesystem::directory_iterator(test::project_folder() + "/diagrams"))
        if (entry.path().extension() == ".toml") paths.push_back(entry.path().string());
    std::sort(paths.begin(), paths.end());
    return paths;
}

Explanation event(const FlatModel& model, std::uint64_t number, bool all = false) {
    return explain(model, {.at = {}, .event = number, .all = all});
}

double rung(const std::vector<double>& rungs, std::size_t k) { return k < rungs.size() ? rungs[k] : 0; }

// Rounding of values that went through a solve.
Approx near(double x, double size) { return Approx(x).epsilon(1e-9).margin(1e-9 * (1 + size)); }

// The law of a block, on the numbers that are shown.
void check_law(const WorkedSolve& solve, const WorkedBlock& b) {
    if (b.inputs.empty()) return;
    const auto in = [&](std::size_t j) -> const WorkedBlock& { return solve.blocks[b.inputs[j]]; };
    CAPTURE(b.name);
    if (b.op == Primitive::integrator) {
        CHECK(rung(b.right, 0) == near(rung(b.left, 0) + rung(in(0).impulses, 0), std::abs(rung(b.left, 0))));
        for (std::size_t i = 1; i < in(0).impulses.size(); ++i)
            CHECK(rung(b.impulses, i - 1) == near(in(0).impulses[i], 0));
    }
    if (b.op == Primitive::derivative)
        CHECK(rung(b.impulses, 0) ==
              near(rung(in(0).right, 0) - rung(in(0).left, 0), std::abs(rung(in(0).left, 0))));
    if (b.op == Primitive::affine) {
        double value = b.parameters[0], delta = 0, size = std::abs(value);
        for (std::size_t j = 0; j < b.inputs.size(); ++j) {
            value += b.parameters[j + 1] * rung(in(j).right, 0);
            delta += b.parameters[j + 1] * rung(in(j).impulses, 0);
            size += std::abs(b.parameters[j + 1] * rung(in(j).right, 0));
        }
        if (b.solved) CHECK(rung(b.right, 0) == near(value, size));
        CHECK(rung(b.impulses, 0) == near(delta, size));
    }
    if (b.op == Primitive::product && b.solved)
        CHECK(rung(b.right, 0) == near(rung(in(0).right, 0) * rung(in(1).right, 0), 0));
}

}  // namespace

TEST_CASE("an explained instant has the numbers of the trace", "[explain][slow]") {
    for (const std::string& path : shipped()) {
        if (path.find("thousand_balls") != std::string::npos) continue;
        CAPTURE(path);
        FlatModel model =
            load_model(path, {.set = {{"simulation.zeno", "stop"}}, .record = {}, .max_blocks = {}});
        const Trace trace = simulate(model);
        for (std::size_t e = 0; e < trace.events.size() && e < 6; ++e) {
            const Event& expected = trace.events[e];
            CAPTURE(expected.t, expected.epsilon, expected.index);
            const Explanation found = event(model, e + 1);
            REQUIRE(found.found);
            CHECK(found.t == expected.t);
            std::map<std::string, const WorkedBlock*> told;
            for (const WorkedInstant& instant : found.instants)
                for (const WorkedSolve& solve : instant.solves)
                    if (solve.epsilon == expected.epsilon && solve.index == expected.index) {
                        CHECK(solve.committed == expected.committed);
                        for (const WorkedBlock& b : solve.blocks) {
                            if (b.named) told[b.name] = &b;
                            for (const std::string& name : b.also) told[name] = &b;
                        }
                    }
            for (const Jump& jump : trace.jumps_of(expected)) {
                const std::string& name = trace.signals[jump.signal];
                CAPTURE(name);
                REQUIRE(told.count(name) == 1);
                const WorkedBlock& b = *told[name];
                CHECK(b.after == Approx(jump.right).margin(1e-15));
                CHECK((b.changes ? rung(b.left, 0) : b.after) == Approx(jump.left).margin(1e-15));
                const auto impulses = trace.impulses_of(jump);
                CHECK(b.impulses == std::vector<double>(impulses.begin(), impulses.end()));
            }
        }
    }
}

TEST_CASE("every line of an explanation adds up", "[explain]") {
    for (const std::string& path : shipped()) {
        if (path.find("thousand_balls") != std::string::npos) continue;
        CAPTURE(path);
        const FlatModel model =
            load_model(path, {.set = {{"simulation.zeno", "stop"}}, .record = {}, .max_blocks = {}});
        for (const bool all : {false, true}) {
            const Explanation found = event(model, 1, all);
            for (const WorkedInstant& instant : found.instants)
                for (const WorkedSolve& solve : instant.solves)
                    for (const WorkedBlock& b : solve.blocks) check_law(solve, b);
        }
    }
}

TEST_CASE("looking at a run does not change it", "[explain]") {
    const FlatModel model = load_model(diagram("cradle_with_rider"));
    InstantLog log{.model = model, .from = 0, .to = 10};
    RunControl control;
    control.log = &log;
    const Trace plain = simulate(model), watched = simulate(model, control);
    CHECK(plain.samples == watched.samples);
    CHECK(plain.impulses == watched.impulses);
    CHECK(log.times == std::vector{1.0});
}

TEST_CASE("an instant is found by its time as it is printed, and by nothing else", "[explain]") {
    const FlatModel model = load_model(diagram("bouncing_ball"));
    const double t = std::sqrt(2 * 10 / 9.81);
    for (const double at : {1.42784312, t, t * (1 + 1e-9)}) CHECK(explain(model, {.at = at}).found);
    for (const double at : {1.0, 1.4278, 1.43}) {
        const Explanation found = explain(model, {.at = at});
        CHECK_FALSE(found.found);
        REQUIRE(!found.near.empty());
        CHECK(found.near.front().first == Approx(t));
        CHECK(found.near.front().second == 1);
    }
    CHECK_FALSE(event(model, 1000).found);
}

TEST_CASE("modes that were left behind are explained with the guard that ended them", "[explain]") {
    const Explanation found = event(load_model(diagram("cradle_with_rider")), 1);
    REQUIRE(found.instants.size() == 1);
    const auto& solves = found.instants[0].solves;
    REQUIRE(solves.size() == 3);
    CHECK_FALSE(solves[0].committed);
    REQUIRE(solves[0].because.size() == 1);
    CHECK(solves[0].because[0].automaton == "F13");
    REQUIRE(solves[0].left_by.size() == 1);
    CHECK(solves[0].left_by[0].automaton == "F23");
    REQUIRE(solves[0].left_by[0].comparisons.size() == 1);
    CHECK(solves[0].left_by[0].comparisons[0].value == Approx(0.1));
    CHECK(solves[1].committed);
    CHECK(solves[1].index == 1);
    CHECK(solves[2].epsilon == 1);
    CHECK(solves[1].stored_before == Approx(0.5));
    CHECK(solves[1].stored_after == Approx(0.41));
    REQUIRE(solves[1].dissipated.size() == 1);
    CHECK(solves[1].dissipated[0].second == Approx(0.09));
}

TEST_CASE("what is not defined is explained up to where it fails", "[explain]") {
    const FlatModel model = load_model_text("m.toml", R"(
[blocks]
a   = "-10 + F"
F   = "-2 * v * hit"
hit = { type = "crossing", in = "y", direction = "falling" }
v   = { type = "integrator", in = "a" }
y   = { type = "integrator", in = "v", initial = 5 }
)");
    for (const InstantChoice& choice : {InstantChoice{1.0, 0, false}, InstantChoice{{}, 1, false}}) {
        const Explanation found = explain(model, choice);
        REQUIRE(found.found);
        REQUIRE(found.errors.size() == 1);
        CHECK(found.errors[0].kind == ErrorKind::undefined);
        REQUIRE(found.instants.size() == 1);
        REQUIRE(found.instants[0].failure);
        const WorkedFailure& failure = *found.instants[0].failure;
        CHECK(failure.block == "F");
        REQUIRE(failure.at >= 0);
        CHECK(found.instants[0].solves.back().blocks[static_cast<std::size_t>(failure.at)].op ==
              Primitive::product);
    }
}
