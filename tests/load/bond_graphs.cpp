// Elements, bonds and automata as they are read: counts, names, ends, guards.
#include "model_text.hpp"

using namespace deltaflow;
using namespace deltaflow::test;

namespace {

using Names = std::vector<std::string>;

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
Names ends(const Model& model) {
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

const bonds::Element& element(const Model& model, const std::string& name) {
    for (const auto& e : model.graph.elements)
        if (e.name == name) return e;
    FAIL("there is no element " << name);
    return model.graph.elements[0];
}

std::string name(const Model& model, NodeId node) {
    return node == no_node ? "none" : model.naming->name(node);
}

Primitive op(const Model& model, NodeId node) { return model.diagram.nodes.at(node).op; }

Names input_names(const Model& model, NodeId node) {
    Names names;
    for (const NodeId from : model.diagram.inputs_of(node)) names.push_back(model.naming->name(from));
    return names;
}

}  // namespace

TEST_CASE("the elements, bonds and automata of a model are read in the order of the file") {
    const Model model = load(collision);
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
    const Model model = load(collision);
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
    const Model model = load(collision);
    const bonds::Element& bounce = element(model, "bounce");
    CHECK(bounce.type == bonds::Type::Sf);
    REQUIRE(op(model, bounce.parameter) == Primitive::affine);
    const NodeId pre = model.diagram.inputs_of(bounce.parameter)[0];
    REQUIRE(op(model, pre) == Primitive::pre);
    CHECK(input_names(model, model.diagram.inputs_of(pre)[0]) == Names{"v1.flow", "v2.flow"});
    CHECK(bounce.inverse == no_node);
}

TEST_CASE("a guard is made of comparisons of differences") {
    const Model model = load(collision);
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
    const Model model =
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
    const Model model = load(collision + R"toml(
[blocks]
gap = "body2.displacement - body1.displacement"
brake = "touch.together * b1.power"
)toml");
    CHECK(links_of(model, "gap") == "body2.displacement body1.displacement");
    CHECK(links_of(model, "brake") == "touch.together b1.power");
}
