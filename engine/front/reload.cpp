// Reads the text again.
#include "engine/front/reload.hpp"

namespace deltaflow {

FlatModel reload(const FlatModel& model, const std::vector<std::pair<std::string, std::string>>& sets,
                 const std::optional<std::vector<std::string>>& record) {
    return load_model_text(model.sources.files[0].path, model.sources.files[0].text, {sets, record, {}});
}

}  // namespace deltaflow
