// How times, values and impulses are written for people.
#include "report/text/notation.hpp"

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

std::string latex_words(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '\\')
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
