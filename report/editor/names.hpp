// What the names in model files mean, and where each of them stands.
#pragma once

#include "report/editor/syntax.hpp"

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace deltaflow::editor {

struct Document {
    std::string path;
    Text text;
    Syntax syntax;
    std::vector<std::size_t> uses;  // documents of the project
};

// A file, the first, and those that it uses.
struct Project {
    std::vector<Document> documents;
};
// The text of a file, or nothing if it cannot be read.
using FileReader = std::function<std::optional<std::string>(const std::string& path)>;
Project open_project(const std::string& path, Text text, const FileReader& read);

enum class SymbolKind : unsigned char {
    parameter,
    input,
    block,
    element,  // two-poles are elements, too
    bond,
    automaton,
    node,  // of a circuit, or a point
    state,
    value,  // of an automaton
    diagram
};
std::string_view name_of(SymbolKind kind);

inline constexpr std::size_t nothing = ~std::size_t{0};

struct Symbol {
    SymbolKind kind = SymbolKind::block;
    std::string name;
    std::size_t document = 0, scope = 0;  // where it is known; of states and values: of their automaton
    const Member* member = nullptr;       // what declares it; none of inputs and nodes
    std::string type;                     // of a block, an element, a two-pole
    std::size_t inside = nothing;         // of a diagram and its instances: the scope within
    std::vector<std::size_t> parts = {};  // of an automaton: states and values
};

// A diagram, or the body of a file.
struct Scope {
    std::size_t document = 0, outer = nothing;
    std::string name;
    const Node* table = nullptr;
    std::unordered_map<std::string, std::vector<std::size_t>> symbols;  // an automaton may share a name
    std::unordered_map<std::string, std::size_t> diagrams;              // that are written in it
};

struct Mention {
    std::size_t document = 0;
    Span span;
    std::size_t symbol = 0;
    bool definition = false;
};

// Made of a project, which has to stay.
struct Names {
    std::vector<Symbol> symbols;
    std::vector<Scope> scopes;                                                   // the first is the model's
    std::vector<std::unordered_map<std::string, std::size_t>> visible_diagrams;  // by document
    std::vector<Mention> mentions;                                               // in a fixed order

    const Mention* at(std::size_t document, std::size_t offset) const;
    const Mention* definition_of(std::size_t symbol) const;
    // The diagram that a type names, seen from a scope.
    std::size_t find_diagram(std::size_t scope, const std::string& type) const;
    // What a name leads to: signals and parameters; the first of several.
    std::size_t find(std::size_t scope, const std::string& name) const;
};
Names find_names(const Project& project);

// Tables between a document's root and the table of a diagram: the scope it is, and what is left of the path.
struct Where {
    std::size_t scope = 0;
    std::vector<std::string> rest;  // "blocks", "v"
};
Where where_is(const Names& names, std::size_t document, const std::vector<std::string>& path);

}  // namespace deltaflow::editor
