// Small models in strings, and ways to look into them.
#pragma once

#include "engine/model/model.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

namespace deltaflow::test {

inline FlatModel load(const std::string& text, const LoadOptions& options = {}) {
    return load_model_text("model.toml", text, options);
}

// The first message that a wrong model gives, or nothing.
inline std::string message(const std::string& text, const LoadOptions& options = {}) {
    try {
        load(text, options);
        return "";
    } catch (const ModelError& e) {
        return e.what();
    }
}

inline std::vector<std::string> recorded_names(const FlatModel& model) {
    std::vector<std::string> names;
    for (const auto& r : model.record) names.push_back(r.name);
    return names;
}

inline NodeId node(const FlatModel& model, const std::string& name) {
    for (const auto& r : model.record)
        if (r.name == name) return r.node;
    FAIL("nothing called " << name << " is recorded");
    return no_node;
}

// A link as "from -> to", by the names of blocks.
inline std::string links_of(const FlatModel& model, const std::string& name) {
    std::string text;
    for (const NodeId from : model.diagram.inputs_of(node(model, name)))
        text += (text.empty() ? "" : " ") + model.naming->name(from);
    return text;
}

inline std::vector<double> parameters_of(const FlatModel& model, const std::string& name) {
    const auto values = model.diagram.parameters_of(node(model, name));
    return {values.begin(), values.end()};
}

inline const std::string oscillator = R"toml(
[diagrams.oscillator]
inputs  = ["force"]
outputs = ["x"]
parameters = { m = 1.0, k = 1.0 }
[diagrams.oscillator.blocks]
v = { type = "integrator", in = "acc" }
x = { type = "integrator", in = "v" }
acc = "(force - k*x) / m"
)toml";

}  // namespace deltaflow::test
