// Model files as bytes: reading them, and refusing what no TOML reader should see.
#pragma once

#include "engine/front/read/document.hpp"
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

// Two ways to read a document. The first is ten times as fast, and gives nothing for what is not as simple as
// most models are; where it gives something, nothing is wrong with the text, and the second gives the same.
// `parse_document` takes them in turn.
std::optional<Value> parse_plain(std::string_view text, std::uint32_t file);
std::optional<Value> parse_any(std::string_view text, std::uint32_t file, Diagnostic& error);

// Files that are no models. "a trace (JSON), as `run --json` writes it", for example; empty if the text may
// well be one.
std::string stranger(std::string_view text);
// Notes for a path that leads nowhere: the file with the nearest name.
std::vector<std::string> advice_for_missing(const std::string& path);
// Notes for a folder: models that are in it.
std::vector<std::string> advice_for_folder(const std::string& path);

}  // namespace deltaflow::front
