// [circuit] and [mechanics] as they are read: elements, junctions, bonds, names.
#include "model_text.hpp"

#include "bonds/poles.hpp"

#include <fmt/format.h>

using namespace deltaflow;
using namespace deltaflow::test;

namespace {

using Names = std::vector<std::string>;

Names bonds_of(const std::string& text) {
    const FlatModel model = load(text);
    Names list;
    for (const auto& bond : model.graph.bonds)
        list.push_back(model.graph.elements[bond.from].name + " -> " + model.graph.elements[bond.to].name);
    return list;
}

const bonds::Element& element(const FlatModel& model, const std::string& name) {
    for (const auto& e : model.graph.elements)
        if (e.name == name) return e;
    FAIL("there is no " << name);
    return model.graph.elements[0];
}

std::string circuit(const std::string& lines) { return "[circuit]\n" + lines; }
std::string mechanics(const std::string& lines) { return "[mechanics]\n" + lines; }

}  // namespace

TEST_CASE("What stands between a node and ground hangs on the node", "[networks]") {
    CHECK(bonds_of(circuit(R"(
u = { type = "voltage", between = "a ground", value = 1 }
r = { type = "resistor", between = "a ground", value = 1 })")) == Names{"u -> a", "a -> r"});
    CHECK(bonds_of(mechanics(R"(
m = { type = "mass", at = "x", value = 1 }
f = { type = "force", at = "x", value = 1 }
s = { type = "spring", between = "x ground", value = 1 }
d = { type = "damper", between = "ground x", value = 1 })")) ==
          Names{"x -> m", "f -> x", "x -> s", "d -> x"});
}

TEST_CASE("What stands between two nodes hangs on a junction between them", "[networks]") {
    CHECK(bonds_of(circuit(R"(
u = { type = "voltage", between = "a b", value = 1 }
r = { type = "resistor", between = "a ground", value = 1 }
c = { type = "capacitor", between = "ground b", value = 1 })")) ==
          Names{"b -> u:1", "u:1 -> a", "u -> u:1", "a -> r", "c:1 -> b", "c:1 -> c"});
    CHECK(bonds_of(mechanics(R"(
m = { type = "mass", at = "x", value = 1 }
n = { type = "mass", at = "y", value = 1 }
s = { type = "spring", between = "x y", value = 1 })")) ==
          Names{"x -> m", "y -> n", "x -> s:0", "s:0 -> y", "s:0 -> s"});
}

TEST_CASE("What stands between the same two nodes shares a junction", "[networks]") {
    CHECK(bonds_of(circuit(R"(
u = { type = "voltage", between = "a ground", value = 1 }
r = { type = "resistor", between = "a b", value = 1 }
c = { type = "capacitor", between = "b a", value = 1 }
l = { type = "inductor", between = "b ground", value = 1 })")) == Names{"a -> a:b:1", "a:b:1 -> b",
                                                                        "a:b:1 -> a:b", "u -> a", "a:b -> r",
                                                                        "c:1 -> a:b", "c:1 -> c", "b -> l"});
}

TEST_CASE("What hangs on one node of the rest counts from that node", "[networks]") {
    const std::string text = circuit(R"(
u = { type = "voltage", between = "a ground", value = 3 }
v = { type = "voltage", between = "b a", value = 2 }
w = { type = "voltage", between = "b c", value = 1 })");
    CHECK(bonds_of(text) == Names{"u -> a", "v -> b", "c -> w:1", "w -> w:1"});
}

TEST_CASE("Numbers of two-poles become those of elements", "[networks]") {
    const FlatModel a = load(R"(
[parameters]
V = 3
[circuit]
c = { type = "capacitor", between = "p ground", value = 0.5, initial = "V" }
l = { type = "inductor", between = "p ground", value = 4, initial = "V/2" }
r = { type = "resistor", between = "p ground", value = "2*V" }
[mechanics]
m = { type = "mass", at = "x", value = 2, velocity = -1, position = 3 }
s = { type = "spring", between = "x ground", value = 4, length = 1 }
z = { type = "spring", between = "ground x", value = 4, length = 1 }
)");
    CHECK(element(a, "c").initial_displacement == 1.5);
    CHECK(element(a, "l").initial_momentum == 6);
    CHECK(element(a, "r").value == 6);
    CHECK(element(a, "m").initial_momentum == -2);
    CHECK(element(a, "s").value == 0.25);
    CHECK(element(a, "s").initial_displacement == 2);
    CHECK(element(a, "z").initial_displacement == -2);  // 0 - 3 + 1: the points stay in order
}

TEST_CASE("A network records voltages and currents, positions, velocities and forces", "[networks]") {
    CHECK(recorded_names(load(circuit(R"(
u = { type = "voltage", between = "a ground", value = 1 }
r = { type = "resistor", between = "a ground", value = 1 })"))) ==
          Names{"a.voltage", "u.current", "r.current"});
    CHECK(recorded_names(load(mechanics(R"(
m = { type = "mass", at = "x", value = 1 }
s = { type = "spring", between = "x ground", value = 1 })"))) ==
          Names{"x.position", "x.velocity", "s.force"});
    CHECK(recorded_names(
              load("[blocks]\ny = \"t\"\n[mechanics]\nm = { type = \"mass\", at = \"x\", value = 1 }")) ==
          Names{"y"});
}

TEST_CASE("Every two-pole of the catalogue has an example that is read", "[networks]") {
    for (const auto& type : bonds::poles()) DYNAMIC_SECTION(type.type) {
            if (!bonds::find_element_type(type.element)) continue;
            const std::string table(bonds::table_of(type.domain));
            const bool couples = type.ends == "coils";
            const char* const coils =
                "l1 = { type = \"inductor\", between = \"a ground\", value = 1 }\n"
                "l2 = { type = \"inductor\", between = \"b ground\", value = 1 }\n";
            const FlatModel model = load(fmt::format("[blocks]\ngate = \"1\"\n[{}]\n{}{}\n", table,
                                                     couples ? coils : "", type.example));
            CHECK(model.graph.elements.size() > 1);
            const std::string page = bonds::describe_pole_type(type);
            for (const auto& parameter : type.parameters)
                CHECK(page.find(std::string(parameter.key.name)) != std::string::npos);
            CHECK(bonds::describe_poles().find(fmt::format("\n  {} ", type.type)) != std::string::npos);
        }
}

TEST_CASE("Diagrams of circuits are joined at their nodes", "[networks]") {
    const std::string part = R"(
[diagrams.rc.circuit]
r = { type = "resistor", between = "in out", value = 1 }
c = { type = "capacitor", between = "out low", value = 1 }
[circuit]
u = { type = "voltage", between = "a ground", value = 1 }
f = { type = "rc", nodes = { in = "a", out = "b", low = "ground" } }
)";
    const Names bonds = bonds_of(part);
    CHECK(std::count(bonds.begin(), bonds.end(), "a -> f.in") == 1);
    CHECK(std::count(bonds.begin(), bonds.end(), "b -> f.out") == 1);
    CHECK(std::count(bonds.begin(), bonds.end(), "f:low:0 -> f.low") == 1);
}
