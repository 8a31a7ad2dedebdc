// Diagrams within diagrams: instances, arrays, scopes and what their signals are called.
#include "tests/load/model_text.hpp"

using namespace deltaflow;
using namespace deltaflow::test;
using Names = std::vector<std::string>;
using Numbers = std::vector<double>;

TEST_CASE("an instance is read by its output, by its name alone, and inside") {
    const FlatModel model = load(oscillator + R"toml(
[blocks]
push = { type = "step", at = 1 }
left = { type = "oscillator", force = "push", k = 4.0 }
a = "2*left.x"
b = "2*left"
c = "2*left.v"
d = "left.force"
[simulation]
record = ["push", "left", "left.x", "left.v", "left.acc", "a", "b", "c", "d"]
)toml");
    CHECK(model.user_blocks == 8);
    CHECK(node(model, "left") == node(model, "left.x"));
    CHECK(model.naming->name(node(model, "left")) == "left.x");
    CHECK(render(model.sources, model.naming->place(node(model, "left.x"))) == "model.toml:8:1");
    CHECK(links_of(model, "a") == "left.x");
    CHECK(links_of(model, "b") == "left.x");
    CHECK(links_of(model, "c") == "left.v");
    CHECK(node(model, "d") == node(model, "push"));
    CHECK(links_of(model, "left.acc") == "push left.x");
    CHECK(parameters_of(model, "left.acc") == Numbers{0, 1, -4});
}

TEST_CASE("an array is as many instances as it counts, fed by one signal") {
    const FlatModel model = load(oscillator + R"toml(
[blocks]
many = { type = "oscillator", count = 3, force = "2*t + many[2].v" }
mean = "(many[0].x + many[1].x + many[2]) / 3"
)toml");
    CHECK(recorded_names(model) == Names{"many[0].x", "many[1].x", "many[2].x", "mean"});
    CHECK(model.user_blocks == 10);
    CHECK(links_of(model, "mean") == "many[0].x many[1].x many[2].x");
    for (const std::string i : {"0", "1", "2"})
        CHECK(links_of(model, "many[" + i + "].x") == "many[" + i + "].v");
}

TEST_CASE("copies share their numbers, and their input is lowered once") {
    const auto size = [](int count) {
        return load(oscillator + "[blocks]\nmany = { type = \"oscillator\", force = \"sin(t)\", count = " +
                    std::to_string(count) + " }\n[simulation]\nrecord = [\"many[0]\"]");
    };
    const FlatModel one = size(1), thousand = size(1000);
    CHECK(thousand.diagram.parameters.size() == one.diagram.parameters.size());
    CHECK(thousand.diagram.nodes.size() == one.diagram.nodes.size() + 999 * 3);
    CHECK(thousand.user_blocks == 3000);
    CHECK(thousand.naming->name(static_cast<NodeId>(thousand.diagram.nodes.size() - 1)) == "many[999].acc");
}

TEST_CASE("every node of nested arrays has its own name") {
    const FlatModel model = load(R"toml(
[diagrams.cell]
inputs = ["u"]
outputs = ["y"]
[diagrams.cell.blocks]
y = { type = "integrator", in = "u - y" }
[diagrams.row]
inputs = ["u"]
[diagrams.row.blocks]
first = { type = "cell", u = "u" }
rest = { type = "cell", u = "first", count = 2 }
[blocks]
grid = { type = "row", u = "t", count = 2 }
corner = "grid[1].rest[1].y"
[simulation]
record = ["corner", "grid[1].rest[1]"]
)toml");
    Names names;
    for (NodeId n = 0; n < model.diagram.nodes.size(); ++n) names.push_back(model.naming->name(n));
    CHECK(names == Names{"grid", "grid[0].first.y", "grid[0].first.y", "grid[0].rest[0].y",
                         "grid[0].rest[0].y", "grid[0].rest[1].y", "grid[0].rest[1].y", "grid[1].first.y",
                         "grid[1].first.y", "grid[1].rest[0].y", "grid[1].rest[0].y", "grid[1].rest[1].y",
                         "grid[1].rest[1].y"});
    CHECK(node(model, "corner") == node(model, "grid[1].rest[1]"));
    CHECK(model.user_blocks == 7);
}

