// What fits at a place: tables, keys, types, names.
#include "blocks/catalogue.hpp"
#include "blocks/function_table.hpp"
#include "bonds/poles.hpp"
#include "report/editor/context.hpp"
#include "report/editor/editor.hpp"
#include "report/editor/vocabulary.hpp"

#include <algorithm>
#include <cctype>

namespace deltaflow::editor {

namespace {

constexpr std::size_t most_items = 2000;

class Completer {
public:
    Completer(const Project& project, const Names& names, const Context& context)
        : text_(project.documents[0].text), names_(names), context_(context) {}

    std::vector<Item> complete() {
        switch (context_.part) {
            case Context::Part::header:
                complete_header();
                break;
            case Context::Part::key:
                complete_key();
                break;
            case Context::Part::value:
                complete_value();
                break;
        }
        return std::move(items_);
    }

private:
    const std::vector<std::string>& rest() const { return context_.rest; }
    bool in_text() const { return context_.string != nullptr; }

    void add(Item item) {
        const std::string_view typed = text_.view(context_.word);
        if (items_.size() >= most_items || item.label.substr(0, typed.size()) != typed) return;
        item.replaces = context_.word;
        const auto same = [&](const Item& other) { return other.label == item.label; };
        if (items_.size() < 200 && std::any_of(items_.begin(), items_.end(), same)) return;
        items_.push_back(std::move(item));
    }

    // A word of a text; where there is no text yet, with its quotes.
    void add_text(std::string label, ItemKind kind, std::string detail = "", std::string documentation = "") {
        std::string insert = in_text() ? "" : "\"" + label + "\"";
        add({std::move(label), kind, std::move(detail), std::move(documentation), std::move(insert), {}});
    }

    void complete_header() {
        const bool diagram = context_.path.size() > 2 && context_.path[0] == "diagrams";
        for (const Word& table : tables())
            if (!diagram || table.in_diagrams)
                add({std::string(table.name), ItemKind::table, std::string(table.about), "", "", {}});
        if (!diagram)
            for (const auto& [name, symbol] : names_.scopes[0].diagrams)
                add({name, ItemKind::table, "diagram", "", "", {}});
    }

    bool has_value() const { return context_.member && context_.member->value.kind != Node::Kind::missing; }

    void add_keys(const std::vector<KeyInfo>& keys) {
        for (const KeyInfo& key : keys)
            if (!context_.table || !context_.table->find(key.name) ||
                context_.member == context_.table->find(key.name))
                add({key.name, ItemKind::key, key.about, "", has_value() ? "" : key.name + " = ", {}});
    }

    void complete_key() {
        const bool model = names_.scopes[context_.scope].outer == nothing;
        if (rest().empty()) {
            for (const Word& key : model ? model_keys() : diagram_keys())
                add({std::string(key.name),
                     ItemKind::key,
                     std::string(key.about),
                     "",
                     std::string(key.name) + " = ",
                     {}});
            for (const Word& table : tables())
                if (model && context_.path.empty())
                    add({"[" + std::string(table.name) + "]",
                         ItemKind::table,
                         std::string(table.about),
                         "",
                         "",
                         {}});
            return;
        }
        add_keys(keys_of(names_, context_.scope, rest(), context_.table ? *context_.table : Node{}));
    }

    void complete_value() {
        if (!context_.member) return;
        const std::string& key = context_.member->key;
        const std::string table = rest().empty() ? "" : rest()[0];
        if (key == "type" && rest().size() == 2) return add_types(table);
        const std::vector<std::string> words =
            words_of(rest(), key, context_.table ? *context_.table : Node{});
        for (const std::string& word : words) add_text(word, ItemKind::word);
        if (!words.empty() || !in_text()) return;
        if (table == "automata" && (key == "from" || key == "to" || key == "initial")) return add_parts();
        add_names(key, table);
    }

    void add_types(const std::string& table) {
        if (table == "blocks")
            for (const BlockType& type : catalogue())
                add_text(std::string(type.type), ItemKind::type, std::string(type.about),
                         describe_block_type(type));
        if (table == "elements")
            for (const auto& type : bonds::elements())
                add_text(std::string(type.type), ItemKind::type, std::string(type.about),
                         bonds::describe_element_type(type));
        for (const auto& type : bonds::poles())
            if (bonds::table_of(type.domain) == table)
                add_text(std::string(type.type), ItemKind::type, std::string(type.about),
                         bonds::describe_pole_type(type));
        for (std::size_t s = context_.scope; names_.scopes[s].outer != nothing; s = names_.scopes[s].outer)
            for (const auto& [name, symbol] : names_.scopes[s].diagrams)
                add_text(name, ItemKind::type, "diagram");
        for (const auto& [name, symbol] : names_.visible_diagrams[0])
            add_text(name, ItemKind::type, "diagram");
    }

