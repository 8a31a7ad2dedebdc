// Formulas as trees, to be written as plain text or LaTeX.
#include "report/explain/math.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace deltaflow::report {

using Kind = Math::Kind;

Math number(double x) { return {.kind = Kind::number, .value = x == 0 ? 0 : x}; }
Math name(std::string text, Side side, int order) {
    return {.kind = Kind::name, .order = order, .side = side, .text = std::move(text)};
}
Math delta(int order) { return {.kind = Kind::delta, .order = order}; }
Math call(std::string function, std::vector<Math> arguments) {
    return {.kind = Kind::call, .text = std::move(function), .parts = std::move(arguments)};
}
Math one_part(Kind kind, Math part) {
    Math m{.kind = kind};
    m.parts.push_back(std::move(part));
    return m;
}

namespace {

bool is_number(const Math& m, double x) { return m.kind == Kind::number && m.value == x; }

void append(std::vector<Math>& parts, Math m, Kind kind) {
    if (m.kind != kind) return parts.push_back(std::move(m));
    for (Math& part : m.parts) parts.push_back(std::move(part));
}

}  // namespace

Math sum(std::vector<Math> parts) {
    Math m{.kind = Kind::sum};
    for (Math& part : parts)
        if (!is_number(part, 0)) append(m.parts, std::move(part), Kind::sum);
    if (m.parts.empty()) return number(0);
    return m.parts.size() == 1 ? Math(m.parts[0]) : m;
}

Math product(std::vector<Math> parts) {
    Math m{.kind = Kind::product};
    for (Math& part : parts) append(m.parts, std::move(part), Kind::product);
    return m.parts.size() == 1 ? Math(m.parts[0]) : m;
}

Math scaled(double c, Math m) {
    if (c == 1) return m;
    if (c == 0 || is_number(m, 0)) return number(0);
    return product({number(c), std::move(m)});
}

Math times(double c, Math m) {
    if (m.kind == Kind::number) return number(c * m.value);
    if (m.kind == Kind::sum) {
        for (Math& part : m.parts) part = times(c, std::move(part));
        return m;
    }
    if (m.kind != Kind::product || m.parts[0].kind != Kind::number) return scaled(c, std::move(m));
    m.parts[0].value *= c;
    return m;
}

Math difference(double a, double b) {
    Math m{.kind = Kind::sum};
    m.parts = {number(a), product({number(-1), number(b)})};
    return m;
}

Math germ(double value, std::span<const double> impulses) {
    std::vector<Math> parts{number(value)};
    for (std::size_t i = 0; i < impulses.size(); ++i)
        if (impulses[i] != 0) parts.push_back(scaled(impulses[i], delta(static_cast<int>(i))));
    return sum(std::move(parts));
}

