// Models of one text with other values: files are read once.
#pragma once

#include "engine/model/model.hpp"

namespace deltaflow {

namespace front {
struct Declarations;
}

// A model and the files that it uses, as they were read. Nobody changes them: threads may share them.
using ModelFiles = std::shared_ptr<const front::Declarations>;

// Reads, and keeps what is wrong for whoever makes a model of it. Throws ModelError if a file cannot be read
// or is no TOML.
ModelFiles read_model(const std::string& path, const std::vector<std::string>& allow = {});
ModelFiles read_model_text(const std::string& path, std::string text,
                           const std::vector<std::string>& allow = {});
FlatModel load_model(const ModelFiles& files, const LoadOptions& options);

// The model once more, with further values; where one is set twice the last counts. The model must come from
// files or a text.
FlatModel with(const FlatModel& model, const LoadOptions& more);

}  // namespace deltaflow
