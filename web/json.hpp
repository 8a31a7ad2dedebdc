// What the page asks of the engine, and what it answers: JSON both ways.
#pragma once

#include "deltaflow/trace.hpp"
#include "engine/model/model.hpp"
#include "report/plot/picture.hpp"
#include "report/scheme/scheme.hpp"

#include <nlohmann/json.hpp>

namespace deltaflow::web {

using Json = nlohmann::ordered_json;

// Words of models need not be UTF-8.
inline std::string dumped(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Types of blocks, elements and two-poles with their ports and keys: for the editor and the palette.
Json catalogue_json();

// A model that was loaded: its name, parameters with the places of their numbers, signals, automata.
Json model_json(const FlatModel& model);

// Boxes and lines with what they are called; where they go, Graphviz will tell from the DOT.
Json scheme_json(const report::scheme::Picture& picture);

// What of a run lies between two times.
Trace within(Trace trace, double from, double to);
// Curves, impulses and events, as JSON.
std::string picture_text(const report::Picture& picture);

// Mistakes with their places, for whoever underlines them.
Json mistakes_json(const ModelError& error);

}  // namespace deltaflow::web
