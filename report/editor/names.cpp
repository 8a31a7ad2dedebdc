// Declares what model files define; who reads it is found by mentions.cpp.
#include "report/editor/names.hpp"

#include "report/editor/mentions.hpp"

#include <algorithm>

namespace deltaflow::editor {

namespace {

class Declarer {
public:
    Declarer(const Project& project, Names& names) : project_(project), names_(names) {}

    void declare() {
        for (std::size_t d = 0; d < project_.documents.size(); ++d)
            add_scope(d, nothing, "", project_.documents[d].syntax.root);
        names_.visible_diagrams.resize(project_.documents.size());
        std::vector<char> done(project_.documents.size(), 0);
        for (std::size_t d = 0; d < project_.documents.size(); ++d) see(d, done);
        for (Symbol& symbol : names_.symbols)
            if (symbol.kind != SymbolKind::diagram && !symbol.type.empty())
                if (const std::size_t found = names_.find_diagram(symbol.scope, symbol.type);
                    found != nothing)
                    symbol.inside = names_.symbols[found].inside;
    }

private:
    std::size_t add(std::size_t scope, Symbol symbol) {
        symbol.document = names_.scopes[scope].document;
        symbol.scope = scope;
        names_.symbols.push_back(std::move(symbol));
        return names_.symbols.size() - 1;
    }

    std::size_t add_named(std::size_t scope, Symbol symbol) {
        const std::string name = symbol.name;
        const std::size_t index = add(scope, std::move(symbol));
        names_.scopes[scope].symbols[name].push_back(index);
        return index;
    }

    void add_members(std::size_t scope, const Node& table, const char* key, SymbolKind kind) {
        const Member* members = table.find(key);
        if (!members) return;
        for (const Member& member : members->value.members) {
            Symbol symbol{kind, member.key, 0, 0, &member, std::string(member.value.text_of("type"))};
            const std::size_t index = add_named(scope, std::move(symbol));
            if (kind == SymbolKind::automaton) add_parts(scope, index, member.value);
        }
    }

    void add_parts(std::size_t scope, std::size_t automaton, const Node& table) {
        for (const auto& [key, kind] :
             {std::pair("states", SymbolKind::state), {"values", SymbolKind::value}})
            if (const Member* parts = table.find(key))
                for (const Member& part : parts->value.members) {
                    const std::size_t index = add(scope, {kind, part.key, 0, 0, &part, ""});
                    names_.symbols[automaton].parts.push_back(index);
                }
    }

    // Nodes and points are known by being named.
    void add_nodes(std::size_t scope, const Node& table, const char* key) {
        const Member* poles = table.find(key);
        if (!poles) return;
        for (const Member& pole : poles->value.members) {
            for (const char* ends : {"between", "at", "secondary"})
                add_nodes(scope, pole.value.text_of(ends));
            for (const char* joined : {"nodes", "points"})
                if (const Member* map = pole.value.find(joined))
                    for (const Member& node : map->value.members)
                        if (node.value.kind == Node::Kind::string) add_nodes(scope, node.value.text);
        }
    }

    void add_nodes(std::size_t scope, std::string_view text) {
        for (std::size_t at = 0; at < text.size();) {
            std::size_t end = at;
            while (end < text.size() && is_word(text[end])) ++end;
            const std::string name(text.substr(at, end - at));
            if (!name.empty() && name != "ground" && names_.scopes[scope].symbols.count(name) == 0)
                add_named(scope, {SymbolKind::node, name, 0, 0, nullptr, ""});
            at = end + 1;
        }
    }

    void add_inputs(std::size_t scope, const Node& table) {
        const Member* inputs = table.find("inputs");
        if (!inputs) return;
        for (const Node& item : inputs->value.items)
            if (item.kind == Node::Kind::string)
                add_named(scope, {SymbolKind::input, item.text, 0, 0, nullptr, ""});
    }

