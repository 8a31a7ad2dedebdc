// Diagrams by the other methods: each must keep its order across delays and sources.
#include "engine/solve/steppers/stepper.hpp"
#include "tests/diagrams/shipped.hpp"

using namespace deltaflow;
using namespace deltaflow::test;

namespace {

double largest_difference(const Trace& a, const Trace& b, std::string_view signal) {
    const auto &x = a.samples[signal_index(a, signal)], &y = b.samples[signal_index(b, signal)];
    REQUIRE(x.size() == y.size());
    double largest = 0;
    for (std::size_t i = 0; i < x.size(); ++i) largest = std::max(largest, std::abs(x[i] - y[i]));
    return largest;
}

}  // namespace

TEST_CASE("Runge-Kutta 4 keeps its order where a delayed signal jumps", "[diagrams][methods]") {
    const Trace exact = run_diagram("delayed_impulse");
    const auto error = [&](const std::string& step) {
        const Changes rk4{{"simulation.method", "rk4"}, {"simulation.step", step}};
        return largest_difference(exact, run_diagram("delayed_impulse", rk4), "z");
    };
    CHECK(error("1/10") < 1e-6);
    CHECK(error("1/100") < 1e-10);  // a tenth of the step, a ten-thousandth of the error
}

TEST_CASE("Methods with error control keep to it, with modest steps", "[diagrams][methods][slow]") {
    // The tolerance of 1e-12 holds for a step; a run of thousands adds up to some hundred times as much.
    const std::vector<std::pair<std::string, std::string>> models{{"delayed_impulse", "z"},
                                                                  {"integrator_chain", "I4"},
                                                                  {"lc_step", "i"},
                                                                  {"rectifier", "vc"},
                                                                  {"neuron", "w"},
                                                                  {"thermostat", "T"},
                                                                  {"ball_with_drag", "v"},
                                                                  {"mass_spring_damper", "x"},
                                                                  {"dc_motor", "speed.flow"},
                                                                  {"hydraulic_press", "x"},
                                                                  {"rc_ladder", "out.effort"},
                                                                  {"clutch", "w2.flow"},
                                                                  {"switch_diode_circuit", "coil.flow"},
                                                                  {"stiction_breakaway", "v1.flow"},
                                                                  {"buck_converter", "out.effort"},
                                                                  {"vacuum_chamber", "sluice2.p.effort"},
                                                                  {"cradle_with_rider", "body1.displacement"},
                                                                  {"impact_module", "shaft.displacement"},
                                                                  {"falling_rod", "vAx"}};
    for (const auto& [name, signal] : models)
        for (const std::string method : {"dopri5", "rosenbrock4", "cvode"}) {
            if (method == "cvode" && !has_cvode()) continue;
            INFO(name << " by " << method);
            const Trace trace = run_diagram(name, {{"simulation.method", method}});
            const Trace exact = run_diagram(name);
            // Six hundred events of the converter, each located to the method's own error, add up. CVODE,
            // with many orders and steps, loses more than the others.
            const double wanted = exact.events.size() > 100 ? 1e-7 : method == "cvode" ? 1e-8 : 1e-9;
            CHECK(largest_difference(exact, trace, signal) < wanted);
            CHECK(trace.events.size() == exact.events.size());
            CHECK(trace.statistics.steps < 40000);
        }
}
