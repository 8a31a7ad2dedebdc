// From the processes of the elements to the process of the model.
#include "report/hypa/compose.hpp"

#include "report/hypa/states.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace deltaflow::report::hypa {

namespace {

using Index = std::uint32_t;

// Beyond these the clauses are too long to be read, and too many ways of switching have to be compared.
constexpr std::size_t most_bonds = 100, most_controlled = 8;

std::string joined(const std::vector<std::string>& parts, const std::string& sign) {
    return fmt::format("{}", fmt::join(parts, sign));
}

}  // namespace

std::string guard_name(const Notation& n, std::size_t number) {
    return n.clause("g", std::to_string(number));
}

std::vector<std::size_t> first_guards(const Graph& g) {
    std::vector<std::size_t> first;
    std::size_t next = 1;
    for (const Automaton& a : g.automata) {
        first.push_back(next);
        next += a.transitions.size();
    }
    return first;
}

std::string lasting_state(const Notation& n, const Graph& g, Index automaton, Index state,
                          std::size_t first) {
    std::string text = n.state(automaton, state, Mark::none);
    const auto& transitions = g.automata[automaton].transitions;
    for (std::size_t t = 0; t < transitions.size(); ++t)
        if (transitions[t].from == state) text += n.and_ + n.not_ + guard_name(n, first + t);
    return text;
}

std::string too_large(const Graph& g, std::uint64_t most_modes) {
    std::uint64_t modes = 1;
    for (const Automaton& a : g.automata)
        modes = std::min<std::uint64_t>(modes * a.states.size(), 1000000000);
    const auto controlled = static_cast<std::size_t>(std::count_if(
        g.elements.begin(), g.elements.end(), [](const Element& e) { return e.automaton >= 0; }));
    const auto complain = [](std::uint64_t count, const char* what, std::uint64_t limit) {
        return fmt::format("{} {}{}; the limit is {}", count, what, count == 1 ? "" : "s", limit);
    };
    if (modes > most_modes) return complain(modes, "mode", most_modes);
    if (g.bonds.size() > most_bonds) return complain(g.bonds.size(), "bond", most_bonds);
    if (controlled > most_controlled) return complain(controlled, "controlled element", most_controlled);
    return {};
}

namespace {

class Composer {
public:
    explicit Composer(const Laws& laws)
        : laws_(laws), n_(laws.notation()), g_(laws.graph()), first_guard_(first_guards(g_)) {
        for (Index x = 0; x < g_.elements.size(); ++x)
            if (laws.is_controlled(x)) controlled_.push_back(x);
        has_ideal_ = std::any_of(g_.elements.begin(), g_.elements.end(),
                                 [](const Element& e) { return e.is_ideal(); });
        for (const Variable v : n_.mentioned()) mentioned_.insert(v);
    }

    Composition run() {
        const std::vector<Mode> modes = all_modes();
        for (const Mode& mode : modes) ++alike_[letters(mode, mode)];
        for (const Mode& mode : modes) add_flow(mode);
        for (const Mode& mode : modes) add_moves(mode);
        return std::move(result_);
    }

private:
    // The last automaton turns fastest.
    std::vector<Mode> all_modes() const {
        std::vector<Mode> modes{{}};
        for (const Automaton& a : g_.automata) {
            std::vector<Mode> longer;
            for (const Mode& mode : modes)
                for (Index s = 0; s < a.states.size(); ++s) {
                    longer.push_back(mode);
                    longer.back().push_back(s);
                }
            modes = std::move(longer);
        }
        return modes;
    }

    // For each controlled element: a (active), i (inactive) or s (it switches).
    std::string letters(const Mode& from, const Mode& to) const {
        std::string text;
        for (const Index x : controlled_) {
            const bool before = is_on(g_, g_.elements[x], from), after = is_on(g_, g_.elements[x], to);
            text += before != after ? 's' : after ? 'a' : 'i';
        }
        return text;
    }

    bool is_abstracted(Variable v) const {
        if (!is_internal(g_, g_.bonds[v.bond])) return false;
        return mentioned_.count(v) == 0;
    }