namespace {

// Sums of more terms than this are shortened.
constexpr std::size_t most_terms = 12;

// How tightly a formula holds together: what is looser than its surroundings gets parentheses.
enum Tightness { loose, factors, tight };
Tightness tightness(const Math& m) {
    switch (m.kind) {
        case Kind::sum:
            return loose;
        case Kind::product:
        case Kind::ratio:
        case Kind::integral:
            return factors;
        case Kind::number:
            return m.value < 0 ? loose : tight;
        default:
            return tight;
    }
}

bool is_plain_number(const Math& m) {
    if (m.kind == Kind::power || m.kind == Kind::ratio) return is_plain_number(m.parts[0]);
    return m.kind == Kind::number || ((m.kind == Kind::sum || m.kind == Kind::call) && !m.parts.empty() &&
                                      std::all_of(m.parts.begin(), m.parts.end(), [](const Math& p) {
                                          return p.kind == Kind::number || p.kind == Kind::delta ||
                                                 p.kind == Kind::product;
                                      }));
}

// Numbers side by side need a sign between them.
bool needs_signs(const Math& m) { return std::count_if(m.parts.begin(), m.parts.end(), is_plain_number) > 1; }

// A term with its sign taken off.
Math without_sign(Math m, bool& negative) {
    Math* first = m.kind == Kind::product ? &m.parts[0] : &m;
    negative = first->kind == Kind::number && first->value < 0;
    if (negative) first->value = -first->value;
    if (m.kind == Kind::product && is_number(m.parts[0], 1)) {
        m.parts.erase(m.parts.begin());
        if (m.parts.size() == 1) return Math(m.parts[0]);
    }
    return m;
}

// Both notations share how parts are put together.
struct Notation {
    std::string (*number)(double);
    std::string (*atom)(const Math&);
    const char *times, *side_by_side, *open, *close, *more;
    std::string (*power)(const std::string&, double);
    std::string (*ratio)(const Math&);
    std::string (*call)(const std::string&, const std::string&);
    std::string (*integral)(const std::string&);
};

std::string write(const Math& m, const Notation& n);

std::string wrapped(const Math& m, const Notation& n, Tightness least) {
    const std::string text = write(m, n);
    return tightness(m) < least ? n.open + text + n.close : text;
}

std::string write_sum(const Math& m, const Notation& n) {
    std::string text;
    const std::size_t shown = m.parts.size() > most_terms ? most_terms - 2 : m.parts.size();
    for (std::size_t i = 0; i < shown; ++i) {
        bool negative = false;
        const Math term = without_sign(m.parts[i], negative);
        text += i == 0 ? (negative ? "-" : "") : (negative ? " - " : " + ");
        text += wrapped(term, n, i == 0 && !negative ? loose : factors);
    }
    if (shown < m.parts.size()) text += fmt::format(fmt::runtime(n.more), m.parts.size() - shown);
    return text;
}

std::string write_product(const Math& whole, const Notation& n) {
    bool negative = false;
    const Math m = without_sign(whole, negative);
    std::string text = negative ? "-" : "";
    if (m.kind != Kind::product) return text + wrapped(m, n, factors);
    const char* between = needs_signs(m) ? n.times : n.side_by_side;
    for (std::size_t i = 0; i < m.parts.size(); ++i) {
        if (i > 0) text += between;
        text += wrapped(m.parts[i], n,
                        m.parts[i].kind == Kind::ratio && i + 1 < m.parts.size() ? tight : factors);
    }
    return text;
}

std::string write(const Math& m, const Notation& n) {
    switch (m.kind) {
        case Kind::number:
            return n.number(m.value);
        case Kind::name:
        case Kind::delta:
            return n.atom(m);
        case Kind::sum:
            return write_sum(m, n);
        case Kind::product:
            return write_product(m, n);
        case Kind::power:
            return n.power(wrapped(m.parts[0], n, tight), m.value);
        case Kind::ratio:
            return n.ratio(m.parts[0]);
        case Kind::integral:
            return n.integral(wrapped(m.parts[0], n, tight));
        case Kind::derivative:
            return n.call("der", write(m.parts[0], n));
        case Kind::call: {
            std::string arguments;
            for (const Math& part : m.parts) arguments += (arguments.empty() ? "" : ", ") + write(part, n);
            return n.call(m.text, arguments);
        }
    }
    return "";
}

std::string plain_atom(const Math& m) {
    if (m.kind == Kind::delta)
        return m.order <= 3 ? "delta" + std::string(static_cast<std::size_t>(m.order), '\'')
                            : fmt::format("delta^({})", m.order);
    switch (m.side) {
        case Side::whole:
            return m.text;
        case Side::impulse:
            return fmt::format("{}[{}]", m.text, -1 - m.order);
        default:
            return fmt::format("{}_{}{}", m.text, m.side == Side::left ? "left" : "right",
                               m.order == 0 ? "" : fmt::format("[{}]", m.order));
    }
}

std::string latex_name(const std::string& text) {
    const std::string escaped = latex_words(text);
    return text.size() == 1 ? escaped : "\\mathit{" + escaped + "}";
}

std::string latex_atom(const Math& m) {
    if (m.kind == Kind::delta)
        return m.order <= 3 ? "\\delta" + std::string(static_cast<std::size_t>(m.order), '\'')
                            : fmt::format("\\delta^{{({})}}", m.order);
    switch (m.side) {
        case Side::whole:
            return latex_name(m.text);
        case Side::impulse:
            return fmt::format("{}_{{[{}]}}", latex_name(m.text), -1 - m.order);
        default:
            return fmt::format("{}^{{{}}}{}", latex_name(m.text), m.side == Side::left ? "-" : "+",
                               m.order == 0 ? "" : fmt::format("_{{[{}]}}", m.order));
    }
}

const Notation& plain_notation() {
    static const Notation notation{
        number_text,
        plain_atom,
        " * ",
        " ",
        "(",
        ")",
        " + ... ({} more)",
        [](const std::string& base, double x) { return fmt::format("{}^{}", base, number_text(x)); },
        [](const Math& m) { return "1/" + wrapped(m, plain_notation(), tight); },
        [](const std::string& f, const std::string& u) { return fmt::format("{}({})", f, u); },
        [](const std::string& u) { return "integral of " + u; }};
    return notation;
}

std::string latex_function(const std::string& f, const std::string& u) {
    static constexpr std::string_view known[] = {"sin",  "cos",  "tan",  "exp", "log",
                                                 "sinh", "cosh", "tanh", "min", "max"};
    if (f == "sqrt") return fmt::format("\\sqrt{{{}}}", u);
    if (f == "der") return fmt::format("\\frac{{d}}{{dt}}\\left({}\\right)", u);
    if (f == "abs") return fmt::format("\\left|{}\\right|", u);
    const bool standard = std::find(std::begin(known), std::end(known), f) != std::end(known);
    return fmt::format("{}\\left({}\\right)", standard ? "\\" + f : "\\operatorname{" + latex_words(f) + "}",
                       u);
}

const Notation& latex_notation() {
    static const Notation notation{
        latex_number,
        latex_atom,
        " \\cdot ",
        "\\,",
        "\\left(",
        "\\right)",
        " + \\dots\\ (\\text{{{} more}})",
        [](const std::string& base, double x) { return fmt::format("{{{}}}^{{{}}}", base, number_text(x)); },
        [](const Math& m) { return fmt::format("\\frac{{1}}{{{}}}", write(m, latex_notation())); },
        latex_function,
        [](const std::string& u) { return fmt::format("\\int {}\\,dt", u); }};
    return notation;
}

}  // namespace

