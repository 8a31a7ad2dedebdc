// What an editor asks of a model file: mistakes, what fits here, what is this, where is it from, another
// name.
//
// Texts and places in, texts and places out: no files are written, no process is started.
#pragma once

#include "report/editor/names.hpp"

#include <memory>
#include <string>
#include <vector>

namespace deltaflow::editor {

enum class Severity : unsigned char { error, warning };
struct Problem {
    Severity severity = Severity::error;
    Range range;
    std::string message;  // in the words of the engine, with its advice
};

// What the engine says of a model, at places of this file; what is wrong in a file that it uses stands at its
// `use`. Large models are loaded and not analysed further.
std::vector<Problem> problems_of(const std::string& path, const Text& text);

enum class ItemKind : unsigned char { type, key, signal, parameter, function, word, table, file };
struct Item {
    std::string label;
    ItemKind kind = ItemKind::word;
    std::string detail;         // one line
    std::string documentation;  // Markdown
    std::string insert;         // what is written; empty: the label
    Span replaces;              // the part of the text that is replaced
};
// What fits at a place, by its table, key and type. At most a few thousand.
std::vector<Item> complete(const Project& project, std::size_t offset);

struct Hover {
    std::string markdown;
    Span span;
};
// Rule and value of what stands there, or nothing.
std::optional<Hover> hover(const Project& project, std::size_t offset);

struct Location {
    std::string path;
    Range range;
};
std::optional<Location> definition(const Project& project, std::size_t offset);
std::vector<Location> references(const Project& project, std::size_t offset, bool with_definition);

// A renaming that would change what a model means, or a name that no model can have: the text says why.
struct RenameError : std::runtime_error {
    using std::runtime_error::runtime_error;
};
struct Edit {
    std::string path;
    Range range;
    std::string text;
};
// The name at a place that can be renamed.
std::optional<Span> renamable(const Project& project, std::size_t offset);
// Edits of this file, and of `others`, projects that use it. Throws RenameError.
std::vector<Edit> rename(const Project& project, std::size_t offset, const std::string& name,
                         const std::vector<Project>& others = {});

struct Outline {
    std::string name, detail;
    SymbolKind kind = SymbolKind::block;
    bool table = false;  // [blocks] itself
    Range range, selection;
    std::vector<Outline> children;
};
std::vector<Outline> outline_of(const Document& document);

}  // namespace deltaflow::editor