    void add_flow(const Mode& mode) {
        const std::string key = letters(mode, mode);
        const std::string number = alike_[key] > 1 ? std::to_string(++used_[key]) : "";
        const std::string name = n_.clause("c", key + number);
        flow_names_[mode] = name;
        result_.flows.push_back({name, flow_lines(mode)});
        if (has_ideal_) return;  // which of a pair is zero is not told, so nothing can be solved for
        Definition states{name, {}};
        try {
            states.lines = state_equations(laws_, mode);
        } catch (const CausalConflict& conflict) {
            const std::string text = fmt::format("no flow: {}", conflict.what());
            states.lines = {n_.latex() ? "\\text{" + text + "}" : text};
        }
        result_.states.push_back(std::move(states));
    }

    Lines flow_lines(const Mode& mode) {
        Relations relations(laws_.symbols());
        std::vector<Form> said;
        std::vector<Index> one_ports;
        for (Index x = 0; x < g_.elements.size(); ++x) {
            const Element& e = g_.elements[x];
            laws_.add_flow(relations, x, is_on(g_, e, mode));
            if (e.is_junction() || laws_.is_two_port(x) || e.type == Type::Sw) continue;
            one_ports.push_back(x);
            if (e.is_ideal()) continue;
            if (laws_.is_linear(x))
                said.push_back(one_of(laws_.given(x)) - laws_.linear_law(x, Reading::flow));
        }
        relations.eliminate([&](Variable v) { return is_abstracted(v); });
        const Summary summary = summarize(relations, said, laws_.symbols());
        Lines lines;
        for (const Index x : one_ports) {
            if (!g_.elements[x].is_ideal())
                lines.push_back(law_line(x, summary.zeros));
            else
                for (std::string& line : laws_.ideal().flow(x, laws_.ports().of(x)[0]))
                    lines.push_back(std::move(line));
        }
        std::erase(lines, "");
        for (const std::string& line : laws_.lines(summary)) lines.push_back(line);
        for (Index a = 0; a < g_.automata.size(); ++a)
            lines.push_back(lasting_state(n_, g_, a, mode[a], first_guard_[a]));
        return lines;
    }

    // An element at rest says no more than that.
    std::string law_line(Index x, const std::set<Variable>& zeros) const {
        const Element& e = g_.elements[x];
        if (!laws_.is_linear(x) || !zeros.count(laws_.given(x))) return laws_.law(x, Reading::flow);
        if (!e.is_storage()) return {};
        const Quantity state = e.type == Type::I ? Quantity::momentum : Quantity::displacement;
        return n_.variable({state, Mark::none, laws_.given(x).bond}) + " = 0";
    }

    // Every automaton stays or takes a transition.
    void add_moves(const Mode& from) {
        std::vector<Mode> targets{{}};
        for (Index a = 0; a < g_.automata.size(); ++a) {
            std::vector<Mode> longer;
            for (const Mode& mode : targets)
                for (Index s = 0; s < g_.automata[a].states.size(); ++s)
                    if (s == from[a] || !guards(a, from[a], s).empty()) {
                        longer.push_back(mode);
                        longer.back().push_back(s);
                    }
            targets = std::move(longer);
        }
        std::stable_sort(targets.begin(), targets.end(),
                         [&](const Mode& a, const Mode& b) { return changes(from, a) < changes(from, b); });
        for (const Mode& to : targets)
            result_.alternatives.push_back(
                {jump_name(letters(from, to)), condition(from, to), flow_names_[to]});
    }

    static std::size_t changes(const Mode& from, const Mode& to) {
        std::size_t count = 0;
        for (std::size_t a = 0; a < from.size(); ++a) count += from[a] != to[a];
        return count;
    }

    std::vector<std::string> guards(Index a, Index from, Index to) const {
        std::vector<std::string> names;
        const auto& transitions = g_.automata[a].transitions;
        for (std::size_t t = 0; t < transitions.size(); ++t)
            if (transitions[t].from == from && transitions[t].to == to)
                names.push_back(guard_name(n_, first_guard_[a] + t));
        return names;
    }

