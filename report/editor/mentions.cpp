// Walks through the tables of model files and looks up each name where it stands.
#include "report/editor/mentions.hpp"

#include "blocks/catalogue.hpp"
#include "bonds/poles.hpp"

#include <algorithm>
#include <set>

namespace deltaflow::editor {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::size_t end_of_number(std::string_view text, std::size_t at) {
    while (at < text.size() && (is_digit(text[at]) || text[at] == '.')) ++at;
    if (at >= text.size() || (text[at] != 'e' && text[at] != 'E')) return at;
    std::size_t digits = at + 1;
    if (digits < text.size() && (text[digits] == '+' || text[digits] == '-')) ++digits;
    if (digits >= text.size() || !is_digit(text[digits])) return at;
    while (digits < text.size() && is_digit(text[digits])) ++digits;
    return digits;
}

}  // namespace

std::vector<NamePart> name_parts(std::string_view text) {
    std::vector<NamePart> parts;
    for (std::size_t at = 0; at < text.size();) {
        const bool dot = text[at] == '.' && at > 0 &&
                         (is_letter(text[at - 1]) || is_digit(text[at - 1]) || text[at - 1] == ']');
        if (dot && at + 1 < text.size() && is_letter(text[at + 1])) {
            ++at;
        } else if (is_digit(text[at]) ||
                   (text[at] == '.' && at + 1 < text.size() && is_digit(text[at + 1]))) {
            at = end_of_number(text, at);
            continue;
        } else if (!is_letter(text[at])) {
            ++at;
            continue;
        }
        const std::size_t begin = at;
        while (at < text.size() && (is_letter(text[at]) || is_digit(text[at]))) ++at;
        const std::size_t next = std::min(text.find_first_not_of(" \t", at), text.size());
        parts.push_back({{begin, at}, dot, next < text.size() && text[next] == '('});
    }
    return parts;
}

namespace {

// How a text is read.
struct Reading {
    std::size_t automaton = nothing;      // whose parts may stand there by their own names
    SymbolKind part = SymbolKind::state;  // those of this kind
    std::string_view variable = {};       // of a law: no name
    bool wants_automaton = false;
};

class Walker {
public:
    explicit Walker(Names& names) : names_(names), declared_(names.scopes.size()) {
        for (std::size_t i = 0; i < names.symbols.size(); ++i)
            if (names.symbols[i].member) declared_[names.symbols[i].scope].push_back(i);
    }

    void walk() {
        for (std::size_t s = 0; s < names_.scopes.size(); ++s) walk_scope(s);
    }

private:
    void mention(Span span, std::size_t symbol, bool definition = false) {
        names_.mentions.push_back({names_.scopes[scope_].document, span, symbol, definition});
    }

    void mention_key(const Member& member, std::size_t symbol, bool definition) {
        for (const Span& span : member.mentions)
            mention(span, symbol, definition && span == member.mentions[0]);
    }

    void walk_scope(std::size_t scope) {
        scope_ = scope;
        const Node& table = *names_.scopes[scope].table;
        define_members();
        if (const Member* inputs = table.find("inputs")) define_inputs(inputs->value);
        if (const Member* parameters = table.find("parameters"))
            for (const Member& member : parameters->value.members) read(member.value);
        for (const char* key : {"blocks", "elements", "circuit", "mechanics"})
            if (const Member* members = table.find(key))
                for (const Member& member : members->value.members) walk_part(member.value, key);
        if (const Member* bonds = table.find("bonds"))
            for (const Member& bond : bonds->value.members) walk_bond(bond.value);
        if (const Member* automata = table.find("automata"))
            for (const Member& member : automata->value.members) walk_automaton(member);
        if (const Member* outputs = table.find("outputs")) read(outputs->value);
        if (names_.scopes[scope].outer != nothing) return;
        if (const Member* simulation = table.find("simulation")) walk_simulation(simulation->value);
        walk_pictures(table);
    }

    // The keys of tables, and headers that name diagrams again.
    void define_members() {
        for (const std::size_t i : declared_[scope_]) mention_key(*names_.symbols[i].member, i, true);
    }

    void define_inputs(const Node& list) {
        for (const Node& item : list.items)
            if (item.kind == Node::Kind::string)
                if (const std::size_t found = names_.find(scope_, item.text); found != nothing)
                    mention(item.inside, found, true);
    }

