// Models, their mistakes and their pictures as JSON.
#include "engine/front/flatten/flatten.hpp"
#include "web/json.hpp"

namespace deltaflow::web {

namespace {

Json place_json(const Place& place) {
    return {{"file", place.file}, {"line", place.line}, {"column", place.column}, {"length", place.length}};
}

// Where a parameter stands, what was written, and what it is now.
Json parameter_json(const front::ParameterDeclaration& parameter, const std::optional<Number>& value) {
    const front::Value& source = *parameter.formula.source;
    Json json{{"name", parameter.name}, {"place", place_json(source.place)}, {"number", source.is_number()}};
    if (!source.is_number()) json["formula"] = source.text;
    if (value) json["value"] = value->value;
    return json;
}

Json parameters_json(const FlatModel& model) {
    Json list = Json::array();
    const front::DiagramDeclaration& body = model.written->declarations->files[0]->body;
    const front::Environment& environment = *model.written->templates.list[0].environment;
    for (std::size_t i = 0; i < body.parameters.size(); ++i)
        if (body.parameters[i].formula.source)
            list.push_back(parameter_json(body.parameters[i], environment.values[i]));
    return list;
}

Json automata_json(const bonds::Graph& graph) {
    Json list = Json::array();
    for (const bonds::Automaton& a : graph.automata)
        list.push_back({{"name", a.name}, {"states", a.states}, {"initial", a.states[a.initial]}});
    return list;
}

Json box_json(const report::scheme::Box& box) {
    Json json{{"name", box.name},          {"title", box.title},   {"lines", box.lines},
              {"about", box.about},        {"inputs", box.inputs}, {"outputs", box.outputs},
              {"order", box.order},        {"loop", box.loop},     {"group", box.group},
              {"symbol", box.symbol},      {"many", box.many},     {"off", box.off},
              {"dependent", box.dependent}};
    using report::scheme::Shape;
    constexpr std::string_view shapes[] = {"block",    "instance",  "element",
                                           "junction", "automaton", "terminal"};
    json["shape"] = shapes[static_cast<std::size_t>(box.shape)];
    return json;
}

std::string_view end_text(bonds::End end) {
    return end == bonds::End::from ? "from" : end == bonds::End::to ? "to" : "nobody";
}

}  // namespace

Json model_json(const FlatModel& model) {
    std::vector<std::string> names, files;
    for (const Recorded& recorded : model.record) names.push_back(recorded.name);
    for (const Sources::File& file : model.sources.files) files.push_back(file.path);
    return {{"name", model.name},
            {"about", model.about},
            {"parameters", parameters_json(model)},
            {"signals", names},
            {"automata", automata_json(model.graph)},
            {"bonds", !model.graph.empty()},
            {"numeric", model.settings.impulses != ImpulseKind::symbolic},
            {"start", model.settings.start},
            {"stop", model.settings.stop},
            {"blocks", model.user_blocks}};
}

Json scheme_json(const report::scheme::Picture& picture) {
    Json boxes = Json::array(), links = Json::array(), bonds = Json::array(), groups = Json::array();
    for (const auto& box : picture.boxes) boxes.push_back(box_json(box));
    for (const auto& link : picture.links)
        links.push_back({{"from", link.from},
                         {"to", link.to},
                         {"signal", link.signal},
                         {"regularity", report::scheme::regularity_text(link.regularity)},
                         {"loop", link.loop},
                         {"control", link.control}});
    for (const auto& bond : picture.bonds)
        bonds.push_back({{"from", bond.from},
                         {"to", bond.to},
                         {"name", bond.name},
                         {"text", report::scheme::bond_text(bond)},
                         {"effort_by", end_text(bond.effort_by)},
                         {"impulse", report::scheme::carries_impulse(bond)}});
    for (const auto& group : picture.groups)
        groups.push_back({{"title", group.title}, {"parent", group.parent}});
    return {{"title", picture.title}, {"mode", picture.mode}, {"notes", picture.notes}, {"boxes", boxes},
            {"links", links},         {"bonds", bonds},       {"groups", groups}};
}

Json mistakes_json(const ModelError& error) {
    Json list = Json::array();
    for (const Diagnostic& d : error.diagnostics) {
        Json json{{"message", d.message}, {"notes", d.notes}, {"place", place_json(d.place)}};
        if (d.place.file < error.sources.files.size()) json["path"] = error.sources.files[d.place.file].path;
        list.push_back(json);
    }
    return list;
}

}  // namespace deltaflow::web
