// The words of model files, as the catalogues have them: tables, keys, choices, signals.
#pragma once

#include "report/editor/names.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace deltaflow::editor {

struct Word {
    std::string_view name, about;
    bool in_diagrams = true;
};
std::span<const Word> tables();
std::span<const Word> model_keys();
std::span<const Word> diagram_keys();

struct KeyInfo {
    std::string name, about;
};
// The keys of a table, by its path within a diagram ("blocks", "v") and what it has already.
std::vector<KeyInfo> keys_of(const Names& names, std::size_t scope, const std::vector<std::string>& path,
                             const Node& table);

// All that a key may be, if they are few.
std::vector<std::string> words_of(const std::vector<std::string>& path, const std::string& key,
                                  const Node& table);

// Do names stand in the text of this key?
bool takes_names(const std::vector<std::string>& path, const std::string& key, const Node& table);

// Is it written under [circuit] or another table of elements?
bool stands_in(const Names& names, const Symbol& symbol, const std::string& table);

// What may follow a name and a dot.
struct MemberInfo {
    std::string name, about;
};
std::vector<MemberInfo> members_of(const Names& names, std::size_t symbol);

}  // namespace deltaflow::editor
