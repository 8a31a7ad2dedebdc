#include "report/hypa/ideal.hpp"

#include "engine/front/outline.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace deltaflow::report::hypa {

namespace {

using Index = std::uint32_t;

std::string trimmed(const std::string& text) {
    const std::size_t first = text.find_first_not_of(' '), last = text.find_last_not_of(' ');
    return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

// "level = min(a, b), static = 3": commas within parentheses belong to an expression.
Written settings_in(const std::string& text) {
    Written settings;
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        if (i < text.size() && text[i] == '(') ++depth;
        if (i < text.size() && text[i] == ')') --depth;
        if (i < text.size() && (text[i] != ',' || depth > 0)) continue;
        const std::string part = text.substr(begin, i - begin);
        begin = i + 1;
        if (const std::size_t equal = part.find(" = "); equal != std::string::npos)
            settings[trimmed(part.substr(0, equal))] = trimmed(part.substr(equal + 3));
    }
    return settings;
}

void gather(const OutlineDiagram& diagram, WrittenOfAll& all) {
    const std::string prefix = diagram.path.empty() ? "" : diagram.path + ".";
    for (const OutlinePart& part : diagram.parts) {
        if (part.kind == OutlinePart::Kind::element) all[prefix + part.name] = settings_in(part.settings);
        for (const OutlineDiagram& inside : part.inside) gather(inside, all);
    }
}

}  // namespace

WrittenOfAll written_of(const FlatModel& model) {
    constexpr std::uint64_t all_of_them = 1000000;
    WrittenOfAll all;
    gather(outline(model, {all_of_them, all_of_them}), all);
    return all;
}

Graph without_ideal_automata(const Graph& graph) {
    Graph result = graph;
    std::vector<int> place;
    result.automata.clear();
    for (const Automaton& a : graph.automata) {
        place.push_back(a.ideal ? -1 : static_cast<int>(result.automata.size()));
        if (!a.ideal) result.automata.push_back(a);
    }
    for (Element& e : result.elements)
        if (e.automaton >= 0) e.automaton = place[static_cast<std::size_t>(e.automaton)];
    return result;
}

std::string IdealLaws::word(Type type) {
    return type == Type::D          ? "Diode"
           : type == Type::contact  ? "Contact"
           : type == Type::friction ? "Friction"
                                    : "Stop";
}

bool IdealLaws::has(Index x, const std::string& key) const {
    const auto found = written_.find(graph_.elements[x].name);
    return found != written_.end() && found->second.count(key) > 0;
}

std::string IdealLaws::parameter(Index x, const std::string& key, const std::string& fallback,
                                 Level least) const {
    const std::string& name = graph_.elements[x].name;
    const std::string text = has(x, key) ? written_.at(name).at(key) : fallback;
    return notation_.wrapped(notation_.expression(text, name, Reading::flow), least);
}

std::string IdealLaws::arguments(Index x) const {
    static const std::vector<std::string> keys{"drop",   "gap",    "restitution", "level", "mu",
                                               "normal", "static", "low",         "high"};
    std::vector<std::string> given;
    for (const std::string& key : keys)
        if (has(x, key))
            given.push_back(key == "normal" ? notation_.name(written_.at(graph_.elements[x].name).at(key))
                                            : parameter(x, key, "", sum));
    return given.empty() ? "" : fmt::format("({})", fmt::join(given, ", "));
}

// Where the bond points away from it, its flow counts the other way: "f >= 0" is "f_3 <= 0".
struct IdealLaws::Own {
    const Notation& n;
    Index b;
    bool against;

    std::string variable(Quantity q, Mark mark = Mark::none) const { return n.variable({q, mark, b}); }
    std::string e() const { return variable(Quantity::effort); }
    std::string f(Mark mark = Mark::none) const { return variable(Quantity::flow, mark); }
    std::string q() const { return (against ? "-" : "") + variable(Quantity::displacement); }
    std::string impulse() const { return variable(Quantity::momentum, Mark::jump); }
    std::string charge() const { return variable(Quantity::displacement, Mark::jump); }
    std::string zero(Quantity q) const { return variable(q, Mark::jump) + " = 0"; }
    static std::string compare(const std::string& a, const std::string& sign, const std::string& c) {
        return fmt::format("{} {} {}", a, trimmed(sign), c);
    }
    std::string at_most(const std::string& a, const std::string& c) const {
        return compare(a, n.less_equal, c);
    }
    std::string at_least(const std::string& a, const std::string& c) const {
        return compare(a, n.greater_equal, c);
    }
    std::string not_zero(const std::string& a) const { return compare(a, n.unequal, "0"); }
    // Of what counts as its flow does.
    std::string never_negative(const std::string& a) const {
        return against ? at_most(a, "0") : at_least(a, "0");
    }
    std::string never_positive(const std::string& a) const {
        return against ? at_least(a, "0") : at_most(a, "0");
    }
    std::string times(const std::string& a, const std::string& c) const { return a + n.times_ + c; }
    // a - q, or a + q_3
    std::string room(const std::string& a) const {
        const std::string displacement = variable(Quantity::displacement);
        if (a == "0") return against ? displacement : "(-" + displacement + ")";
        return fmt::format("({} {} {})", a, against ? "+" : "-", displacement);
    }
};

