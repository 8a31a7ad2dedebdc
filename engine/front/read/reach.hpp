// Which files a model may read beside itself.
#pragma once

#include "engine/model/source.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace deltaflow::front {

// Sources::folders: the model, for its folder, and those that are allowed beside it. What they really are is
// asked when a file is read: most models read none.
std::vector<std::string> readable_folders(const std::string& model, const std::vector<std::string>& allow);

// Why the model must not read a file; nothing of what is in it. Links count as what they lead to. A file that
// is not there is no matter of this.
struct Refusal {
    std::string message;
    std::vector<std::string> notes;
};
std::optional<Refusal> refusal(const Sources& sources, const std::filesystem::path& file,
                               std::uintmax_t most_bytes);

}  // namespace deltaflow::front
