// Names, numbers and expressions as 002 writes them.
#include "report/hypa/notation.hpp"

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

std::string escaped(const std::string& text) {
    std::string result;
    for (const char c : text)
        result += (c == '_' || c == '%' || c == '#' || c == '&') ? std::string{'\\', c} : std::string{c};
    return result;
}

std::string latex_word(const std::string& word) {
    if (std::count(greek.begin(), greek.end(), word) > 0) return "\\" + word;
    return word.size() == 1 ? word : fmt::format("\\mathit{{{}}}", escaped(word));
}

// m1 and m_1 are m with an index; paths are words.
std::string latex_name(const std::string& name) {
    const bool plain = std::all_of(name.begin(), name.end(), [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
    });
    if (!plain) return fmt::format("\\mathit{{{}}}", escaped(name));
    std::size_t cut = name.find('_');
    std::string index = cut == std::string::npos ? "" : name.substr(cut + 1);
    if (cut == std::string::npos) {
        cut = name.find_last_not_of("0123456789") + 1;
        index = name.substr(cut);
    }
    if (cut == 0 || index.empty()) return latex_word(name);
    return fmt::format("{}_{{{}}}", latex_word(name.substr(0, cut)),
                       index.size() > 1 && !is_digit(index[0]) ? fmt::format("\\mathrm{{{}}}", escaped(index))
                                                               : escaped(index));
}

std::string scope_of(const std::string& owner) {
    const std::size_t dot = owner.rfind('.');
    return dot == std::string::npos ? "" : owner.substr(0, dot + 1);
}

}  // namespace

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

Piece Notation::expression(const std::string& text, const std::string& owner, Reading reading,
                           const Piece* own) const {
    return write(parse_expression(text), {owner, reading, own});
}

Piece Notation::expression(const Expression& tree, const std::string& owner, Reading reading) const {
    return write(tree, {owner, reading, nullptr});
}

Piece Notation::write(const Expression& e, const Context& c) const {
    switch (e.kind) {
        case Kind::number:
            return {e.text};
        case Kind::name:
            return write_name(e, c);
        case Kind::call:
            return write_call(e, c);
        case Kind::operation:
            break;
    }
    return write_operation(e, c);
}

Piece Notation::write_name(const Expression& e, const Context& c) const {
    if (c.own && (e.text == "f" || e.text == "q" || e.text == "p")) return *c.own;
    static constexpr Mark marks[] = {Mark::none, Mark::none, Mark::left, Mark::right};
    const Mark mark = marks[static_cast<std::size_t>(c.reading)];
    if (const auto s = signal(e.text, c.owner)) {
        Variable v = s->variable;
        v.mark = mark;
        if (s->power) return times({variable(v)}, {variable({Quantity::flow, mark, v.bond})});
        return s->sign > 0 ? Piece{variable(v)} : Piece{minus + variable(v), sum};
    }
    if (e.text == "pi") return {latex_ ? "\\pi" : "pi"};
    const bool state = is_state(e.text, c.owner);
    std::string text = name(state ? scope_of(c.owner) + e.text : e.text);
    if (state || (is_block_ && is_block_(scope_of(c.owner) + e.text)))
        text += mark == Mark::left ? "^-" : mark == Mark::right ? "^+" : "";
    return {text};
}

Piece Notation::write_call(const Expression& e, const Context& c) const {
    if (e.text == "pre") {
        const Reading inside = c.reading == Reading::flow ? Reading::flow : Reading::before;
        return write(e.arguments[0], {c.owner, inside, c.own});
    }
    if (e.text == "impulse") return write_impulse(e, c);
    if (e.text == "abs") {
        const std::string inside = write(e.arguments[0], c).text;
        return {latex_ ? "\\left|" + inside + "\\right|" : "|" + inside + "|"};
    }
    if (latex_ && e.text == "sqrt") return {"\\sqrt{" + write(e.arguments[0], c).text + "}"};
    static constexpr std::array<std::string_view, 11> functions{"sin", "cos", "tan", "sinh", "cosh",  "tanh",
                                                                "exp", "log", "min", "max",  "arctan"};
    std::string text = e.text;
    if (latex_) {
        const bool known = std::count(functions.begin(), functions.end(), text) > 0;
        text = known ? "\\" + text : fmt::format("\\operatorname{{{}}}", escaped(text));
    }
    std::string list;
    for (const Expression& a : e.arguments) list += (list.empty() ? "" : ", ") + write(a, c).text;
    return {text + (latex_ ? "\\left(" + list + "\\right)" : "(" + list + ")")};
}

