// The catalogues of blocks, elements and two-poles as JSON.
#include "blocks/catalogue.hpp"

#include "bonds/poles.hpp"
#include "web/json.hpp"

namespace deltaflow::web {

namespace {

Json key_json(std::string_view name, std::string_view fallback, bool required, std::string_view about) {
    return {{"name", name}, {"fallback", fallback}, {"required", required}, {"about", about}};
}

Json block_json(const BlockType& type) {
    Json ports = Json::array(), keys = Json::array(), examples = Json::array();
    for (const Port& port : type.inputs)
        ports.push_back({{"name", port.name}, {"many", port.many}, {"needed", port.at_least > 0}});
    for (const Parameter& p : type.parameters) {
        Json key = key_json(p.name, p.fallback, p.required, p.about);
        if (!p.choices.empty()) key["choices"] = p.choices;
        keys.push_back(key);
    }
    for (const Example& example : type.examples)
        if (example.fails.empty()) examples.push_back(example_block(type, example));
    return {{"type", type.type}, {"group", type.group}, {"about", type.about}, {"rule", type.rule},
            {"inputs", ports},   {"keys", keys},        {"examples", examples}};
}

Json element_key(const bonds::ElementParameter& p) {
    return key_json(p.name, p.fallback, p.required, p.about);
}

Json element_json(const bonds::ElementType& type) {
    Json keys = Json::array(), signals = Json::array();
    for (const bonds::ElementParameter& p : type.parameters) keys.push_back(element_key(p));
    for (const bonds::Signal signal : type.signals) signals.push_back(bonds::name_of(signal));
    return {{"type", type.type}, {"about", type.about}, {"rule", type.rule},
            {"keys", keys},      {"signals", signals},  {"example", type.example}};
}

Json pole_json(const bonds::PoleType& type) {
    Json keys = Json::array();
    keys.push_back(key_json(type.ends, "", true, "the nodes or points that it joins"));
    for (const bonds::PoleParameter& p : type.parameters) keys.push_back(element_key(p.key));
    return {{"type", type.type},      {"table", bonds::table_of(type.domain)},
            {"about", type.about},    {"rule", type.rule},
            {"keys", keys},           {"signals", type.signals},
            {"example", type.example}};
}

}  // namespace

Json catalogue_json() {
    Json blocks = Json::array(), elements = Json::array(), poles = Json::array();
    for (const BlockType& type : catalogue()) blocks.push_back(block_json(type));
    for (const bonds::ElementType& type : bonds::elements()) elements.push_back(element_json(type));
    for (const bonds::PoleType& type : bonds::poles()) poles.push_back(pole_json(type));
    const Json schema = Json::parse(bonds::model_schema());
    return {{"blocks", blocks},
            {"elements", elements},
            {"poles", poles},
            {"simulation", schema.at("$defs").at("simulation").at("properties")}};
}

}  // namespace deltaflow::web
