// Elements, bonds and automata as they are read: counts, names, ends, guards.
#include "model_text.hpp"

#include <algorithm>

using namespace deltaflow;
using namespace deltaflow::test;

namespace {

using Names = std::vector<std::string>;
using Numbers = std::vector<double>;

const std::string collision = R"toml(
[parameters]
m1 = 1.0
m2 = 2.0
e  = 0.5
[elements]
body1   = { type = "I", value = "m1", momentum = 1.0, displacement = -1.0 }
body2   = { type = "I", value = "m2" }
v1      = { type = "1" }
v2      = { type = "1" }
contact = { type = "0", off = "effort", automaton = "touch" }
bounce  = { type = "MSf", flow = "e * pre(v1.flow - v2.flow)" }
[bonds]
b1 = "v1 -> body1"
b2 = "v2 -> body2"
b3 = "v1 -> contact"
b4 = "contact -> v2"
b5 = "bounce -> contact"
[automata.touch]
initial = "apart"
states  = { apart = "off", together = "on" }
transitions = [
  { from = "apart",    to = "together", when = "body1.displacement >= body2.displacement and pre(v1.flow - v2.flow) > 0" },
  { from = "together", to = "apart",    when = "pre(v1.flow - v2.flow) < 0" },
]
)toml";

std::string record(const std::string& list) { return "[simulation]\nrecord = [" + list + "]\n"; }

// "from -> to" of every bond.
Names ends(const FlatModel& model) {
    Names list;
    for (const auto& bond : model.graph.bonds)
        list.push_back(bond.name + ": " + model.graph.elements[bond.from].name + " -> " +
                       model.graph.elements[bond.to].name);
    return list;
}

Names names_of(const auto& parts) {
    Names names;
    for (const auto& part : parts) names.push_back(part.name);
    return names;
}

const bonds::Element& element(const FlatModel& model, const std::string& name) {
    for (const auto& e : model.graph.elements)
        if (e.name == name) return e;
    FAIL("there is no element " << name);
    return model.graph.elements[0];
}

std::string name(const FlatModel& model, NodeId node) {
    return node == no_node ? "none" : model.naming->name(node);
}

Primitive op(const FlatModel& model, NodeId node) { return model.diagram.nodes.at(node).op; }

Names input_names(const FlatModel& model, NodeId node) {
    Names names;
    for (const NodeId from : model.diagram.inputs_of(node)) names.push_back(model.naming->name(from));
    return names;
}

}  // namespace

TEST_CASE("the elements, bonds and automata of a model are read in the order of the file") {
    const FlatModel model = load(collision);
    const bonds::Graph& graph = model.graph;
    CHECK(names_of(graph.elements) == Names{"body1", "body2", "v1", "v2", "contact", "bounce"});
    CHECK(ends(model) == Names{"b1: v1 -> body1", "b2: v2 -> body2", "b3: v1 -> contact", "b4: contact -> v2",
                               "b5: bounce -> contact"});
    CHECK(names_of(graph.automata) == Names{"touch"});
    CHECK(graph.automata[0].states == Names{"apart", "together"});
    CHECK(graph.automata[0].on == std::vector<std::uint8_t>{0, 1});
    CHECK(graph.automata[0].initial == 0);
    CHECK(bonds::initial_mode(graph) == bonds::Mode{0});
    CHECK(model.user_blocks == 6);
    CHECK(graph.total_energy == no_node);
}

TEST_CASE("an element has its numbers, its nodes and its automaton") {
    const FlatModel model = load(collision);
    const bonds::Element& body = element(model, "body1");
    CHECK(body.type == bonds::Type::I);
    CHECK(body.value == 1);
    CHECK(body.initial_momentum == 1);
    CHECK(body.initial_displacement == -1);
    CHECK(body.automaton == -1);
    CHECK(name(model, body.effort) == "body1.effort");
    CHECK(name(model, body.flow) == "body1.flow");
    CHECK(name(model, body.momentum) == "body1.momentum");
    CHECK(name(model, body.displacement) == "body1.displacement");
    CHECK(body.energy == no_node);
    CHECK(model.naming->place(body.momentum).line == body.place.line);
    for (const NodeId node : {body.effort, body.flow, body.momentum, body.displacement})
        CHECK(op(model, node) == Primitive::free);
    const bonds::Element& contact = element(model, "contact");
    CHECK(contact.automaton == 0);
    CHECK(contact.off == bonds::Off::effort);
    CHECK(contact.flow == no_node);
    CHECK(name(model, contact.effort) == "contact.effort");
    CHECK(element(model, "v1").off == bonds::Off::flow);
}