    // A text with names in it, or a list of them.
    void read(const Node& node, const Reading& reading = {}) {
        if (node.kind == Node::Kind::array)
            for (const Node& item : node.items) read(item, reading);
        if (node.kind == Node::Kind::table)
            for (const Member& member : node.members) read(member.value, reading);
        if (node.kind == Node::Kind::string && node.plain) read_names(node, reading);
    }

    void read_names(const Node& node, const Reading& reading) {
        const std::vector<NamePart> parts = name_parts(node.text);
        std::vector<std::size_t> outside;  // what the names before brackets that are open led to
        std::size_t leads = nothing, at = 0;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            for (; at < parts[i].span.begin; ++at) {
                if (node.text[at] == '[') outside.push_back(leads), leads = nothing;
                if (node.text[at] == ']' && !outside.empty()) leads = outside.back(), outside.pop_back();
            }
            const std::string name =
                node.text.substr(parts[i].span.begin, parts[i].span.end - parts[i].span.begin);
            const bool more = i + 1 < parts.size() && parts[i + 1].member;
            if (parts[i].member)
                leads = leads == nothing ? nothing : find_inside(leads, name);
            else
                leads = parts[i].call ? nothing
                                      : find(name, more ? next_member(node.text, parts, i) : "", reading);
            if (leads != nothing)
                mention({node.inside.begin + parts[i].span.begin, node.inside.begin + parts[i].span.end},
                        leads);
        }
    }

    // The member that follows a name, which tells an element from an automaton of the same name.
    static std::string next_member(const std::string& text, const std::vector<NamePart>& parts,
                                   std::size_t i) {
        return text.substr(parts[i + 1].span.begin, parts[i + 1].span.end - parts[i + 1].span.begin);
    }

    std::size_t find(const std::string& name, const std::string& member, const Reading& reading) const {
        if (name == reading.variable) return nothing;
        if (reading.automaton != nothing)
            if (const std::size_t part = find_part(reading.automaton, name);
                part != nothing && names_.symbols[part].kind == reading.part)
                return part;
        const auto own = names_.scopes[scope_].symbols.find(name);
        if (own == names_.scopes[scope_].symbols.end()) return names_.find(scope_, name);
        for (const std::size_t symbol : own->second) {
            const bool automaton = names_.symbols[symbol].kind == SymbolKind::automaton;
            if (automaton && (reading.wants_automaton || find_part(symbol, member) != nothing)) return symbol;
        }
        return own->second.front();
    }

    std::size_t find_part(std::size_t automaton, const std::string& name) const {
        for (const std::size_t part : names_.symbols[automaton].parts)
            if (names_.symbols[part].name == name) return part;
        return nothing;
    }

    std::size_t find_inside(std::size_t symbol, const std::string& name) const {
        if (names_.symbols[symbol].kind == SymbolKind::automaton) return find_part(symbol, name);
        const std::size_t inside = names_.symbols[symbol].inside;
        if (inside == nothing) return nothing;
        const auto found = names_.scopes[inside].symbols.find(name);
        return found == names_.scopes[inside].symbols.end() ? nothing : found->second.front();
    }

    void walk_part(const Node& value, const std::string& table) {
        if (value.kind != Node::Kind::table) return read(value);
        const std::string type(value.text_of("type"));
        const std::size_t diagram = names_.find_diagram(scope_, type);
        if (diagram != nothing) return walk_instance(value, diagram);
        if (const Member* expression = value.find("expression")) read(expression->value);
        if (const Member* guess = value.find("guess")) read(guess->value);
        if (table == "blocks") return walk_block(value, type);
        if (table == "elements") return walk_element(value, type);
        walk_pole(value, type, table == "circuit" ? bonds::Domain::circuit : bonds::Domain::mechanics);
    }

    void walk_block(const Node& value, const std::string& type) {
        const BlockType* known = find_block_type(type);
        if (!known) return;
        for (const Port& port : known->inputs)
            if (const Member* member = value.find(std::string(port.name))) read(member->value);
        for (const Parameter& p : known->parameters) {
            const bool number = p.kind == ParameterKind::number || p.kind == ParameterKind::numbers ||
                                p.kind == ParameterKind::matrix || p.kind == ParameterKind::train;
            const Member* member = value.find(std::string(p.name));
            if (number && member) read(member->value);
        }
    }

