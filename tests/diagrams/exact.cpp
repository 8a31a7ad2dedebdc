// The shipped models that have a closed form: it agrees with the run, at random times and in every impulse.
#include "engine/exact.hpp"

#include "tests/diagrams/shipped.hpp"
#include "tests/signal/dice.hpp"

using namespace deltaflow;
using namespace deltaflow::test;

namespace {

double value(const ExactSignal& signal, double t) {
    const auto after = std::find_if(signal.pieces.begin(), signal.pieces.end(),
                                    [t](const ExactPiece& p) { return to_double(p.from) > t; });
    REQUIRE(after != signal.pieces.begin());
    return to_double(closed_form::evaluate((after - 1)->p, Quadratic(exact(t))));
}

void check_impulses(const ExactSignal& signal, const Trace& trace, std::uint32_t index) {
    std::size_t seen = 0;
    for (const Event& event : trace.events)
        for (const Jump& jump : trace.jumps_of(event)) {
            if (jump.signal != index || jump.impulse_count == 0 || !event.committed) continue;
            REQUIRE(seen < signal.impulses.size());
            const ExactImpulses& impulses = signal.impulses[seen++];
            CHECK(event.t == close_to(to_double(impulses.at)));
            CHECK(event.epsilon == impulses.epsilon);
            const auto coefficients = trace.impulses_of(jump);
            REQUIRE(coefficients.size() == impulses.coefficients.size());
            for (std::size_t i = 0; i < coefficients.size(); ++i)
                CHECK(coefficients[i] == close_to(to_double(impulses.coefficients[i])));
        }
    CHECK(seen == signal.impulses.size());
}

}  // namespace

TEST_CASE("the closed form of a shipped model agrees with its run") {
    const std::string name =
        GENERATE("bouncing_ball", "collision", "current_step_into_lc", "delta_chain", "derivative_chain",
                 "derivative_rule", "inverse_mass_spring_damper", "newtons_cradle", "product_rule",
                 "step_differentiated", "stiction_breakaway", "thousand_balls", "two_body_collision",
                 "two_capacitors", "two_capacitors_blocks");
    INFO(name);
    const FractionBook book;
    FlatModel model = load_model(diagram_path(name));
    const ExactTrace closed = run_exactly(model, book);
    for (const RunError& error : closed.errors) FAIL_CHECK(error.text);
    Dice dice;
    for (int i = 0; i < 50; ++i)
        model.settings.at.push_back(dice.between(model.settings.start, model.settings.stop));
    const Trace trace = simulate(model);
    REQUIRE(trace.errors.empty());
    for (std::uint32_t s = 0; s < trace.signals.size(); ++s) {
        INFO(trace.signals[s]);
        for (std::size_t i = 0; i < trace.t.size(); ++i) {
            INFO("t = " << trace.t[i]);
            CHECK(trace.samples[s][i] == close_to(value(closed.signals[s], trace.t[i])));
        }
        check_impulses(closed.signals[s], trace, s);
    }
}