std::string IdealLaws::implies(const std::string& a, const std::string& b) const {
    return a + (notation_.latex() ? " \\Rightarrow " : " ⇒ ") + b;
}

// A level, or mu times the force of a contact.
std::string IdealLaws::level(Index x, bool stuck) const {
    const std::string key = stuck && has(x, "static") ? "static" : has(x, "mu") ? "mu" : "level";
    if (!has(x, "mu")) return parameter(x, key, "0");
    return parameter(x, key, "0") + notation_.times_ +
           notation_.indexed("N", notation_.name(written_.at(graph_.elements[x].name).at("normal")));
}

std::vector<std::string> IdealLaws::flow(Index x, Index b) const {
    const Own o{notation_, b, sign_at(graph_, x, b) < 0};
    switch (graph_.elements[x].type) {
        case Type::D: {
            const std::string drop = parameter(x, "drop", "0");
            return {o.never_negative(o.f()), o.at_most(o.e(), drop),
                    o.times(o.f(), drop == "0" ? o.e() : "(" + drop + " - " + o.e() + ")") + " = 0"};
        }
        case Type::contact: {
            const std::string gap = parameter(x, "gap", "0");
            return {o.at_most(o.q(), gap), o.at_least(o.e(), "0"), o.times(o.e(), o.room(gap)) + " = 0"};
        }
        case Type::friction: {
            const std::string sgn = notation_.latex() ? "\\operatorname{sgn}" : "sgn";
            return {implies(o.f() + " = 0", o.at_most("|" + o.e() + "|", level(x, true))),
                    implies(o.not_zero(o.f()), o.e() + " = " + (o.against ? "-" : "") +
                                                   o.times(level(x, false), sgn + "(" + o.f() + ")"))};
        }
        default: {
            const std::string low = parameter(x, "low", "0", sum), high = parameter(x, "high", "0", sum);
            return {o.at_most(low, o.at_most(o.q(), high)),
                    implies(o.q() + " < " + high, o.at_most(o.e(), "0")),
                    implies(o.q() + " > " + low, o.at_least(o.e(), "0"))};
        }
    }
}

// Impulses: charge through a diode; momentum at a contact, a stop, and by dry friction that an impact loads.
std::vector<std::string> IdealLaws::jump(Index x, Index b) const {
    const Own o{notation_, b, sign_at(graph_, x, b) < 0};
    const std::string energy = o.variable(Quantity::energy, Mark::jump) + " = ";
    const std::string mean = fmt::format(
        "{}{}/2", energy, o.times(o.impulse(), fmt::format("({} + {})", o.f(Mark::left), o.f(Mark::right))));
    const std::string restitution = parameter(x, "restitution", "0");
    const std::string after =
        o.f(Mark::right) + (restitution == "0" ? "" : " + " + o.times(restitution, o.f(Mark::left)));
    switch (graph_.elements[x].type) {
        case Type::D: {
            const std::string drop = parameter(x, "drop", "0");
            return {energy + (drop == "0" ? drop : o.times(drop, o.charge())), o.at_most(o.impulse(), "0"),
                    o.never_negative(o.charge()), o.times(o.impulse(), o.charge()) + " = 0"};
        }
        case Type::contact: {
            const std::string closed = o.q() + " = " + parameter(x, "gap", "0");
            return {mean, o.at_least(o.impulse(), "0"), o.zero(Quantity::displacement),
                    implies(o.not_zero(o.impulse()), closed + notation_.and_ + after + " = 0"),
                    implies(closed, o.never_positive(after))};
        }
        case Type::friction: {
            if (!has(x, "mu"))
                return {o.zero(Quantity::energy), o.zero(Quantity::momentum), o.zero(Quantity::displacement)};
            const std::string normal =
                parameter(x, "mu", "0") + notation_.times_ +
                notation_.indexed("p'", notation_.name(written_.at(graph_.elements[x].name).at("normal")));
            return {mean, o.at_most("|" + o.impulse() + "|", normal), o.zero(Quantity::displacement),
                    implies(o.not_zero(o.f(Mark::right)), "|" + o.impulse() + "| = " + normal)};
        }
        default:
            return {mean, o.zero(Quantity::displacement),
                    implies(o.q() + " < " + parameter(x, "high", "0", sum), o.at_most(o.impulse(), "0")),
                    implies(o.q() + " > " + parameter(x, "low", "0", sum), o.at_least(o.impulse(), "0")),
                    implies(o.not_zero(o.impulse()), after + " = 0")};
    }
}

}  // namespace deltaflow::report::hypa