    // States and values of the automaton that the place is in.
    void add_parts() {
        for (const Symbol& symbol : names_.symbols)
            if (symbol.kind == SymbolKind::automaton && symbol.scope == context_.scope && rest().size() > 1 &&
                symbol.name == rest()[1])
                for (const std::size_t part : symbol.parts)
                    add_text(names_.symbols[part].name, ItemKind::word,
                             std::string(name_of(names_.symbols[part].kind)));
    }

    void add_names(const std::string& key, const std::string& table) {
        if (!takes_names(rest(), key, *context_.table)) return;
        const std::vector<std::string> before = names_before();
        if (!before.empty()) return add_members(before);
        const bool parameters_only = table == "parameters";
        const bool graph = table == "bonds" || key == "between" || key == "at" || key == "secondary";
        for (const auto& [name, list] : names_.scopes[context_.scope].symbols)
            for (const std::size_t symbol : list)
                add_symbol(names_.symbols[symbol], parameters_only, graph, key);
        if (graph) return key == "bond" || table == "bonds" ? void() : add_text("ground", ItemKind::word);
        if (key == "automaton") return;
        for (std::size_t s = names_.scopes[context_.scope].outer; s != nothing; s = names_.scopes[s].outer)
            for (const auto& [name, list] : names_.scopes[s].symbols)
                for (const std::size_t symbol : list) add_symbol(names_.symbols[symbol], true, false, key);
        if (key == "record") return;
        for (const Function& function : function_table())
            add({std::string(function.name), ItemKind::function, "function", "", "", {}});
        add({"pi", ItemKind::word, "3.14159...", "", "", {}});
        if (!parameters_only) add({"t", ItemKind::word, "the time", "", "", {}});
    }

    void add_symbol(const Symbol& symbol, bool parameters_only, bool graph, const std::string& key) {
        const bool parameter = symbol.kind == SymbolKind::parameter;
        if (parameters_only && !parameter) return;
        if (graph && symbol.kind != SymbolKind::element && symbol.kind != SymbolKind::node &&
            symbol.inside == nothing)
            return;
        if ((key == "automaton") != (symbol.kind == SymbolKind::automaton) && key == "automaton") return;
        if (key == "record" && parameter) return;
        const std::string detail =
            std::string(name_of(symbol.kind)) + (symbol.type.empty() ? "" : ": " + symbol.type);
        add_text(symbol.name, parameter ? ItemKind::parameter : ItemKind::signal, detail);
    }

    // left.inner. -> left, inner
    std::vector<std::string> names_before() const {
        const std::string& all = text_.string();
        std::vector<std::string> names;
        std::size_t at = context_.word.begin;
        const std::size_t begin = context_.string->inside.begin;
        while (at > begin && all[at - 1] == '.') {
            --at;
            if (at > begin && all[at - 1] == ']') at = std::max(begin, std::min(all.rfind('[', at), at));
            const std::size_t end = at;
            const auto is_word = [](char c) {
                return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
            };
            while (at > begin && is_word(all[at - 1])) --at;
            names.insert(names.begin(), all.substr(at, end - at));
        }
        return names;
    }

    void add_members(const std::vector<std::string>& path) {
        std::vector<std::size_t> found;
        std::size_t scope = context_.scope;
        for (const std::string& name : path) {
            const auto list = names_.scopes[scope].symbols.find(name);
            if (list == names_.scopes[scope].symbols.end()) return;
            found = list->second;
            if (&name == &path.back()) break;
            scope = names_.symbols[found.front()].inside;
            if (scope == nothing) return;
        }
        for (const std::size_t symbol : found)
            for (const MemberInfo& member : members_of(names_, symbol))
                add_text(member.name, ItemKind::signal, member.about);
    }

    const Text& text_;
    const Names& names_;
    const Context& context_;
    std::vector<Item> items_;
};

}  // namespace

std::vector<Item> complete(const Project& project, std::size_t offset) {
    const Names names = find_names(project);
    const Context context = context_at(project, names, offset);
    return Completer(project, names, context).complete();
}

}  // namespace deltaflow::editor
