// The catalogue of elements: it prints itself, and its examples are read.
#include "bonds/catalogue.hpp"
#include "engine/model/model.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

using namespace deltaflow;

namespace {

std::string name_in(std::string_view example) { return std::string(example.substr(0, example.find(' '))); }

// A model around an example, with everything that examples speak of.
std::string model_with(const bonds::ElementType& type) {
    const std::string name = name_in(type.example);
    std::string bonds = fmt::format("w1 = \"j1 -> {}\"\n", name);
    if (type.joins == bonds::Joins::in_and_out) bonds += fmt::format("w2 = \"{} -> j2\"\n", name);
    return fmt::format(R"toml(
[parameters]
m = 1
g = 9.81
e = 0.5
k = 2
l = 1
[blocks]
opening = "t"
theta = "t"
current = "1 + t"
[elements]
{}
j1 = {{ type = "1" }}
j2 = {{ type = "1" }}
v1 = {{ type = "1" }}
v2 = {{ type = "1" }}
[bonds]
j = "v1 -> v2"
i = "v1 -> j1"
h = "v1 -> j2"
{}
[automata.touch]
initial = "apart"
states = {{ apart = "off", together = "on" }}
[automata.hand]
initial = "open"
states = {{ open = "off", closed = "on" }}
)toml",
                       type.example, bonds);
}

}  // namespace

TEST_CASE("The catalogue of elements prints itself", "[elements]") {
    const std::string all = bonds::describe_elements();
    for (const bonds::ElementType& type : bonds::elements()) {
        INFO(type.type);
        CHECK(all.find(fmt::format("\n  {} ", type.type)) != std::string::npos);
        const std::string one = bonds::describe_element_type(type);
        CHECK(one.find(std::string(type.rule)) != std::string::npos);
        for (const auto& p : type.parameters) CHECK(one.find(std::string(p.name)) != std::string::npos);
    }
    CHECK(bonds::describe_element_type(*bonds::find_element_type("I")) ==
          R"(I (elements)
  A mass or coil: stores momentum; a field of several has a matrix, and ports x[0], x[1], ...

  rule        f = p / I, or f = law(p); dp/dt = e; E = p^2 / (2 I) (002: 4.3)
  bonds       one
  parameters  value                  I; of a field a symmetric matrix [[l00, l01], [l01, l11]]
              momentum = 0           at the start: the integral of the effort
              displacement = 0       at the start: the integral of the flow
              law (optional)         f as an expression of p
  signals     effort, flow, momentum, displacement, energy
  example     body = { type = "I", value = "m", momentum = 1 }
)");
}

TEST_CASE("The example of every element is read as that type", "[elements]") {
    for (const bonds::ElementType& type : bonds::elements()) DYNAMIC_SECTION(type.type) {
            if (name_in(type.example) == "v") continue;
            const FlatModel model = load_model_text("example.toml", model_with(type));
            CHECK(model.graph.elements[0].type == type.kind);
        }
}