TEST_CASE("a modulated source reads an expression of signals") {
    const FlatModel model = load(collision);
    const bonds::Element& bounce = element(model, "bounce");
    CHECK(bounce.type == bonds::Type::Sf);
    REQUIRE(op(model, bounce.parameter) == Primitive::affine);
    const NodeId pre = model.diagram.inputs_of(bounce.parameter)[0];
    REQUIRE(op(model, pre) == Primitive::pre);
    CHECK(input_names(model, model.diagram.inputs_of(pre)[0]) == Names{"v1.flow", "v2.flow"});
    CHECK(bounce.inverse == no_node);
}

TEST_CASE("a guard is made of comparisons of differences") {
    const FlatModel model = load(collision);
    const auto& transitions = model.graph.automata[0].transitions;
    REQUIRE(transitions.size() == 2);
    const bonds::Guard& guard = transitions[0].when;
    CHECK(transitions[0].from == 0);
    CHECK(transitions[0].to == 1);
    REQUIRE(guard.kind == bonds::Guard::Kind::all);
    REQUIRE(guard.parts.size() == 2);
    CHECK(guard.parts[0].kind == bonds::Guard::Kind::compare);
    CHECK(guard.parts[0].relation == bonds::Guard::Relation::greater_equal);
    CHECK(guard.parts[0].text == "body1.displacement >= body2.displacement");
    CHECK(input_names(model, guard.parts[0].difference) == Names{"body1.displacement", "body2.displacement"});
    CHECK(guard.parts[1].relation == bonds::Guard::Relation::greater);
    CHECK(op(model, guard.parts[1].difference) == Primitive::pre);
    CHECK(transitions[1].when.relation == bonds::Guard::Relation::less);
}

TEST_CASE("without blocks, effort and flow of every bond are recorded") {
    CHECK(recorded_names(load(collision)) == Names{"b1.effort", "b1.flow", "b2.effort", "b2.flow",
                                                   "b3.effort", "b3.flow", "b4.effort", "b4.flow",
                                                   "b5.effort", "b5.flow"});
    CHECK(recorded_names(load(collision + "[blocks]\nx = \"2*body1.momentum\"")) == Names{"x"});
}

TEST_CASE("every signal of a bond graph may be recorded") {
    const FlatModel model =
        load(collision + record(R"("body1.*", "b3.*", "touch.*", "v1.flow", "total.energy")"));
    CHECK(recorded_names(model) == Names{"body1.effort", "body1.flow", "body1.momentum", "body1.displacement",
                                         "body1.energy", "b3.effort", "b3.flow", "b3.power", "touch.apart",
                                         "touch.together", "v1.flow", "total.energy"});
    for (const auto& r : model.record) CHECK(name(model, r.node) == r.name);
    CHECK(op(model, model.graph.total_energy) == Primitive::free);
    CHECK(element(model, "body2").energy != no_node);
    CHECK(op(model, model.graph.bonds[2].power) == Primitive::product);
    CHECK(model.graph.bonds[1].power == no_node);
    CHECK(model.graph.automata[0].signals[1] == node(model, "touch.together"));
}

TEST_CASE("blocks and elements read each other") {
    const FlatModel model = load(collision + R"toml(
[blocks]
gap = "body2.displacement - body1.displacement"
brake = "touch.together * b1.power"
)toml");
    CHECK(links_of(model, "gap") == "body2.displacement body1.displacement");
    CHECK(links_of(model, "brake") == "touch.together b1.power");
}

TEST_CASE("total is the energy of all storages, wherever they stand") {
    const FlatModel model = load(R"toml(
[diagrams.tank]
[diagrams.tank.elements]
p = { type = "0" }
c = { type = "C", value = 2 }
[diagrams.tank.bonds]
b = "p -> c"
[elements]
left = { type = "tank" }
right = { type = "tank", count = 2 }
valve = { type = "R", value = 1 }
joint = { type = "1" }
[bonds]
a = "left.p -> joint"
b = "joint -> right[0].p"
c = "joint -> valve"
d = "joint -> right[1].p"
[blocks]
e = "total.energy"
)toml");
    for (const std::string name : {"left.c", "right[0].c", "right[1].c"})
        CHECK(element(model, name).energy != no_node);
    CHECK(name(model, model.graph.total_energy) == "total.energy");
    CHECK(node(model, "e") == model.graph.total_energy);
    CHECK(ends(model) == Names{"a: left.p -> joint", "b: joint -> right[0].p", "c: joint -> valve",
                               "d: joint -> right[1].p", "left.b: left.p -> left.c",
                               "right[0].b: right[0].p -> right[0].c",
                               "right[1].b: right[1].p -> right[1].c"});
    CHECK(model.user_blocks == 9);
}