    std::string condition(const Mode& from, const Mode& to) const {
        std::vector<std::string> parts;
        for (Index a = 0; a < from.size(); ++a) parts.push_back(n_.state(a, from[a], Mark::left));
        for (Index a = 0; a < from.size(); ++a) {
            if (from[a] == to[a]) continue;
            const auto names = guards(a, from[a], to[a]);
            parts.push_back(names.size() == 1 ? names[0] : "(" + joined(names, n_.or_) + ")");
        }
        return joined(parts, n_.and_);
    }

    // The clauses of a way of switching, joined by "or".
    std::string jump_name(const std::string& key) {
        const auto known = jump_names_.find(key);
        if (known != jump_names_.end()) return known->second;
        const std::vector<Relations> ways = ways_of(key);
        std::vector<std::string> names;
        for (const Relations& way : ways) {
            names.push_back(n_.clause("d", key + (ways.size() > 1 ? std::to_string(names.size() + 1) : "")));
            result_.jumps.push_back({names.back(), jump_lines(way)});
        }
        const std::string name = names.size() == 1 ? names[0] : "(" + joined(names, n_.or_) + ")";
        return jump_names_[key] = name;
    }

    // Those that switch act as if on or as if off. A way that another one allows for is left out.
    std::vector<Relations> ways_of(const std::string& key) const {
        const auto switching = static_cast<std::size_t>(std::count(key.begin(), key.end(), 's'));
        std::vector<std::size_t> choices(std::size_t{1} << switching);
        for (std::size_t i = 0; i < choices.size(); ++i) choices[i] = i;
        std::stable_sort(choices.begin(), choices.end(), [](std::size_t a, std::size_t b) {
            return __builtin_popcountll(a) < __builtin_popcountll(b);
        });
        std::vector<Relations> kept;
        for (const std::size_t choice : choices) {
            Relations way = jump_relations(key, choice);
            if (std::any_of(kept.begin(), kept.end(), [&](const Relations& k) { return way.imply(k); }))
                continue;
            std::erase_if(kept, [&](const Relations& k) { return k.imply(way); });
            kept.push_back(std::move(way));
        }
        return kept;
    }

    Relations jump_relations(const std::string& key, std::size_t choice) const {
        std::map<Index, Situation> situations;
        for (std::size_t i = 0; i < key.size(); ++i) {
            Situation& s = situations[controlled_[i]];
            s = key[i] == 'a' ? Situation::on : Situation::off;
            if (key[i] != 's') continue;
            s = choice & 1 ? Situation::switched_as_off : Situation::switched_as_on;
            choice >>= 1;
        }
        Relations relations(laws_.symbols());
        for (Index x = 0; x < g_.elements.size(); ++x) {
            const auto at = situations.find(x);
            laws_.add_jump(relations, x, at == situations.end() ? Situation::on : at->second);
        }
        laws_.close(relations);
        return relations;
    }

    Lines jump_lines(Relations way) const {
        way.eliminate([&](Variable v) { return is_abstracted(v); });
        std::vector<Form> said;
        for (Index x = 0; x < g_.elements.size(); ++x)
            if (const auto energy = laws_.source_energy(x))
                said.push_back(one_of({Quantity::energy, Mark::jump, laws_.given(x).bond}) - *energy);
        const Summary summary = summarize(way, said, laws_.symbols());
        Lines lines;
        for (Index x = 0; x < g_.elements.size(); ++x) laws_.add_jump_lines(lines, x, summary.zeros);
        for (const std::string& line : laws_.lines(summary)) lines.push_back(line);
        return lines;
    }

    const Laws& laws_;
    const Notation& n_;
    const Graph& g_;
    const std::vector<std::size_t> first_guard_;
    std::vector<Index> controlled_;
    bool has_ideal_ = false;
    std::set<Variable> mentioned_;
    std::map<std::string, int> alike_, used_;
    std::map<Mode, std::string> flow_names_;
    std::map<std::string, std::string> jump_names_;
    Composition result_;
};

}  // namespace

Composition compose(const Laws& laws) { return Composer(laws).run(); }

}  // namespace deltaflow::report::hypa
