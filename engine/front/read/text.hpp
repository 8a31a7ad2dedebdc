// Model files as bytes: reading them, and refusing what no TOML reader should see.
#pragma once

#include "engine/model/source.hpp"

#include <optional>
#include <string>

namespace deltaflow::front {

// A model file this large is a mistake: a million blocks are written with `count`.
inline constexpr std::size_t largest_file = std::size_t{64} << 20;
// Brackets within brackets, or parts of a dotted key; the reader recurses on them.
inline constexpr int deepest_nesting = 100;

// Reads a file whole; throws ModelError (6: it cannot be read, 3: it is too large).
std::string read_text(const std::string& path);

// What is wrong with the text as text: size, UTF-8, depth. Nothing if all is well.
std::optional<Diagnostic> check_text(std::string_view text, std::uint32_t file);

}  // namespace deltaflow::front
