// How times, values and impulses are written for people.
#include "report/text/notation.hpp"

#include "engine/model/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace deltaflow::report {

namespace {

std::string delta_text(std::size_t order) {
    return order <= 3 ? "delta" + std::string(order, '\'') : fmt::format("delta^({})", order);
}

// A term after others brings its sign as an operator.
std::string term_text(double coefficient, const std::string& unit, bool first) {
    const std::string sign = coefficient < 0 ? (first ? "-" : " - ") : (first ? "" : " + ");
    return fmt::format("{}{} {}", sign, number_text(std::abs(coefficient)), unit);
}

void add_impulses(std::string& text, std::span<const double> impulses) {
    for (std::size_t order = 0; order < impulses.size(); ++order)
        if (impulses[order] != 0) text += term_text(impulses[order], delta_text(order), text.empty());
}

}  // namespace

std::string number_text(double x) { return fmt::format("{:.6g}", x == 0 ? 0.0 : x); }

std::string time_text(double t) { return fmt::format("{:.9g}", t == 0 ? 0.0 : t); }

std::string hyperdense_text(const Event& event) {
    std::string t = time_text(event.t);
    if (event.epsilon == 1) t += " + eps";
    if (event.epsilon > 1) t += fmt::format(" + {} eps", event.epsilon);
    return fmt::format("<{}, {}>", t, event.index);
}

std::string time_text(const Event& event) {
    return event.epsilon == 0 && event.index == 0 ? time_text(event.t) : hyperdense_text(event);
}

std::string impulses_text(std::span<const double> impulses) {
    std::string text;
    add_impulses(text, impulses);
    return text;
}

std::string germ_text(double value, std::span<const double> impulses) {
    std::string text = value == 0 ? "" : number_text(value);
    add_impulses(text, impulses);
    return text.empty() ? "0" : text;
}

std::string jump_text(const Trace& trace, const Jump& jump) {
    const std::string& name = trace.signals[jump.signal];
    const auto impulses = trace.impulses_of(jump);
    if (jump.left == jump.right) return fmt::format("{}: {}", name, germ_text(jump.right, impulses));
    std::string text = fmt::format("{}: {} -> {}", name, number_text(jump.left), number_text(jump.right));
    add_impulses(text, impulses);
    return text;
}

std::string line_text(std::string text) {
    text.erase(text.find_last_not_of('\n') + 1);
    return text + '\n';
}

std::string list_text(std::span<const std::string> words, std::size_t limit, std::string_view separator) {
    const std::size_t shown = std::min(limit, words.size());
    std::string text = fmt::format("{}", fmt::join(words.first(shown), separator));
    if (shown < words.size()) text += fmt::format("{}... {} more", separator, words.size() - shown);
    return text;
}

namespace {

// The number of the character at `at`, whose bytes are right.
unsigned code_point(std::string_view text, std::size_t at, std::size_t length) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
    unsigned code = length == 2 ? byte(0) & 0x1Fu : length == 3 ? byte(0) & 0x0Fu : byte(0) & 0x07u;
    for (std::size_t i = 1; i < length; ++i) code = code << 6 | (byte(i) & 0x3Fu);
    return code;
}

// Letters of Latin alphabets as they are (with T1 fonts), Greek ones as formulas, the others by their number:
// a document that does not compile would show none of them.
std::string latex_character(std::string_view bytes, unsigned code) {
    constexpr std::string_view missing[] = {"Ħ", "ħ", "ĸ", "Ŀ", "ŀ", "ŉ", "Ŧ", "ŧ", "ſ"};
    if (code >= 0xA1 && code < 0x180 &&
        std::find(std::begin(missing), std::end(missing), bytes) == std::end(missing))
        return std::string(bytes);
    constexpr std::string_view greek[] = {"alpha", "beta", "gamma", "delta",    "epsilon", "zeta", "eta",
                                          "theta", "iota", "kappa", "lambda",   "mu",      "nu",   "xi",
                                          "",      "pi",   "rho",   "varsigma", "sigma",   "tau",  "upsilon",
                                          "phi",   "chi",  "psi",   "omega"};
    if (code >= 0x3B1 && code <= 0x3C9 && !greek[code - 0x3B1].empty())
        return fmt::format("\\ensuremath{{\\{}}}", greek[code - 0x3B1]);
    return fmt::format("\\texttt{{U+{:04X}}}", code);
}

}  // namespace

std::string latex_words(const std::string& text) {
    std::string out;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (static_cast<unsigned char>(c) >= 0x80) {
            const std::size_t length = character_length(text, at);
            out += length == 0 ? "?" : latex_character(text.substr(at, length), code_point(text, at, length));
            at += length == 0 ? 0 : length - 1;
        } else if (static_cast<unsigned char>(c) < 0x20) {
            out += ' ';
        } else if (c == '\\')
            out += "\\textbackslash{}";
        else if (c == '^')
            out += "\\textasciicircum{}";
        else if (c == '~')
            out += "\\textasciitilde{}";
        else if (c == '<' || c == '>')
            out += fmt::format("\\ensuremath{{{}}}", c);
        else if (std::string_view("_#$%&{}").find(c) != std::string_view::npos)
            out += {'\\', c};
        else
            out += c;
    }
    return out;
}

}  // namespace deltaflow::report