std::string plain(const Math& m) { return write(m, plain_notation()); }
std::string latex(const Math& m) { return write(m, latex_notation()); }

// 1.2e-07 is 1.2 times a power of ten.
std::string latex_number(double x) {
    const std::string text = number_text(x);
    const std::size_t e = text.find('e');
    if (e == std::string::npos) return text == "inf" ? "\\infty" : text;
    return fmt::format("{} \\cdot 10^{{{}}}", text.substr(0, e), std::stoi(text.substr(e + 1)));
}

Words said(std::string_view pattern, const std::vector<Words>& parts) {
    Words words;
    for (std::size_t at = 0, part = 0; at < pattern.size();) {
        const std::size_t place = std::min(pattern.find("{}", at), pattern.size());
        const std::string text(pattern.substr(at, place - at));
        words.plain += text;
        words.latex += latex_words(text);
        if (place < pattern.size()) {
            words.plain += parts[part].plain;
            words.latex += parts[part++].latex;
        }
        at = place + 2;
    }
    // An equation is one formula.
    constexpr std::string_view joint = "$ = $";
    for (std::size_t at = words.latex.find(joint); at != std::string::npos; at = words.latex.find(joint))
        words.latex.replace(at, joint.size(), " = ");
    return words;
}

}  // namespace deltaflow::report