TEST_CASE("every type of element is read") {
    const FlatModel model = load(R"toml(
[blocks]
u = "1 + t"
[elements]
se = { type = "Se", effort = "2*3" }
sf = { type = "Sf", flow = 4 }
mse = { type = "MSe", effort = "sin(t)" }
msf = { type = "MSf", flow = "u" }
still = { type = "MSe", effort = "3 + pi" }
r = { type = "R", value = 5 }
mr = { type = "MR", value = "2*u" }
c = { type = "C", value = 0.5, displacement = 2 }
i = { type = "I", value = 3, momentum = 1 }
tf = { type = "TF", ratio = 2 }
gy = { type = "GY", ratio = 3 }
mtf = { type = "MTF", ratio = "u" }
mgy = { type = "MGY", ratio = "1/u" }
sw = { type = "Sw", automaton = "hand" }
v = { type = "1", off = "effort", automaton = "hand" }
e = { type = "0" }
[bonds]
b0 = "se -> v"
b1 = "sf -> e"
b2 = "mse -> v"
b3 = "msf -> e"
b4 = "still -> v"
b5 = "v -> r"
b6 = "v -> mr"
b7 = "e -> c"
b8 = "v -> i"
b9 = "v -> tf"
b10 = "tf -> e"
b11 = "v -> gy"
b12 = "gy -> e"
b13 = "v -> mtf"
b14 = "mtf -> e"
b15 = "v -> mgy"
b16 = "mgy -> e"
b17 = "v -> sw"
[automata.hand]
initial = "open"
states = { closed = "on", open = "off" }
)toml");
    const auto value = [&](const std::string& name) { return element(model, name).value; };
    CHECK(value("se") == 6);
    CHECK(value("sf") == 4);
    CHECK(value("still") == Approx(6.14159265358979));
    CHECK(value("r") == 5);
    CHECK(value("c") == 0.5);
    CHECK(value("i") == 3);
    CHECK(value("tf") == 2);
    CHECK(value("gy") == 3);
    CHECK(element(model, "still").parameter == no_node);
    CHECK(element(model, "msf").parameter == node(model, "u"));
    for (const std::string name : {"mr", "mtf", "mgy"}) {
        const bonds::Element& e = element(model, name);
        REQUIRE(op(model, e.inverse) == Primitive::inverse);
        CHECK(model.diagram.inputs_of(e.inverse)[0] == e.parameter);
    }
    CHECK(element(model, "c").initial_displacement == 2);
    CHECK(element(model, "i").initial_momentum == 1);
    CHECK(element(model, "i").displacement == no_node);
    CHECK(element(model, "c").momentum == no_node);
    CHECK(element(model, "sw").automaton == 0);
    CHECK(name(model, element(model, "sw").flow) == "sw.flow");
    CHECK(element(model, "v").off == bonds::Off::effort);
    CHECK(element(model, "e").off == bonds::Off::effort);
    CHECK(model.graph.automata[0].initial == 1);
}

TEST_CASE("laws read the element's own flow, displacement or momentum") {
    const FlatModel model = load(R"toml(
[parameters]
k = 2
[elements]
v = { type = "1" }
r = { type = "R", law = "k * f^3" }
c = { type = "C", law = "q + q^3" }
i = { type = "I", law = "sin(p)" }
[bonds]
a = "v -> r"
b = "v -> c"
d = "v -> i"
[simulation]
record = ["c.energy", "i.energy"]
)toml");
    const auto reads = [&](NodeId node, NodeId wanted) {
        const auto inputs = model.diagram.inputs_of(node);
        return std::find(inputs.begin(), inputs.end(), wanted) != inputs.end();
    };
    const bonds::Element& c = element(model, "c");
    CHECK(reads(c.law, c.displacement));
    const bonds::Element& i = element(model, "i");
    CHECK(reads(i.law, i.momentum));
    REQUIRE(op(model, c.energy) == Primitive::product);
    CHECK(reads(c.energy, c.displacement));
    CHECK(name(model, c.energy) == "c.energy");
    const auto mean = model.diagram.inputs_of(c.energy)[1];
    CHECK(model.diagram.inputs_of(mean).size() == 10);
    const bonds::Element& r = element(model, "r");
    REQUIRE(op(model, r.law) == Primitive::affine);
    CHECK(model.diagram.parameters_of(r.law)[1] == 2);
}

