// What the language server says and is told, as JSON.
#pragma once

#include "app/server/workspace.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace deltaflow::app {

using Json = nlohmann::json;

enum Code {
    parse_error = -32700,
    invalid_request = -32600,
    method_not_found = -32601,
    invalid_params = -32602,
    not_initialized = -32002,
    request_failed = -32803,
    cancelled = -32800,
};

struct Failure {
    Code code;
    std::string message;
};

inline Json to_json(const editor::Position& p) { return {{"line", p.line}, {"character", p.character}}; }
inline Json to_json(const editor::Range& r) { return {{"start", to_json(r.start)}, {"end", to_json(r.end)}}; }
inline Json to_json(const editor::Location& l) {
    return {{"uri", uri_of(l.path)}, {"range", to_json(l.range)}};
}

inline std::size_t count_of(const Json& json) {
    if (!json.is_number_unsigned()) throw Failure{invalid_params, "a whole number, 0 or more, is wanted"};
    return json.get<std::size_t>();
}
inline editor::Position position_of(const Json& json) {
    return {count_of(json.at("line")), count_of(json.at("character"))};
}
inline editor::Range range_of(const Json& json) {
    return {position_of(json.at("start")), position_of(json.at("end"))};
}

inline Json markdown(const std::string& text) { return {{"kind", "markdown"}, {"value", text}}; }

// CompletionItemKind
inline int kind_of(editor::ItemKind kind) {
    switch (kind) {
        case editor::ItemKind::type:
            return 7;
        case editor::ItemKind::key:
            return 10;
        case editor::ItemKind::signal:
            return 6;
        case editor::ItemKind::parameter:
            return 21;
        case editor::ItemKind::function:
            return 3;
        case editor::ItemKind::table:
            return 9;
        case editor::ItemKind::file:
            return 17;
        case editor::ItemKind::word:
            break;
    }
    return 12;
}

// SymbolKind
inline int kind_of(const editor::Outline& part) {
    if (part.table) return part.children.empty() ? 7 : 3;
    switch (part.kind) {
        case editor::SymbolKind::parameter:
            return 14;
        case editor::SymbolKind::element:
            return 19;
        case editor::SymbolKind::bond:
            return 25;
        case editor::SymbolKind::automaton:
            return 10;
        case editor::SymbolKind::diagram:
            return 5;
        default:
            return 13;
    }
}

inline Json to_json(const std::vector<editor::Outline>& parts) {
    Json list = Json::array();
    for (const editor::Outline& part : parts)
        list.push_back({{"name", part.name},
                        {"detail", part.detail},
                        {"kind", kind_of(part)},
                        {"range", to_json(part.range)},
                        {"selectionRange", to_json(part.selection)},
                        {"children", to_json(part.children)}});
    return list;
}

inline Json capabilities() {
    return {
        {"capabilities",
         {{"positionEncoding", "utf-16"},
          {"textDocumentSync", {{"openClose", true}, {"change", 2}, {"save", true}}},
          {"completionProvider", {{"triggerCharacters", {"\"", ".", "[", "{", ","}}}},
          {"hoverProvider", true},
          {"definitionProvider", true},
          {"referencesProvider", true},
          {"documentSymbolProvider", true},
          {"renameProvider", {{"prepareProvider", true}}}}},
        {"serverInfo", {{"name", "deltaflow"}}},
    };
}

}  // namespace deltaflow::app