    void walk_element(const Node& value, const std::string& type) {
        if (const bonds::ElementType* known = bonds::find_element_type(type))
            for (const bonds::ElementParameter& p : known->parameters)
                walk_parameter(value, p, known->variable);
    }

    void walk_parameter(const Node& value, const bonds::ElementParameter& p, std::string_view variable) {
        const Member* member = value.find(std::string(p.name));
        if (!member || p.takes == bonds::Takes::off) return;
        const bool law = p.takes == bonds::Takes::law;
        read(member->value,
             {nothing, SymbolKind::state, law ? variable : "", p.takes == bonds::Takes::automaton});
    }

    void walk_pole(const Node& value, const std::string& type, bonds::Domain domain) {
        for (const char* ends : {"between", "at", "secondary", "coils"})
            if (const Member* member = value.find(ends)) read(member->value);
        const bonds::PoleType* known = bonds::find_pole_type(type, domain);
        if (!known) return;
        for (const bonds::PoleParameter& p : known->parameters) walk_parameter(value, p.key, "");
    }

    void walk_instance(const Node& value, std::size_t diagram) {
        const std::size_t inside = names_.symbols[diagram].inside;
        mention(value.find("type")->value.inside, diagram);
        for (const Member& member : value.members) {
            if (member.key == "type") continue;
            if (member.key == "nodes" || member.key == "points") {
                for (const Member& node : member.value.members) {
                    mention_inside(inside, node);
                    read(node.value);
                }
                continue;
            }
            if (member.key != "count" && member.key != "guess") mention_inside(inside, member);
            read(member.value);
        }
    }

    // A key that is a name of the diagram.
    void mention_inside(std::size_t inside, const Member& member) {
        const auto found = names_.scopes[inside].symbols.find(member.key);
        if (found != names_.scopes[inside].symbols.end()) mention_key(member, found->second.front(), false);
    }

    void walk_bond(const Node& value) {
        read(value.kind == Node::Kind::table && value.find("bond") ? value.find("bond")->value : value);
        if (const Member* count = value.find("count")) read(count->value);
    }

    void walk_automaton(const Member& member) {
        std::size_t automaton = nothing;
        for (const std::size_t symbol : names_.scopes[scope_].symbols.at(member.key))
            if (names_.symbols[symbol].kind == SymbolKind::automaton) automaton = symbol;
        const Node& table = member.value;
        if (const Member* initial = table.find("initial")) read(initial->value, {automaton});
        if (const Member* values = table.find("values")) read(values->value);
        const Member* transitions = table.find("transitions");
        if (!transitions) return;
        for (const Node& transition : transitions->value.items) {
            for (const char* end : {"from", "to"})
                if (const Member* state = transition.find(end)) read(state->value, {automaton});
            for (const char* key : {"when", "after"})
                if (const Member* formula = transition.find(key)) read(formula->value);
            if (const Member* set = transition.find("set"))
                for (const Member& value : set->value.members) {
                    if (const std::size_t part = find_part(automaton, value.key); part != nothing)
                        mention_key(value, part, false);
                    read(value.value, {automaton, SymbolKind::value});
                }
        }
    }

    // Where things are drawn, by their names, and shapes whose places are expressions.
    void walk_pictures(const Node& table) {
        const Member *layout = table.find("layout"), *animation = table.find("animation");
        for (const Member& place : layout ? layout->value.members : std::vector<Member>())
            if (const std::size_t symbol = names_.find(scope_, place.key); symbol != nothing)
                mention_key(place, symbol, false);
        for (const Member& shape : animation ? animation->value.members : std::vector<Member>())
            for (const Member& key : shape.value.members)
                if (key.key != "shape") read(key.value);
    }

    void walk_simulation(const Node& table) {
        static const std::set<std::string> words{"method",       "impulses", "riemann",
                                                 "simultaneous", "zeno",     "sliding"};
        for (const Member& member : table.members)
            if (words.count(member.key) == 0) read(member.value);
    }

    Names& names_;
    std::vector<std::vector<std::size_t>> declared_;  // symbols with a key, by scope
    std::size_t scope_ = 0;
};

}  // namespace

void find_mentions(Names& names) { Walker(names).walk(); }

}  // namespace deltaflow::editor