TEST_CASE("guards know impulses, time, not, or, and numbers") {
    const FlatModel model = load(R"toml(
[parameters]
F = 2
[elements]
m = { type = "I", value = 1 }
v = { type = "1", automaton = "a" }
[bonds]
b = "v -> m"
[automata.a]
initial = "x"
states = { x = "on", y = "off" }
transitions = [
  { from = "x", to = "y", when = "impulse(b.effort) > F or t >= 1 or F < 3" },
  { from = "y", to = "x", when = "not (m.flow == 0) and (m.flow != 1 and m.momentum <= 2)" },
]
)toml");
    const bonds::Guard& first = model.graph.automata[0].transitions[0].when;
    REQUIRE(first.kind == bonds::Guard::Kind::any);
    REQUIRE(first.parts.size() == 3);
    const NodeId difference = first.parts[0].difference;
    REQUIRE(op(model, difference) == Primitive::affine);
    CHECK(op(model, model.diagram.inputs_of(difference)[0]) == Primitive::strength);
    CHECK(model.diagram.parameters_of(difference)[0] == -2);
    CHECK(first.parts[2].kind == bonds::Guard::Kind::always);
    const bonds::Guard& second = model.graph.automata[0].transitions[1].when;
    REQUIRE(second.kind == bonds::Guard::Kind::all);
    REQUIRE(second.parts[0].kind == bonds::Guard::Kind::none);
    CHECK(second.parts[0].parts[0].relation == bonds::Guard::Relation::equal);
    CHECK(second.parts[0].parts[0].difference == element(model, "m").flow);
    CHECK(second.parts[1].kind == bonds::Guard::Kind::all);
    CHECK(second.parts[1].parts[0].relation == bonds::Guard::Relation::unequal);
}

const std::string ladder = R"toml(
[parameters]
n = 4
[diagrams.stage]
parameters = { ohm = 1 }
[diagrams.stage.elements]
into = { type = "1" }
out = { type = "0" }
r = { type = "R", value = "ohm" }
c = { type = "C", value = 1 }
[diagrams.stage.bonds]
a = "into -> r"
b = "into -> out"
d = "out -> c"
[elements]
source = { type = "Se", effort = 1 }
stage = { type = "stage", count = "n" }
[bonds]
first = "source -> stage[0].into"
link = { bond = "stage[i].out -> stage[i + 1].into", count = "n - 1" }
)toml";

TEST_CASE("a regular structure is an array of instances and a counted bond") {
    const FlatModel model =
        load(ladder + record(R"("stage[3].c.displacement", "link[2].flow", "link[1].*")"));
    const Names all = ends(model);
    CHECK(Names(all.begin(), all.begin() + 5) ==
          Names{"first: source -> stage[0].into", "link[0]: stage[0].out -> stage[1].into",
                "link[1]: stage[1].out -> stage[2].into", "link[2]: stage[2].out -> stage[3].into",
                "stage[0].a: stage[0].into -> stage[0].r"});
    CHECK(all.back() == "stage[3].d: stage[3].out -> stage[3].c");
    CHECK(model.graph.elements.size() == 17);
    CHECK(recorded_names(model) == Names{"stage[3].c.displacement", "link[2].flow", "link[1].effort",
                                         "link[1].flow", "link[1].power"});
    for (const auto& r : model.record) CHECK(name(model, r.node) == r.name);
    CHECK(element(model, "stage[3].c").displacement == node(model, "stage[3].c.displacement"));
    CHECK(model.graph.bonds[3].flow == node(model, "link[2].flow"));
}

TEST_CASE("without blocks, counted bonds are recorded, too") {
    CHECK(recorded_names(load(ladder)) == Names{"first.effort", "first.flow", "link[0].effort",
                                                "link[0].flow", "link[1].effort", "link[1].flow",
                                                "link[2].effort", "link[2].flow"});
}

TEST_CASE("an index may be an expression of parameters") {
    const FlatModel model = load(ladder + "[blocks]\nlast = \"stage[n - 1].c.effort + stage[2*1].c.effort\"");
    CHECK(links_of(model, "last") == "stage[3].c.effort stage[2].c.effort");
}

