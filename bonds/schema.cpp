// A JSON schema of model files: what the catalogue of blocks gives, and bond graphs.
#include "blocks/catalogue.hpp"
#include "blocks/schema_text.hpp"
#include "bonds/catalogue.hpp"
#include "bonds/describe.hpp"

#include <fmt/format.h>

namespace deltaflow::bonds {

namespace {

using namespace schema_text;

std::string kind_schema(Takes takes) {
    switch (takes) {
        case Takes::number:
            return reference("number");
        case Takes::signal:
        case Takes::law:
            return reference("signal");
        case Takes::automaton:
            return of_type("string");
        case Takes::off:
            return one_of_words({"effort", "flow"});
    }
    return "{}";
}

}  // namespace

std::string parameter_schema(const ElementParameter& p) {
    Members keywords{{"description", string(p.about)}};
    if (!p.fallback.empty())
        keywords.emplace_back("default",
                              p.takes == Takes::number ? std::string(p.fallback) : string(p.fallback));
    std::string kind = kind_schema(p.takes), row = array_of(kind);
    if (p.dimensions > 0) kind = any_of({kind, p.dimensions == 2 ? array_of(row) : row});
    return annotated(kind, keywords);
}

namespace {

std::string requires_key(std::string_view key) { return object({{"required", array({string(key)})}}); }

// Where there may be a law, it stands instead of the first parameter.
std::string element_schema(const ElementType& type) {
    Members properties{{"type", object({{"const", string(type.type)}})}};
    std::vector<std::string_view> required{"type"};
    const bool law = !type.variable.empty();
    for (const ElementParameter& p : type.parameters) {
        properties.emplace_back(p.name, parameter_schema(p));
        const bool replaced = law && &p == type.parameters.data();
        if (p.required && p.fallback.empty() && !replaced) required.push_back(p.name);
    }
    Members keywords{{"description", string(type.about)}};
    if (law)
        keywords.emplace_back("oneOf", array({requires_key(type.parameters[0].name), requires_key("law")}));
    return annotated(table(properties, required), keywords);
}

std::string typed_element_schema() {
    std::vector<std::string_view> types;
    for (const ElementType& type : elements()) types.push_back(type.type);
    return by_type("element_", types);
}

std::string bond_schema() {
    const std::string arrow =
        annotated(of_type("string"), {{"description", string("from -> to, the half arrow")}});
    return any_of({arrow, table({{"bond", arrow}, {"count", reference("number")}}, {"bond"})});
}

std::string automaton_schema() {
    const std::string name = of_type("string");
    const std::string transition = table({{"from", name},
                                          {"to", name},
                                          {"when", name},
                                          {"after", reference("number")},
                                          {"once", of_type("boolean")},
                                          {"set", map_of(reference("signal"))}},
                                         {"from", "to"});
    return table({{"initial", name},
                  {"states", map_of(one_of_words({"on", "off"}))},
                  {"values", map_of(reference("number"))},
                  {"transitions", array_of(transition)}},
                 {"initial", "states"});
}

}  // namespace

std::string model_schema() {
    Members graph{{"elements", map_of(reference("element"))},
                  {"bonds", map_of(reference("bond"))},
                  {"automata", map_of(reference("automaton"))},
                  {"element", typed_element_schema()},
                  {"bond", bond_schema()},
                  {"automaton", automaton_schema()}};
    for (const ElementType& type : elements())
        graph.emplace_back(fmt::format("element_{}", type.type), element_schema(type));
    add_pole_schemas(graph);
    return catalogue_schema(graph);
}

}  // namespace deltaflow::bonds
