// One table of signs by type, and what formulas amount to.
#include "report/scheme/signs.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

namespace deltaflow::report::scheme {

namespace {

// Letters, or a path of 28 by 16 around its middle. The type itself need not be said any more.
struct Sign {
    std::string_view type, letters, path;
};
constexpr Sign signs[] = {
    {"integrator", "∫", ""},
    {"limited_integrator", "∫", ""},
    {"reset_integrator", "∫", ""},
    {"derivative", "d/dt", ""},
    {"delay", "e⁻ˢᵀ", ""},
    {"variable_delay", "e⁻ˢᵀ", ""},
    {"unit_delay", "z⁻¹", ""},
    {"transfer_function", "G(s)", ""},
    {"pid", "PID", ""},
    {"sqrt", "√", ""},
    {"divide", "÷", ""},
    {"pre", "pre", ""},
    {"hysteresis", "", "M-14 7H5V-7H14M-5 7V-7H14M-8 -1l3 -4l3 4M2 1l3 4l3 -4"},
    {"switch", "", "M-14 7H0V-7H14"},
    {"sign", "", "M-14 7H0V-7H14M-14 0H14"},
    {"step", "", "M-14 7H-3V-7H14"},
    {"ramp", "", "M-14 7H-5L11 -8"},
    {"sine", "", "M-14 0C-10 -12 -4 -12 0 0C4 12 10 12 14 0"},
    {"pulse", "", "M-14 7H-7V-7H3V7H14"},
    {"impulse", "", "M-14 7H14M0 7V-8M-3 -3L0 -8L3 -3"},
    {"crossing", "", "M-14 0H14M-12 -8C-5 -7 5 7 12 8"},
    {"saturate", "", "M-14 7H-6L6 -7H14"},
    {"deadzone", "", "M-14 8L-5 0H5L14 -8"},
    {"hold", "", "M-14 7H-7V2H0V-3H7V-8H14"},
    {"triggered_hold", "", "M-14 7H-7V2H0V-3H7V-8H14"},
    {"quantize", "", "M-14 7H-7V2H0V-3H7V-8H14"},
    {"table", "", "M-14 7L-6 3L2 -6L14 -8"},
    {"abs", "", "M-12 -7L0 7L12 -7"},
    {"decision", "", "M-14 -6H-6M-14 6H-6M-6 -6L7 0H14"},
    {"noise", "", "M-14 2L-11 -6L-8 5L-5 -3L-2 7L1 -7L4 4L7 -2L10 6L14 -4"},
};

const Sign* sign_of(std::string_view type) {
    const auto at =
        std::find_if(std::begin(signs), std::end(signs), [&](const Sign& s) { return s.type == type; });
    return at == std::end(signs) ? nullptr : at;
}

bool is_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '[' || c == ']';
}

// Operands with the operator before each; nothing unless all of them are plain words.
using Terms = std::vector<std::pair<char, std::string>>;
std::optional<Terms> terms_of(const std::string& formula, std::string_view operators) {
    Terms terms;
    char before = operators.front();
    std::string word;
    for (const char c : formula + operators.front()) {
        if (c == ' ') continue;
        if (is_name(c)) {
            word += c;
        } else if (operators.find(c) != std::string_view::npos) {
            if (word.empty() && !(terms.empty() && c == '-')) {
                if (!terms.empty() || c != operators.front()) return std::nullopt;
            }
            if (!word.empty()) terms.emplace_back(before, std::exchange(word, ""));
            before = c;
        } else {
            return std::nullopt;
        }
    }
    return terms;
}

bool is_read(const OutlinePart& part, const std::string& word) {
    return std::any_of(part.reads.begin(), part.reads.end(),
                       [&](const OutlineRead& read) { return read.name == word; });
}

std::size_t read_count(const OutlinePart& part, const Terms& terms) {
    return static_cast<std::size_t>(std::count_if(
        terms.begin(), terms.end(), [&](const auto& term) { return is_read(part, term.second); }));
}

// "[a, -b]" as a formula: "a-b".
std::string joined(const std::string& list, char sign) {
    std::string formula;
    bool first = true;
    for (const char c : list) {
        if (c == ' ') continue;
        if (c != ',') {
            if (first && c != '-' && !formula.empty()) formula += sign;
            formula += c;
        }
        first = c == ',';
    }
    return formula;
}

// A sum or a product of signals and nothing else.
std::optional<Terms> whole_terms(const OutlinePart& part, std::string_view operators) {
    if (part.kind == OutlinePart::Kind::instance || part.inputs.empty()) return std::nullopt;
    std::string formula = part.inputs[0].text;
    if (part.type == "sum" || part.type == "product") {
        if ((part.type == "sum") != (operators.front() == '+')) return std::nullopt;
        formula = joined(formula, operators.front());
    } else if (!part.type.empty() || part.inputs.size() != 1 || !part.settings.empty()) {
        return std::nullopt;
    }
    auto terms = terms_of(formula, operators);
    if (!terms || terms->size() < 2 || read_count(part, *terms) != terms->size()) return std::nullopt;
    return terms;
}

// "der(x)" of a plain signal.
bool is_call(const OutlinePart& part, std::string_view function) {
    if (!part.type.empty() || part.inputs.size() != 1 || part.reads.size() != 1) return false;
    std::string wanted(function);
    wanted += "(" + part.reads[0].name + ")";
    std::string formula = part.inputs[0].text;
    std::erase(formula, ' ');
    return formula == wanted;
}

// "k*x": one signal, and words that are none.
bool is_gain(const OutlinePart& part) {
    if (part.type == "gain") return true;
    if (!part.type.empty() || part.inputs.size() != 1) return false;
    std::string formula = part.inputs[0].text;
    if (!formula.empty() && formula[0] == '-') formula.erase(0, 1);
    const auto terms = terms_of(formula, "*/");
    return terms && terms->size() >= 2 && terms->size() <= 3 && read_count(part, *terms) == 1 &&
           std::all_of(terms->begin(), terms->end(),
                       [&](const auto& term) { return term.first == '*' || !is_read(part, term.second); });
}

void make_circle(Box& box, std::string_view letters) {
    box.frame = Frame::circle;
    box.letters = letters;
    box.lines.clear();
    box.inputs.clear();
}

}  // namespace

void add_sign(Box& box, const OutlinePart& part) {
    if (whole_terms(part, "+-")) return make_circle(box, "Σ");
    if (whole_terms(part, "*")) return make_circle(box, "×");
    if (is_gain(part)) {
        box.frame = Frame::triangle;
        std::erase(box.lines, "gain");
        return;
    }
    if (is_call(part, "der") || is_call(part, "pre")) {
        box.letters = is_call(part, "der") ? "d/dt" : "pre";
        box.lines.clear();
        return;
    }
    const Sign* sign = sign_of(part.type);
    if (!sign) return;
    box.letters = sign->letters;
    box.drawn = sign->path;
    std::erase(box.lines, part.type);
}

int sign_in_sum(const OutlinePart& part, const OutlineRead& read) {
    const auto terms = whole_terms(part, "+-");
    if (!terms) return 0;
    for (const auto& [sign, name] : *terms)
        if (name == read.name) return sign == '-' ? -1 : 1;
    return 0;
}

}  // namespace deltaflow::report::scheme