TEST_CASE("an index may contain a comma") {
    const FlatModel model = load(ladder +
                                 "[blocks]\nlast = \"stage[max(n - 2, min(1, 2))].c.effort\"\n"
                                 "[simulation]\nrecord = \"last, stage[2].c.effort\"\n");
    CHECK(links_of(model, "last").empty());
    CHECK(model.naming->name(node(model, "last")) == "stage[2].c.effort");
}

TEST_CASE("an automaton may have the name of an element") {
    const std::string text = R"toml(
[elements]
source = { type = "Se", effort = 2 }
mass   = { type = "I", value = 1 }
line   = { type = "1", automaton = "line" }
turn   = { type = "TF", ratio = 2 }
[bonds]
b1 = "source -> line"
b2 = "line -> turn"
b3 = "turn -> mass"
[automata.line]
initial = "go"
states = { go = "on", halt = "off" }
[automata.turn]
initial = "left"
states = { left = "on", right = "off" }
)toml";
    const FlatModel model = load(text + "[blocks]\nx = \"line.flow\"\ny = \"line.go\"\nz = \"turn.right\"\n");
    CHECK(model.graph.elements[2].automaton == 0);
    CHECK(node(model, "x") == model.graph.elements[2].flow);
    CHECK(node(model, "y") == model.graph.automata[0].signals[0]);
    CHECK(node(model, "z") == model.graph.automata[1].signals[1]);
    CHECK(recorded_names(load(text + "[simulation]\nrecord = [\"line.*\"]\n")) ==
          Names{"line.flow", "line.go", "line.halt"});
    CHECK(message(text + "[blocks]\nx = \"line.halted\"\n").find("did you mean \"halt\"?") !=
          std::string::npos);
    CHECK(message(text + "[blocks]\nx = \"turn.effort\"\n").find("has no signal \"effort\"") !=
          std::string::npos);
}

TEST_CASE("what is given to an array may depend on i") {
    const FlatModel model = load(R"toml(
[parameters]
n = 3
[diagrams.ball]
parameters = { m = 1, v0 = 0 }
[diagrams.ball.elements]
v = { type = "1" }
body = { type = "I", value = "m", momentum = "m*v0" }
[diagrams.ball.bonds]
b = "v -> body"
[diagrams.contact]
inputs = ["left", "right"]
parameters = { e = 1 }
[diagrams.contact.elements]
force = { type = "0", automaton = "touch" }
bounce = { type = "MSf", flow = "e*pre(left - right)" }
[diagrams.contact.bonds]
b = "bounce -> force"
[diagrams.contact.automata.touch]
initial = "apart"
states = { apart = "off", together = "on" }
transitions = [{ from = "apart", to = "together", when = "pre(left - right) > 0" }]
[elements]
ball = { type = "ball", count = "n", m = "1 + i", v0 = "if(-i, 1, 0)" }
contact = { type = "contact", count = "n - 1", left = "ball[i].v.flow", right = "ball[i + 1].v.flow" }
[bonds]
from = { bond = "ball[i].v -> contact[i].force", count = "n - 1" }
to = { bond = "contact[i].force -> ball[i + 1].v", count = "n - 1" }
)toml");
    const std::vector<double> masses{element(model, "ball[0].body").value,
                                     element(model, "ball[1].body").value,
                                     element(model, "ball[2].body").value};
    CHECK(masses == std::vector<double>{1, 2, 3});
    CHECK(element(model, "ball[0].body").initial_momentum == 1);
    CHECK(element(model, "ball[2].body").initial_momentum == 0);
    CHECK(names_of(model.graph.automata) == Names{"contact[0].touch", "contact[1].touch"});
    CHECK(element(model, "contact[1].force").automaton == 1);
    CHECK(name(model, element(model, "ball[2].body").momentum) == "ball[2].body.momentum");
    const NodeId guard = model.graph.automata[1].transitions[0].when.difference;
    REQUIRE(op(model, guard) == Primitive::pre);
    CHECK(input_names(model, model.diagram.inputs_of(guard)[0]) == Names{"ball[1].v.flow", "ball[2].v.flow"});
    CHECK(ends(model)[1] == "from[1]: ball[1].v -> contact[1].force");
    CHECK(ends(model)[2] == "to[0]: contact[0].force -> ball[1].v");
}