    std::size_t add_scope(std::size_t document, std::size_t outer, const std::string& name,
                          const Node& table) {
        const std::size_t scope = names_.scopes.size();
        names_.scopes.push_back({document, outer, name, &table, {}, {}});
        if (outer != nothing) add_inputs(scope, table);
        add_members(scope, table, "parameters", SymbolKind::parameter);
        add_members(scope, table, "blocks", SymbolKind::block);
        add_members(scope, table, "elements", SymbolKind::element);
        add_members(scope, table, "circuit", SymbolKind::element);
        add_members(scope, table, "mechanics", SymbolKind::element);
        add_members(scope, table, "bonds", SymbolKind::bond);
        add_members(scope, table, "automata", SymbolKind::automaton);
        add_nodes(scope, table, "circuit");
        add_nodes(scope, table, "mechanics");
        if (const Member* diagrams = table.find("diagrams"))
            for (const Member& member : diagrams->value.members) {
                const std::size_t symbol = add(scope, {SymbolKind::diagram, member.key, 0, 0, &member, ""});
                const std::size_t inside = add_scope(document, scope, member.key, member.value);
                names_.symbols[symbol].inside = inside;
                names_.scopes[scope].diagrams.emplace(member.key, symbol);
            }
        return scope;
    }

    std::size_t scope_of(std::size_t document) const {
        for (std::size_t s = 0; s < names_.scopes.size(); ++s)
            if (names_.scopes[s].document == document && names_.scopes[s].outer == nothing) return s;
        return nothing;
    }

    // Its own diagrams and those of the files that it uses.
    void see(std::size_t document, std::vector<char>& done) {
        if (done[document]) return;
        done[document] = 1;
        auto& visible = names_.visible_diagrams[document];
        visible = names_.scopes[scope_of(document)].diagrams;
        for (const std::size_t used : project_.documents[document].uses) {
            see(used, done);
            for (const auto& [name, symbol] : names_.visible_diagrams[used]) visible.emplace(name, symbol);
        }
    }

    const Project& project_;
    Names& names_;
};

}  // namespace

std::string_view name_of(SymbolKind kind) {
    constexpr std::string_view all[] = {"parameter", "input", "block", "element", "bond",
                                        "automaton", "node",  "state", "value",   "diagram"};
    return all[static_cast<std::size_t>(kind)];
}

const Mention* Names::at(std::size_t document, std::size_t offset) const {
    const Mention* found = nullptr;
    for (const Mention& mention : mentions)
        if (mention.document == document && mention.span.contains(offset)) {
            found = &mention;
            if (offset < mention.span.end) return found;  // rather than one that ends there
        }
    return found;
}

const Mention* Names::definition_of(std::size_t symbol) const {
    const Mention* first = nullptr;
    for (const Mention& mention : mentions) {
        if (mention.symbol != symbol) continue;
        if (mention.definition) return &mention;
        if (!first) first = &mention;
    }
    return first;
}

std::size_t Names::find_diagram(std::size_t scope, const std::string& type) const {
    if (type.empty()) return nothing;  // [diagrams.""] is no type
    for (std::size_t s = scope; scopes[s].outer != nothing; s = scopes[s].outer)
        if (const auto found = scopes[s].diagrams.find(type); found != scopes[s].diagrams.end())
            return found->second;
    const auto& visible = visible_diagrams[scopes[scope].document];
    const auto found = visible.find(type);
    return found == visible.end() ? nothing : found->second;
}

std::size_t Names::find(std::size_t scope, const std::string& name) const {
    const auto own = scopes[scope].symbols.find(name);
    if (own != scopes[scope].symbols.end()) return own->second.front();
    for (std::size_t s = scopes[scope].outer; s != nothing; s = scopes[s].outer)
        if (const auto found = scopes[s].symbols.find(name); found != scopes[s].symbols.end())
            if (symbols[found->second.front()].kind == SymbolKind::parameter) return found->second.front();
    return nothing;
}

Where where_is(const Names& names, std::size_t document, const std::vector<std::string>& path) {
    Where where;
    for (std::size_t s = 0; s < names.scopes.size(); ++s)
        if (names.scopes[s].document == document && names.scopes[s].outer == nothing) where.scope = s;
    std::size_t at = 0;
    for (; at + 1 < path.size() && path[at] == "diagrams"; at += 2) {
        const auto found = names.scopes[where.scope].diagrams.find(path[at + 1]);
        if (found == names.scopes[where.scope].diagrams.end()) break;
        where.scope = names.symbols[found->second].inside;
    }
    where.rest.assign(path.begin() + static_cast<std::ptrdiff_t>(at), path.end());
    return where;
}

Names find_names(const Project& project) {
    Names names;
    Declarer(project, names).declare();
    find_mentions(names);
    return names;
}

}  // namespace deltaflow::editor
