// Names, numbers and expressions as 002 writes them.
#include "report/hypa/notation.hpp"

#include "report/hypa/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

namespace deltaflow::report::hypa {

namespace {

using Kind = Expression::Kind;

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// Bonds b1, b2, ... keep their numbers if all are called like that; else they are numbered as they stand.
std::vector<std::string> bond_labels(const Graph& g) {
    std::vector<std::string> labels;
    std::set<std::string> prefixes, numbers;
    for (const Bond& b : g.bonds) {
        const std::size_t end = b.name.find_last_not_of("0123456789") + 1;
        prefixes.insert(b.name.substr(0, end));
        labels.push_back(b.name.substr(end));
        numbers.insert(labels.back());
    }
    if (prefixes.size() == 1 && numbers.size() == labels.size() && numbers.count("") == 0) return labels;
    for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = std::to_string(i + 1);
    return labels;
}

constexpr std::array<std::string_view, 24> greek{
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu",
    "nu",    "xi",   "pi",    "rho",   "sigma",   "tau",  "phi", "chi",   "psi",  "omega", "Omega",  "Phi"};

std::string latex_word(const std::string& word) {
    if (std::count(greek.begin(), greek.end(), word) > 0) return "\\" + word;
    return word.size() == 1 ? word : fmt::format("\\mathit{{{}}}", latex_escaped(word));
}

// m1 and m_1 are m with an index; paths are words.
std::string latex_name(const std::string& name) {
    const bool plain = std::all_of(name.begin(), name.end(), [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
    });
    if (!plain) return fmt::format("\\mathit{{{}}}", latex_escaped(name));
    std::size_t cut = name.find('_');
    std::string index = cut == std::string::npos ? "" : name.substr(cut + 1);
    if (cut == std::string::npos) {
        cut = name.find_last_not_of("0123456789") + 1;
        index = name.substr(cut);
    }
    if (cut == 0 || index.empty()) return latex_word(name);
    return fmt::format("{}_{{{}}}", latex_word(name.substr(0, cut)),
                       index.size() > 1 && !is_digit(index[0])
                           ? fmt::format("\\mathrm{{{}}}", latex_escaped(index))
                           : latex_escaped(index));
}

}  // namespace

std::string scope_of(const std::string& owner) {
    const std::size_t dot = owner.rfind('.');
    return dot == std::string::npos ? "" : owner.substr(0, dot + 1);
}
bool has_leading_minus(const Expression& e) {
    if (e.kind != Kind::operation) return false;
    return e.text == "neg" || ((e.text == "*" || e.text == "/") && has_leading_minus(e.arguments[0]));
}

Expression without_leading_minus(Expression e) {
    if (e.text == "neg") return e.arguments[0];
    e.arguments[0] = without_leading_minus(e.arguments[0]);
    return e;
}

int sign_at(const Graph& g, std::uint32_t element, std::uint32_t bond) {
    return (g.bonds[bond].to == element) != g.elements[element].is_source() ? 1 : -1;
}

bool is_internal(const Graph& g, const Bond& b) {
    const auto passes = [&](std::uint32_t x) {
        const Element& e = g.elements[x];
        return e.is_junction() || e.type == Type::TF || e.type == Type::GY;
    };
    return passes(b.from) && passes(b.to);
}

Notation::Notation(const Graph& graph, bool latex, IsBlock is_block)
    : graph_(graph),
      latex_(latex),
      is_block_(std::move(is_block)),
      labels_(bond_labels(graph)),
      ports_(graph.elements.size()) {
    const auto choose = [&](const char* tex, const char* text) { return std::string(latex ? tex : text); };
    and_ = choose(" \\wedge ", " ∧ ");
    or_ = choose(" \\vee ", " ∨ ");
    not_ = choose("\\neg ", "¬");
    times_ = choose(" \\cdot ", "·");
    less_equal = choose(" \\leq ", " ≤ ");
    greater_equal = choose(" \\geq ", " ≥ ");
    unequal = choose(" \\neq ", " ≠ ");
    minus = choose("-", "-");
    for (std::uint32_t x = 0; x < graph.elements.size(); ++x) elements_[graph.elements[x].name] = x;
    for (std::uint32_t b = 0; b < graph.bonds.size(); ++b) {
        bonds_[graph.bonds[b].name] = b;
        ports_[graph.bonds[b].from].push_back(b);
        ports_[graph.bonds[b].to].push_back(b);
    }
    for (const Automaton& a : graph.automata)
        for (const std::string& s : a.states) states_[a.name + "." + s] = true;
}

std::string Notation::index(const std::vector<std::uint32_t>& bonds) const {
    if (bonds.size() == 1) return labels_[bonds[0]];
    std::string text;
    for (const auto b : bonds) text += (text.empty() ? "" : ",") + labels_[b];
    return latex_ ? "\\{" + text + "\\}" : "{" + text + "}";
}

std::string Notation::variable(Variable v) const {
    static constexpr char letters[] = "Epqef";
    const std::string letter(1, letters[static_cast<std::size_t>(v.quantity)]);
    const std::string index = latex_ ? "_{" + labels_[v.bond] + "}" : "_" + labels_[v.bond];
    switch (v.mark) {
        case Mark::left:
            return letter + index + "^-";
        case Mark::right:
            return letter + index + "^+";
        case Mark::jump:
            return letter + "'" + index;
        case Mark::rate:
            return latex_ ? "\\dot{" + letter + "}" + index : "d" + letter + index + "/dt";
        case Mark::none:
            break;
    }
    return letter + index;
}

std::string Notation::name(const std::string& name) const { return latex_ ? latex_name(name) : name; }

std::string Notation::number(double x) const { return fmt::format("{:.10g}", x == 0 ? 0.0 : x); }

std::string Notation::state(std::uint32_t automaton, std::uint32_t state, Mark mark) const {
    const Automaton& a = graph_.automata[automaton];
    return name(a.name + "." + a.states[state]) + (mark == Mark::left ? "^-" : "");
}

std::string Notation::indexed(const std::string& word, const std::string& index) const {
    return latex_ ? fmt::format("\\text{{{}}}_{{{}}}", word, index) : word + "_" + index;
}

std::string Notation::clause(const std::string& letter, const std::string& index) const {
    if (index.empty()) return letter;
    return latex_ ? fmt::format("{}_{{{}}}", letter, index) : letter + "_" + index;
}

std::string Notation::wrapped(const Piece& piece, Level least) const {
    if (piece.level >= least) return piece.text;
    return latex_ ? "\\left(" + piece.text + "\\right)" : "(" + piece.text + ")";
}

Piece Notation::times(const Piece& a, const Piece& b) const {
    return {wrapped(a, product) + times_ + wrapped(b, product), product};
}

Piece Notation::over(const Piece& a, const Piece& b) const {
    if (latex_) return {fmt::format("\\frac{{{}}}{{{}}}", a.text, b.text), product};
    return {wrapped(a, product) + "/" + wrapped(b, power), product};
}

std::optional<Notation::Signal> Notation::bond_signal(std::uint32_t b, const std::string& member) const {
    if (member == "effort") return Signal{{Quantity::effort, Mark::none, b}};
    if (member == "flow") return Signal{{Quantity::flow, Mark::none, b}};
    if (member == "power") return Signal{{Quantity::effort, Mark::none, b}, 1, true};
    return std::nullopt;
}

// A junction speaks of what its bonds share; an element of its bond, with its own count of power.
std::optional<Notation::Signal> Notation::element_signal(std::uint32_t x, const std::string& member) const {
    const auto& ports = ports_[x];
    if (ports.empty()) return std::nullopt;
    if (graph_.elements[x].is_junction()) {
        const auto outer = std::find_if(ports.begin(), ports.end(),
                                        [&](auto b) { return !is_internal(graph_, graph_.bonds[b]); });
        return bond_signal(outer == ports.end() ? ports[0] : *outer, member);
    }
    const int s = sign_at(graph_, x, ports[0]);
    const std::uint32_t b = ports[0];
    if (member == "effort") return Signal{{Quantity::effort, Mark::none, b}};
    if (member == "flow") return Signal{{Quantity::flow, Mark::none, b}, s};
    if (member == "momentum") return Signal{{Quantity::momentum, Mark::none, b}};
    if (member == "displacement") return Signal{{Quantity::displacement, Mark::none, b}, s};
    if (member == "energy") return Signal{{Quantity::energy, Mark::none, b}, s};
    return std::nullopt;
}

std::optional<Notation::Signal> Notation::signal(const std::string& name, const std::string& owner) const {
    const std::size_t dot = name.rfind('.');
    if (dot == std::string::npos) return std::nullopt;
    const std::string path = scope_of(owner) + name.substr(0, dot), member = name.substr(dot + 1);
    if (const auto b = bonds_.find(path); b != bonds_.end()) return bond_signal(b->second, member);
    if (const auto x = elements_.find(path); x != elements_.end()) return element_signal(x->second, member);
    return std::nullopt;
}

bool Notation::is_state(const std::string& name, const std::string& owner) const {
    return states_.count(scope_of(owner) + name) > 0;
}

}  // namespace deltaflow::report::hypa
