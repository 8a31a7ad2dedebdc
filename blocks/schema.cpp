// A JSON schema (draft 2020-12) of model files, printed from the catalogue.
#include "blocks/catalogue.hpp"
#include "blocks/schema_text.hpp"
#include "deltaflow/choices.hpp"

#include <fmt/format.h>

namespace deltaflow {

namespace {

using namespace schema_text;

std::string kind_schema(const Parameter& p) {
    switch (p.kind) {
        case ParameterKind::number:
            return reference("number");
        case ParameterKind::numbers:
            return reference("numbers");
        case ParameterKind::matrix:
            return reference("matrix");
        case ParameterKind::choice:
            return one_of_words(p.choices);
        case ParameterKind::text:
        case ParameterKind::file:
            return of_type("string");
        case ParameterKind::label:
            return object({{"type", array({string("string"), string("integer")})}});
        case ParameterKind::train:
            return reference("train");
    }
    return "{}";
}

std::string parameter_schema(const Parameter& p) {
    Members keywords{{"description", string(p.about)}};
    if (!p.fallback.empty())
        keywords.emplace_back("default",
                              p.kind == ParameterKind::number ? std::string(p.fallback) : string(p.fallback));
    return annotated(kind_schema(p), keywords);
}

std::string port_schema(const Port& port) {
    if (!port.many) return reference("signal");
    const std::string list = array_of(reference("signal"), port.at_least);
    return port.at_least > 1 ? list : any_of({list, reference("signal")});
}

std::string block_schema(const BlockType& type) {
    Members properties{{"type", object({{"const", string(type.type)}})}};
    std::vector<std::string_view> required{"type"};
    for (const Port& port : type.inputs) {
        properties.emplace_back(port.name, port_schema(port));
        if (port.at_least > 0) required.push_back(port.name);
    }
    for (const Parameter& p : type.parameters) {
        properties.emplace_back(p.name, parameter_schema(p));
        if (p.required && p.fallback.empty()) required.push_back(p.name);
    }
    properties.emplace_back("guess", reference("number"));
    return annotated(table(properties, required), {{"description", string(type.about)}});
}

// A block that names a type of the catalogue has its keys; any other type is a diagram.
std::string typed_block_schema() {
    std::vector<std::string_view> types;
    for (const BlockType& type : catalogue()) types.push_back(type.type);
    return by_type("block_", types);
}

std::string diagram_schema() {
    const std::string names = array_of(of_type("string"));
    return table({{"about", of_type("string")},
                  {"inputs", names},
                  {"outputs", names},
                  {"parameters", map_of(reference("number"))},
                  {"blocks", map_of(reference("block"))},
                  {"elements", reference("elements")},
                  {"bonds", reference("bonds")},
                  {"automata", reference("automata")},
                  {"circuit", reference("circuit")},
                  {"mechanics", reference("mechanics")},
                  {"diagrams", map_of(reference("diagram"))}});
}

template <class E>
std::string words_of() {
    std::vector<std::string_view> words;
    for (const auto& choice : choices<E>) words.push_back(choice.name);
    return one_of_words(words);
}

std::string simulation_schema() {
    return table({
        {"start", reference("number")},
        {"stop", reference("number")},
        {"method", words_of<Method>()},
        {"impulses", words_of<ImpulseKind>()},
        {"step", reference("number")},
        {"riemann", words_of<Riemann>()},
        {"tolerance", reference("number")},
        {"absolute", reference("number")},
        {"certify", of_type("boolean")},
        {"every", reference("number")},
        {"record", array_of(of_type("string"))},
        {"simultaneous", words_of<Simultaneous>()},
        {"zeno", words_of<AtZeno>()},
        {"sliding", words_of<Sliding>()},
        {"max_events", reference("number")},
        {"threads", reference("number")},
    });
}

// A shape of the studio; which keys it takes depends on the shape, and is left to `check`.
std::string shape_schema() {
    Members keys{{"shape", one_of_words({"ball", "box", "line", "spring", "ground", "wall", "label"})}};
    for (const char* key : {"x", "y", "size", "width", "height", "angle", "x2", "y2", "value"})
        keys.emplace_back(key, reference("signal"));
    return table(keys, {"shape"});
}

std::string train_schema() {
    return array_of(
        table({{"at", reference("number")}, {"size", reference("number")}, {"order", reference("number")}},
              {"at"}),
        1);
}

std::string expression_schema() {
    return table({{"expression", reference("signal")}, {"guess", reference("number")}}, {"expression"});
}

Members definitions() {
    const std::string number_or_text = array({string("number"), string("string")});
    const std::string row = any_of({reference("number"), array_of(reference("number"))});
    Members all{
        {"number", object({{"description", string("a number, or an expression of parameters")},
                           {"type", number_or_text}})},
        {"signal", object({{"description", string("an expression of signals")}, {"type", number_or_text}})},
        {"numbers", row},
        {"matrix", any_of({reference("number"), array_of(row)})},
        {"train", train_schema()},
        {"expression_block", expression_schema()},
        {"typed_block", typed_block_schema()},
        {"block", any_of({reference("signal"), reference("expression_block"), reference("typed_block")})},
        {"diagram", diagram_schema()},
        {"simulation", simulation_schema()},
    };
    for (const BlockType& type : catalogue())
        all.emplace_back(fmt::format("block_{}", type.type), block_schema(type));
    return all;
}

}  // namespace

std::string catalogue_schema(const json_text::Members& graph) {
    json_text::Members all = definitions();
    all.insert(all.end(), graph.begin(), graph.end());
    const std::string model = table({
        {"name", of_type("string")},
        {"about", of_type("string")},
        {"use", array_of(of_type("string"))},
        {"parameters", map_of(reference("number"))},
        {"diagrams", map_of(reference("diagram"))},
        {"blocks", map_of(reference("block"))},
        {"simulation", reference("simulation")},
        {"elements", reference("elements")},
        {"bonds", reference("bonds")},
        {"automata", reference("automata")},
        {"circuit", reference("circuit")},
        {"mechanics", reference("mechanics")},
        {"layout", map_of(array_of(of_type("number"), 2))},
        {"animation", map_of(shape_schema())},
    });
    return json_text::pretty(
        annotated(model, {{"$schema", string("https://json-schema.org/draft/2020-12/schema")},
                          {"title", string("Deltaflow model")},
                          {"$defs", object(all)}}));
}

}  // namespace deltaflow
