// Looks words up in the catalogues.
#include "report/editor/vocabulary.hpp"

#include "blocks/catalogue.hpp"
#include "bonds/poles.hpp"
#include "deltaflow/choices.hpp"

#include <algorithm>

namespace deltaflow::editor {

namespace {

constexpr Word all_tables[] = {
    {"parameters", "numbers, and expressions of them"},
    {"blocks", "the block diagram"},
    {"circuit", "two-poles between nodes"},
    {"mechanics", "parts between points"},
    {"elements", "of a bond graph"},
    {"bonds", "from -> to"},
    {"automata", "states, and guards between them: [automata.NAME]"},
    {"diagrams", "a diagram that is used as a type: [diagrams.NAME]"},
    {"animation", "shapes that move with signals", false},
    {"simulation", "settings of the run, and what to record", false},
    {"animation", "shapes that the studio moves", false},
    {"layout", "where the studio draws a block", false},
};
constexpr Word all_model_keys[] = {
    {"name", "the title of summaries and pictures"},
    {"about", "what the model is"},
    {"use", "files with diagrams"},
};
constexpr Word all_diagram_keys[] = {
    {"about", "what the diagram is"},
    {"inputs", "names of signals that come in"},
    {"outputs", "names of blocks inside"},
    {"parameters", "numbers with their defaults"},
};
constexpr Word simulation_keys[] = {
    {"start", "when the run begins"},
    {"stop", "when it ends"},
    {"record", "signals of the trace"},
    {"method", "how smooth flow is integrated"},
    {"impulses", "exact, or samples of height 1/h"},
    {"step", "of fixed-step methods and numeric impulses"},
    {"every", "distance of the samples"},
    {"tolerance", "relative"},
    {"absolute", "smallest error that counts"},
    {"riemann", "which sums numeric integrators take"},
    {"certify", "prove every step and event by intervals"},
    {"simultaneous", "automata whose guards hold at one instant"},
    {"zeno", "what to do where events accumulate"},
    {"sliding", "what to do where a condition stays at zero"},
    {"max_events", "at most so many"},
    {"threads", "islands side by side; 0: all processors"},
};
constexpr Word automaton_keys[] = {
    {"initial", "the state at the start"},
    {"states", "{ apart = \"off\", together = \"on\" }"},
    {"transitions", "a list of { from, to, when }"},
    {"values", "numbers that transitions set"},
};
constexpr Word transition_keys[] = {
    {"from", "a state"},
    {"to", "a state"},
    {"when", "the guard"},
    {"after", "seconds since the state was entered"},
    {"once", "no further transition at the same time"},
    {"set", "values, and what they become"},
};
constexpr Word shape_keys[] = {
    {"shape", "what is drawn"},
    {"x", "to the right"},
    {"y", "upwards"},
    {"size", "of a ball: the radius"},
    {"width", "of a box"},
    {"height", "of a box"},
    {"angle", "of a box, in radians"},
    {"x2", "of a line or spring: the other end"},
    {"y2", "of a line or spring: the other end"},
    {"value", "of a label"},
};
constexpr Word bond_keys[] = {{"bond", "from -> to"}, {"count", "how many; i counts them"}};
constexpr Word train_keys[] = {
    {"at", "time"}, {"size", "coefficient"}, {"order", "which derivative of delta"}};

std::vector<KeyInfo> infos(std::span<const Word> words) {
    std::vector<KeyInfo> keys;
    for (const Word& word : words) keys.push_back({std::string(word.name), std::string(word.about)});
    return keys;
}

const std::vector<KeyInfo> type_key{{"type", "what it is"}};

std::vector<KeyInfo> block_keys(const std::string& type) {
    std::vector<KeyInfo> keys = type_key;
    if (type.empty()) keys.push_back({"expression", "an expression with a guess"});
    if (const BlockType* known = find_block_type(type)) {
        for (const Port& port : known->inputs)
            keys.push_back({std::string(port.name), port.condition ? "a condition"
                                                    : port.many    ? "signals"
                                                                   : "a signal"});
        for (const Parameter& p : known->parameters)
            keys.push_back({std::string(p.name), std::string(p.about)});
    }
    keys.push_back({"guess", "where Newton's method begins"});
    return keys;
}

std::vector<KeyInfo> element_keys(const std::string& type) {
    std::vector<KeyInfo> keys = type_key;
    if (const auto* known = bonds::find_element_type(type))
        for (const auto& p : known->parameters) keys.push_back({std::string(p.name), std::string(p.about)});
    return keys;
}

bonds::Domain domain_of(const std::string& table) {
    return table == "circuit" ? bonds::Domain::circuit : bonds::Domain::mechanics;
}

std::vector<KeyInfo> pole_keys(const std::string& table, const std::string& type) {
    std::vector<KeyInfo> keys = type_key;
    const auto* known = bonds::find_pole_type(type, domain_of(table));
    if (!known) return keys;
    keys.push_back({std::string(known->ends), known->ends == "at" ? "a point" : "two names"});
    if (known->element == "TF") keys.push_back({"secondary", "two names"});
    for (const auto& p : known->parameters)
        keys.push_back({std::string(p.key.name), std::string(p.key.about)});
    return keys;
}

std::vector<KeyInfo> instance_keys(const Names& names, std::size_t diagram, const std::string& table) {
    std::vector<KeyInfo> keys = type_key;
    for (const auto& [name, list] : names.scopes[names.symbols[diagram].inside].symbols)
        for (const std::size_t symbol : list) {
            const SymbolKind kind = names.symbols[symbol].kind;
            if (kind == SymbolKind::input || kind == SymbolKind::parameter)
                keys.push_back({name, std::string(name_of(kind))});
        }
    std::sort(keys.begin() + 1, keys.end(),
              [](const KeyInfo& a, const KeyInfo& b) { return a.name < b.name; });
    if (table == "circuit") keys.push_back({"nodes", "which nodes inside are which outside"});
    if (table == "mechanics") keys.push_back({"points", "which points inside are which outside"});
    keys.push_back({"count", "how many instances"});
    return keys;
}

template <class E>
std::vector<std::string> names_of_choices() {
    std::vector<std::string> words;
    for (const auto& choice : choices<E>) words.emplace_back(choice.name);
    return words;
}

std::vector<std::string> setting_words(const std::string& key) {
    if (key == "method") return names_of_choices<Method>();
    if (key == "impulses") return names_of_choices<ImpulseKind>();
    if (key == "riemann") return names_of_choices<Riemann>();
    if (key == "simultaneous") return names_of_choices<Simultaneous>();
    if (key == "zeno") return names_of_choices<AtZeno>();
    if (key == "sliding") return names_of_choices<Sliding>();
    return {};
}

const Parameter* block_parameter(const Node& table, const std::string& key) {
    const BlockType* type = find_block_type(table.text_of("type"));
    if (!type) return nullptr;
    for (const Parameter& p : type->parameters)
        if (p.name == key) return &p;
    return nullptr;
}

}  // namespace

bool stands_in(const Names& names, const Symbol& symbol, const std::string& table) {
    const Member* members = names.scopes[symbol.scope].table->find(table);
    return members && members->value.find(symbol.name) == symbol.member;
}

std::span<const Word> tables() { return all_tables; }
std::span<const Word> model_keys() { return all_model_keys; }
std::span<const Word> diagram_keys() { return all_diagram_keys; }

std::vector<KeyInfo> keys_of(const Names& names, std::size_t scope, const std::vector<std::string>& path,
                             const Node& table) {
    const std::string& first = path[0];
    if (first == "simulation") return infos(simulation_keys);
    if (path.size() < 2) return {};
    const std::string type(table.text_of("type"));
    if (path.size() == 2 && names.find_diagram(scope, type) != nothing && first != "automata" &&
        first != "bonds")
        return instance_keys(names, names.find_diagram(scope, type), first);
    if (path.size() == 2 && first == "blocks") return block_keys(type);
    if (path.size() == 2 && first == "elements") return element_keys(type);
    if (path.size() == 2 && (first == "circuit" || first == "mechanics")) return pole_keys(first, type);
    if (path.size() == 2 && first == "bonds") return infos(bond_keys);
    if (path.size() == 2 && first == "animation") return infos(shape_keys);
    if (path.size() == 2 && first == "automata") return infos(automaton_keys);
    if (path.size() == 3 && path[2] == "transitions") return infos(transition_keys);
    if (path.size() == 3 && path[2] == "train") return infos(train_keys);
    return {};
}

std::vector<std::string> words_of(const std::vector<std::string>& path, const std::string& key,
                                  const Node& table) {
    if (path.empty()) return {};
    if (path[0] == "simulation" && path.size() == 1) return setting_words(key);
    if (path[0] == "automata" && path.size() == 3 && path[2] == "states") return {"on", "off"};
    if (path[0] == "elements" && key == "off") return {"effort", "flow"};
    if (path[0] == "animation" && key == "shape")
        return {"ball", "box", "line", "spring", "ground", "wall", "label"};
    if (path[0] != "blocks") return {};
    std::vector<std::string> words;
    if (const Parameter* p = block_parameter(table, key))
        for (const std::string_view word : p->choices) words.emplace_back(word);
    return words;
}

bool takes_names(const std::vector<std::string>& path, const std::string& key, const Node& table) {
    if (path.empty()) return key == "outputs";
    if (path[0] == "simulation" || path[0] == "parameters") return setting_words(key).empty();
    if (path[0] != "blocks") return key != "off" && key != "type";
    const Parameter* p = block_parameter(table, key);
    return !p || p->kind == ParameterKind::number || p->kind == ParameterKind::numbers ||
           p->kind == ParameterKind::matrix;
}

std::vector<MemberInfo> members_of(const Names& names, std::size_t index) {
    const Symbol& symbol = names.symbols[index];
    std::vector<MemberInfo> members;
    const auto add = [&](std::string_view name, std::string_view about) {
        members.push_back({std::string(name), std::string(about)});
    };
    for (const std::size_t part : symbol.parts)
        add(names.symbols[part].name, name_of(names.symbols[part].kind));
    if (symbol.inside != nothing)
        for (const auto& [name, list] : names.scopes[symbol.inside].symbols)
            for (const std::size_t inner : list)
                if (names.symbols[inner].kind != SymbolKind::parameter &&
                    names.symbols[inner].kind != SymbolKind::input)
                    add(name, name_of(names.symbols[inner].kind));
    if (symbol.kind == SymbolKind::bond)
        for (const bonds::Signal signal : bonds::bond_signals()) add(bonds::name_of(signal), "of the bond");
    if (symbol.kind == SymbolKind::node)
        for (const char* name : {"voltage", "position", "velocity"}) add(name, "of the node or point");
    if (symbol.kind != SymbolKind::element) return members;
    std::string element = symbol.type;
    for (const auto& pole : bonds::poles())
        if (pole.type == symbol.type && stands_in(names, symbol, std::string(bonds::table_of(pole.domain)))) {
            for (const std::string_view signal : pole.signals) add(signal, "of the two-pole");
            element = pole.element;
        }
    if (const auto* type = bonds::find_element_type(element))
        for (const bonds::Signal signal : type->signals) add(bonds::name_of(signal), "of the element");
    return members;
}

}  // namespace deltaflow::editor