TEST_CASE("copies of arrays read the same nodes, moved along") {
    const FlatModel model = load(R"toml(
[diagrams.cell]
inputs = ["u"]
outputs = ["y"]
[diagrams.cell.blocks]
y = { type = "integrator", in = "u" }
[diagrams.chain]
inputs = ["u"]
outputs = ["b"]
[diagrams.chain.blocks]
a = { type = "cell", u = "u" }
b = { type = "cell", u = "a" }
[blocks]
source = "t"
chains = { type = "chain", u = "source", count = 3 }
[simulation]
record = ["chains[2].a.y", "chains[2].b.y"]
)toml");
    CHECK(links_of(model, "chains[2].b.y") == "chains[2].a.y");
    CHECK(links_of(model, "chains[2].a.y") == "source");
}

TEST_CASE("an input that is passed through needs no block") {
    const FlatModel model = load(R"toml(
[diagrams.same]
inputs = ["u"]
outputs = ["y"]
[diagrams.same.blocks]
y = "u"
[blocks]
a = { type = "same", u = "b" }
b = { type = "same", u = "c" }
c = { type = "time" }
)toml");
    CHECK(model.diagram.nodes.size() == 1);
    CHECK(node(model, "a.y") == node(model, "c"));
}

TEST_CASE("parameters are seen from inside, the nearest one first") {
    const FlatModel model = load(R"toml(
[parameters]
g = 10
k = 1
[diagrams.outer]
parameters = { k = 2, twice = "2*k" }
[diagrams.outer.diagrams.inner.blocks]
y = { type = "integrator", in = "t", initial = "k" }
[diagrams.outer.blocks]
i = { type = "inner" }
x = { type = "integrator", in = "t", initial = "g + twice" }
[blocks]
a = { type = "outer" }
b = { type = "outer", k = "k + 2" }
[simulation]
record = ["a.x", "b.x", "a.i.y", "b.i.y"]
)toml");
    CHECK(parameters_of(model, "a.x") == Numbers{14});
    CHECK(parameters_of(model, "b.x") == Numbers{16});
    CHECK(parameters_of(model, "a.i.y") == Numbers{2});
    CHECK(parameters_of(model, "b.i.y") == Numbers{3});
}

TEST_CASE("count may be an expression of parameters") {
    const FlatModel model = load("[parameters]\nn = 2\n" + oscillator +
                                 "[blocks]\nmany = { type = \"oscillator\", force = 0, count = \"n^3\" }");
    CHECK(model.record.size() == 8);
}

TEST_CASE("a name to record may end in .*") {
    const std::string text = R"toml(
[diagrams.pair]
outputs = ["a", "b"]
[diagrams.pair.blocks]
b = { type = "time" }
a = "2*b"
hidden = "3*b"
[diagrams.box]
outputs = ["p"]
[diagrams.box.blocks]
p = { type = "pair" }
[blocks]
one = { type = "pair" }
two = { type = "pair", count = 2 }
box = { type = "box" }
s = { type = "state_space", in = "t", A = 0, B = 1, C = [[1], [2]], D = [[0], [0]] }
)toml";
    const auto recorded = [&](const std::string& name) {
        LoadOptions options;
        options.record = {name};
        return recorded_names(load(text, options));
    };
    CHECK(recorded("one.*") == Names{"one.a", "one.b"});
    CHECK(recorded("two.*") == Names{"two[0].a", "two[0].b", "two[1].a", "two[1].b"});
    CHECK(recorded("two[1].*") == Names{"two[1].a", "two[1].b"});
    CHECK(recorded("box.*") == Names{"box.p.a", "box.p.b"});
    CHECK(recorded("box.p.*") == Names{"box.p.a", "box.p.b"});
    CHECK(recorded("s.*") == Names{"s[0]", "s[1]"});
    CHECK(recorded("*").size() == 10);
    CHECK(recorded("one.a, one.hidden") == Names{"one.a", "one.hidden"});
}

TEST_CASE("guesses go with every copy") {
    const FlatModel model = load(R"toml(
[diagrams.root]
outputs = ["x"]
[diagrams.root.blocks]
x = { expression = "cos(x)", guess = 0.5 }
[blocks]
r = { type = "root", count = 3 }
)toml");
    REQUIRE(model.diagram.guesses.size() == 3);
    for (int i = 0; i < 3; ++i)
        CHECK(model.diagram.guesses[i] ==
              std::pair<NodeId, double>(node(model, "r[" + std::to_string(i) + "].x"), 0.5));
}

TEST_CASE("a million blocks take as long as a file of that size needs to be copied") {
    const FlatModel model = load(oscillator + R"toml(
[blocks]
many = { type = "oscillator", count = 333_333, force = "t" }
[simulation]
record = ["many[333332].x"]
)toml");
    CHECK(model.user_blocks == 999999);
    CHECK(model.naming->name(node(model, "many[333332].x")) == "many[333332].x");
}
