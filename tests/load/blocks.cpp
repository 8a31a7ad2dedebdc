// Blocks, names and numbers of a single diagram.
#include "tests/load/model_text.hpp"

using namespace deltaflow;
using namespace deltaflow::test;
using Names = std::vector<std::string>;
using Numbers = std::vector<double>;

namespace {

const std::string ball = R"toml(
name  = "Bouncing ball"
about = "A unit mass on a rigid floor; restitution e."
[parameters]
g = 9.81
e = 0.8
[blocks]
a   = "-g + F"
F   = "-(1 + e) * pre(v) * hit"
hit = { type = "crossing", in = "y", direction = "falling" }
v   = { type = "integrator", in = "a", initial = 0 }
y   = { type = "integrator", in = "v", initial = 10 }
[simulation]
stop   = 4.0
record = ["y", "v", "F"]
)toml";

}  // namespace

TEST_CASE("the bouncing ball is read as it is written") {
    const FlatModel model = load(ball);
    CHECK(model.name == "Bouncing ball");
    CHECK(model.about == "A unit mass on a rigid floor; restitution e.");
    CHECK(model.user_blocks == 5);
    CHECK(model.settings.stop == 4.0);
    CHECK(recorded_names(model) == Names{"y", "v", "F"});
    CHECK(model.diagram.nodes[node(model, "y")].op == Primitive::integrator);
    CHECK(parameters_of(model, "y") == Numbers{10});
    CHECK(links_of(model, "y") == "v");
    CHECK(links_of(model, "v") == "a");
}

TEST_CASE("every primitive is named by the block that was written, and knows its place") {
    const FlatModel model = load(ball);
    for (const NodeId from : model.diagram.inputs_of(node(model, "F"))) {
        CHECK(model.naming->name(from) == "F");
        CHECK(render(model.sources, model.naming->place(from)) == "model.toml:9:1");
    }
    CHECK(render(model.sources, model.naming->place(node(model, "y"))) == "model.toml:12:1");
}

TEST_CASE("a model without a name is called like its file") {
    CHECK(load_model_text("diagrams/pump.toml", "[blocks]\na = \"t\"").name == "pump");
}

TEST_CASE("by default every top-level block is recorded, in the order of the file") {
    CHECK(recorded_names(load("[blocks]\nz = \"t\"\na = \"2*z\"\nm = \"a\"")) == Names{"z", "a", "m"});
}

TEST_CASE("a block that only repeats another is the same signal") {
    const FlatModel model = load("[blocks]\na = \"b\"\nb = \"c\"\nc = { type = \"time\" }");
    CHECK(node(model, "a") == node(model, "c"));
    CHECK(model.naming->name(node(model, "a")) == "c");
    CHECK(model.user_blocks == 3);
    CHECK(model.diagram.nodes.size() == 1);
}

TEST_CASE("an expression or a number may stand wherever a signal is read") {
    const FlatModel model = load(R"toml(
[blocks]
a = 3
s = { type = "sum", in = ["a", "-t", 2, "a*a"] }
v = { type = "integrator", in = "s - 2*a" }
w = { type = "integrator", in = 5 }
)toml");
    CHECK(model.diagram.inputs_of(node(model, "s")).size() >= 3);
    CHECK(links_of(model, "v") == "v");
    CHECK(links_of(model, "w") == "w");
    CHECK(parameters_of(model, "a") == Numbers{3});
}

TEST_CASE("parameters are numbers or expressions of each other, in any order") {
    const FlatModel model = load(R"toml(
[parameters]
omega = "2*pi*f"
f = "n / 2"
n = 6
[blocks]
y = { type = "gain", in = "t", k = "omega / pi" }
z = { type = "integrator", in = "t", initial = "n^2" }
)toml");
    CHECK(parameters_of(model, "y").back() == 6);
    CHECK(parameters_of(model, "z") == Numbers{36});
}

TEST_CASE("numbers are decimals: 0.1 is 1/10") {
    const FlatModel model = load(R"toml(
[parameters]
T = 0.1
[blocks]
a = { type = "hold", in = "t", period = "T", phase = 0.05 }
b = { type = "hold", in = "t", period = "1/3" }
)toml");
    CHECK(to_string(model.diagram.clocks.at(0).period) == "1/10");
    CHECK(to_string(model.diagram.clocks.at(0).phase) == "1/20");
    CHECK(to_string(model.diagram.clocks.at(1).period) == "1/3");
}

TEST_CASE("a block with several outputs is read by index") {
    const FlatModel model = load(R"toml(
[blocks]
s = { type = "state_space", in = ["t"], A = [[0, 1], [-1, 0]], B = [[0], [1]], C = [[1, 0], [0, 1]], D = [[0], [0]] }
y = "s[0] + s[1]"
)toml");
    CHECK(recorded_names(model) == Names{"s[0]", "s[1]", "y"});
    CHECK(model.naming->name(node(model, "s[1]")) == "s");
    CHECK(links_of(model, "y") == "s s");
}

TEST_CASE("a guess is kept for the signal that it was given to") {
    const FlatModel model = load(R"toml(
[parameters]
start = 0.7
[blocks]
b = { expression = "cos(b)", guess = "start" }
s = { type = "sum", in = ["s*s", 0.25], guess = -1 }
)toml");
    REQUIRE(model.diagram.guesses.size() == 2);
    CHECK(model.diagram.guesses[0] == std::pair<NodeId, double>(node(model, "b"), 0.7));
    CHECK(model.diagram.guesses[1] == std::pair<NodeId, double>(node(model, "s"), -1));
}

TEST_CASE("a block may be a table of its own") {
    const FlatModel model =
        load("[blocks.v]\ntype = \"integrator\"\nin = \"t\"\n[blocks]\nw.expression = \"2*v\"");
    CHECK(recorded_names(model) == Names{"v", "w"});
}

TEST_CASE("settings are read with their types, and numbers may be expressions") {
    const Settings s = load(R"toml(
[parameters]
T = 2
[blocks]
a = "t"
[simulation]
start = -1
stop = "3*T"
method = "rk4"
impulses = "numeric"
step = "1/300"
riemann = "left"
tolerance = 1e-9
every = 0.1
simultaneous = "sequential"
zeno = "stop"
max_events = 7
threads = 3
)toml")
                           .settings;
    CHECK(s.start == -1);
    CHECK(s.stop == 6);
    CHECK(s.method == Method::rk4);
    CHECK(s.impulses == ImpulseKind::numeric);
    CHECK(to_string(*s.step) == "1/300");
    CHECK(s.riemann == Riemann::left);
    CHECK(s.tolerance == 1e-9);
    CHECK(to_string(*s.every) == "1/10");
    CHECK(s.simultaneous == Simultaneous::sequential);
    CHECK(s.zeno == AtZeno::stop);
    CHECK(s.max_events == 7);
    CHECK(s.threads == 3);
}