// The impulse of an effort is the jump of its momentum, that of a flow the jump of its displacement.
Piece Notation::write_impulse(const Expression& e, const Context& c) const {
    if (c.reading == Reading::flow) return {"0"};
    const Expression& x = e.arguments[0];
    const auto s = x.kind == Kind::name ? signal(x.text, c.owner) : std::nullopt;
    const bool effort = s && s->variable.quantity == Quantity::effort && !s->power;
    if (!effort && !(s && s->variable.quantity == Quantity::flow))
        return {(latex_ ? "\\operatorname{impulse}(" : "impulse(") + write(x, c).text + ")"};
    const Quantity quantity = effort ? Quantity::momentum : Quantity::displacement;
    const std::string text = variable({quantity, Mark::jump, s->variable.bond});
    return s->sign > 0 ? Piece{text} : Piece{minus + text, sum};
}

Piece Notation::binary(const Expression& e, const Context& c, const std::string& sign, Level level) const {
    const Piece a = write(e.arguments[0], c), b = write(e.arguments[1], c);
    const bool strict = e.text == "-" || level == comparison || (level == sum && b.text[0] == '-');
    return {wrapped(a, level) + sign + wrapped(b, strict ? static_cast<Level>(level + 1) : level), level};
}

Piece Notation::write_operation(const Expression& e, const Context& c) const {
    static const std::map<std::string, std::string Notation::*> signs{
        {"<=", &Notation::less_equal}, {">=", &Notation::greater_equal}, {"!=", &Notation::unequal}};
    const std::string& o = e.text;
    if (o == "or") return binary(e, c, or_, disjunction);
    if (o == "and") return binary(e, c, and_, conjunction);
    if (o == "not") return {not_ + wrapped(write(e.arguments[0], c), atom), negation};
    if (has_leading_minus(e)) return {minus + wrapped(write(without_leading_minus(e), c), product), sum};
    if (o == "+" || o == "-") return binary(e, c, " " + o + " ", sum);
    if (o == "*") return binary(e, c, times_, product);
    if (o == "/") return over(write(e.arguments[0], c), write(e.arguments[1], c));
    if (o == "^") {
        const Piece base = write(e.arguments[0], c), exponent = write(e.arguments[1], c);
        const bool bare = base.text.find('^') == std::string::npos;
        const std::string low = bare ? wrapped(base, atom) : "(" + base.text + ")";
        return {low + (latex_ ? "^{" + exponent.text + "}" : "^" + wrapped(exponent, atom)), power};
    }
    if (const auto s = signs.find(o); s != signs.end()) return binary(e, c, this->*(s->second), comparison);
    return binary(e, c, o == "==" ? " = " : " " + o + " ", comparison);
}

bool Notation::may_jump(const std::string& text, const std::string& owner) const {
    return !text.empty() && may_jump(parse_expression(text), owner);
}

bool Notation::may_jump(const Expression& e, const std::string& owner) const {
    if (e.kind == Kind::name)
        return signal(e.text, owner) || is_state(e.text, owner) ||
               (is_block_ && is_block_(scope_of(owner) + e.text));
    if (e.kind == Kind::call && e.text == "pre") return false;
    return std::any_of(e.arguments.begin(), e.arguments.end(),
                       [&](const Expression& a) { return may_jump(a, owner); });
}

bool Notation::has_pre(const std::string& text) {
    const std::function<bool(const Expression&)> inside = [&](const Expression& e) {
        return (e.kind == Kind::call && e.text == "pre") ||
               std::any_of(e.arguments.begin(), e.arguments.end(), inside);
    };
    return !text.empty() && inside(parse_expression(text));
}

void Notation::mention(const Expression& e, const std::string& owner, bool impulse,
                       std::vector<Variable>& found) const {
    if (e.kind == Kind::name)
        if (const auto s = signal(e.text, owner)) {
            found.push_back(s->variable);
            if (s->power) found.push_back({Quantity::flow, Mark::none, s->variable.bond});
            if (impulse)
                found.push_back(
                    {s->variable.quantity == Quantity::effort ? Quantity::momentum : Quantity::displacement,
                     Mark::jump, s->variable.bond});
        }
    const bool inside = impulse || (e.kind == Kind::call && e.text == "impulse");
    for (const Expression& a : e.arguments) mention(a, owner, inside, found);
}

void Notation::mention(const std::string& text, const std::string& owner,
                       std::vector<Variable>& found) const {
    if (!text.empty()) mention(parse_expression(text), owner, false, found);
}

std::vector<Variable> Notation::mentioned() const {
    std::vector<Variable> found;
    for (const Element& e : graph_.elements) {
        mention(e.parameter_text, e.name, found);
        mention(e.law_text, e.name, found);
    }
    for (const Automaton& a : graph_.automata)
        for (const Transition& t : a.transitions) mention(t.when.text, a.name, found);
    return found;
}

}  // namespace deltaflow::report::hypa
