// Parts of diagrams/library, each used in a small model.
#include "tests/diagrams/piecewise.hpp"

using namespace deltaflow;
using namespace deltaflow::test;

namespace {

// The model stands beside the shipped ones.
Trace run_with(const std::string& library, const std::string& text) {
    const std::string path = project_folder() + "/diagrams/model.toml";
    const std::string use = "use = [\"library/" + library + ".toml\"]\n";
    Trace trace = simulate(load_model_text(path, use + text, {}));
    for (const RunError& error : trace.errors) FAIL_CHECK(error.text);
    CHECK(trace.end_reason == EndReason::stop);
    return trace;
}

}  // namespace

TEST_CASE("A battery charges a filter from the library", "[diagrams]") {
    const Trace trace = run_with("electronics", R"toml(
[circuit]
b = { type = "battery", nodes = { plus = "a", minus = "ground" }, V = 10, R = 1 }
f = { type = "rc_filter", nodes = { in = "a", out = "p" }, R = 1, C = 0.5 }
[simulation]
stop = 2
record = ["p.voltage", "f.r.current"]
)toml");
    check_all(trace, "p.voltage", [](double t) { return 10 * (1 - std::exp(-t)); });
    check_all(trace, "f.r.current", [](double t) { return 5 * std::exp(-t); });
}

TEST_CASE("A diode bridge and a half bridge from the library", "[diagrams]") {
    const Trace bridge = run_with("electronics", R"toml(
[circuit]
u = { type = "voltage", between = "a b", value = "sin(t)" }
d = { type = "diode_bridge", nodes = { a = "a", b = "b", plus = "p", minus = "ground" } }
r = { type = "resistor", between = "p ground", value = 1 }
[simulation]
record = ["p.voltage"]
)toml");
    check_all(bridge, "p.voltage", [](double t) { return std::abs(std::sin(t)); });
    const Trace half = run_with("electronics", R"toml(
[blocks]
gate = { type = "pulse", at = 1, width = 1, size = 1 }
[circuit]
u = { type = "voltage", between = "p ground", value = 5 }
h = { type = "half_bridge", nodes = { plus = "p", minus = "ground", out = "q" }, high = "gate", low = "0" }
l = { type = "inductor", between = "q ground", value = 1 }
[simulation]
stop = 4
record = ["l.current"]
)toml");
    check_all(half, "l.current", [](double t) { return 5 * std::min(std::max(t - 1, 0.0), 1.0); });
}

TEST_CASE("A weight on a suspension from the library", "[diagrams]") {
    const Trace trace = run_with("mechanics", R"toml(
[mechanics]
w = { type = "weight", points = { body = "x" }, m = 1, g = 10 }
s = { type = "suspension", points = { body = "x", wheel = "ground" }, k = 5, d = 2 }
[simulation]
stop = 3
record = ["x.position"]
)toml");
    check_all(trace, "x.position",
              [](double t) { return -2 + std::exp(-t) * (2 * std::cos(2 * t) + std::sin(2 * t)); });
}

TEST_CASE("A pump of parts from the library", "[diagrams]") {
    const Trace trace = run_with("hydraulics", R"toml(
[circuit]
p = { type = "piston", nodes = { chamber = "c" }, flow = "sin(t)" }
s = { type = "check_valve", nodes = { in = "ground", out = "c" } }
o = { type = "check_valve", nodes = { in = "c", out = "v" } }
a = { type = "accumulator", nodes = { port = "v" }, C = 2 }
[simulation]
stop = 6
record = ["v.voltage"]
)toml");
    check_all(trace, "v.voltage", [](double t) { return (1 - std::cos(std::min(t, std::acos(-1.0)))) / 2; });
}