TEST_CASE("arrays of blocks may differ in their arguments, too") {
    const FlatModel model = load(oscillator + R"toml(
[blocks]
many = { type = "oscillator", count = 3, force = "i*t", k = "2 - i", m = 4 }
same = { type = "oscillator", count = 2, force = "many[1].x" }
[simulation]
record = ["many.*", "many[2].*", "many[1].acc", "same[1].x"]
)toml");
    CHECK(recorded_names(model) == Names{"many[0].x", "many[1].x", "many[2].x", "many[1].acc", "same[1].x"});
    CHECK(parameters_of(model, "many[1].acc") == Numbers{0, 0.25, -0.25});
    CHECK(links_of(model, "many[1].acc") == "many many[1].x");
    for (const auto& r : model.record) CHECK(name(model, r.node) == r.name);
    CHECK(model.user_blocks == 15);
}

TEST_CASE("an i of the model's own is no index") {
    const FlatModel model = load("[parameters]\ni = 7\n" + oscillator + R"toml(
[blocks]
many = { type = "oscillator", count = 2, force = 0, k = "i" }
[simulation]
record = ["many[0].acc", "many[1].acc"]
)toml");
    CHECK(parameters_of(model, "many[1].acc") == Numbers{0, 1, -7});
}

TEST_CASE("an automaton may stand in an instance, and control junctions outside") {
    const FlatModel model = load(R"toml(
[diagrams.part]
[diagrams.part.elements]
v = { type = "1", automaton = "s" }
m = { type = "I", value = 1 }
[diagrams.part.bonds]
b = "v -> m"
[diagrams.part.automata.s]
initial = "x"
states = { x = "on" }
[elements]
part = { type = "part", count = 3 }
w = { type = "1", automaton = "part[2].s" }
[bonds]
a = "w -> part[0].v"
b = "w -> part[1].v"
c = "w -> part[2].v"
[blocks]
on = "part[1].s.x"
)toml");
    CHECK(names_of(model.graph.automata) == Names{"part[0].s", "part[1].s", "part[2].s"});
    CHECK(element(model, "w").automaton == 2);
    CHECK(element(model, "part[1].v").automaton == 1);
    CHECK(node(model, "on") == model.graph.automata[1].signals[0]);
}

TEST_CASE("fragments within fragments keep their names and ends") {
    const FlatModel model = load(R"toml(
[diagrams.cell]
[diagrams.cell.elements]
e = { type = "0" }
c = { type = "C", value = 1 }
[diagrams.cell.bonds]
b = "e -> c"
[diagrams.pair]
[diagrams.pair.elements]
one = { type = "cell" }
two = { type = "cell", count = 2 }
r = { type = "R", value = 1 }
v = { type = "1" }
[diagrams.pair.bonds]
a = "one.e -> v"
b = "v -> two[1].e"
c = "v -> r"
d = "v -> two[0].e"
[elements]
p = { type = "pair", count = 2 }
x = { type = "1" }
[bonds]
m = "p[1].two[1].e -> x"
n = "x -> p[0].one.e"
)toml");
    const Names all = ends(model);
    CHECK(all[0] == "m: p[1].two[1].e -> x");
    CHECK(all[1] == "n: x -> p[0].one.e");
    CHECK(std::find(all.begin(), all.end(), "p[1].b: p[1].v -> p[1].two[1].e") != all.end());
    CHECK(std::find(all.begin(), all.end(), "p[1].two[0].b: p[1].two[0].e -> p[1].two[0].c") != all.end());
    CHECK(model.graph.elements.size() == 17);
    for (const auto& e : model.graph.elements)
        if (e.is_storage()) CHECK(name(model, e.displacement) == e.name + ".displacement");
    for (const auto& b : model.graph.bonds) CHECK(name(model, b.flow) == b.name + ".flow");
}

TEST_CASE("a fragment may have an element as its output") {
    const FlatModel model = load(R"toml(
[diagrams.cell]
outputs = ["c"]
[diagrams.cell.elements]
e = { type = "0" }
c = { type = "C", value = 1 }
[diagrams.cell.bonds]
b = "e -> c"
[elements]
one = { type = "cell" }
r = { type = "R", value = 1 }
[bonds]
b = "one.e -> r"
[simulation]
record = ["one.*"]
)toml");
    CHECK(recorded_names(model) ==
          Names{"one.c.effort", "one.c.flow", "one.c.momentum", "one.c.displacement", "one.c.energy"});
}
