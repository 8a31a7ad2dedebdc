// Models for the comparison with numeric impulses.
#include "tests/diagrams/shipped.hpp"

using namespace deltaflow;
using namespace deltaflow::test;

TEST_CASE("Derivatives of a step are impulses, one order each", "[diagrams]") {
    const Trace trace = run_diagram("step_differentiated");
    const Event& event = event_at(trace, 1);
    CHECK(trace.events.size() == 1);
    check_jump(trace, event, "S", 0, 1);
    std::vector<double> impulses{1};
    for (int n = 1; n <= 8; ++n) {
        check_jump(trace, event, "S" + std::to_string(n), 0, 0, impulses);
        impulses.insert(impulses.begin(), 0);
    }
}

TEST_CASE("A Rogowski coil sees delta', and its integrator the charge", "[diagrams]") {
    const Trace trace = run_diagram("rogowski_coil");
    const Event& event = event_at(trace, 1);
    CHECK(trace.events.size() == 1);
    check_jump(trace, event, "i", 0, 0, {8});
    check_jump(trace, event, "e", 0, 0, {0, 4});
    check_jump(trace, event, "v1", 10, 2);
    check_jump(trace, event, "r", 0, -20, {8});
    check_samples(trace, "r", [](double t) { return step(t) * -20 * std::exp(-(t - 1) / 0.4); });
}
