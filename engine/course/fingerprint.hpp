// Saved states: whom they belong to, and whether they are whole.
#pragma once

#include "engine/model/model.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace deltaflow {

// Tells models and settings apart: texts, numbers, what is recorded.
std::uint64_t fingerprint(const FlatModel& model);
// And what else is said beside the model.
std::uint64_t fingerprint(const FlatModel& model, std::string_view more);

// A state with what it takes to know it again.
std::vector<std::byte> seal(std::uint64_t fingerprint, std::vector<std::byte> state);
// The same for one that is too large to be there as bytes: `state` hands on its parts, and is asked for them
// twice.
using TakeBytes = std::function<void(std::span<const std::byte>)>;
void seal(std::uint64_t fingerprint, const std::function<void(const TakeBytes&)>& state,
          const TakeBytes& out);
// The state inside. Throws ModelError (option) for one of another model or version, or a damaged one.
std::span<const std::byte> unseal(std::uint64_t fingerprint, std::span<const std::byte> bytes);

}  // namespace deltaflow
