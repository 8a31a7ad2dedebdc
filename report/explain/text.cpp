// A lesson as plain text of some 96 columns.
#include "report/explain/lesson.hpp"
#include "report/text/notation.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace deltaflow::report {

namespace {

constexpr std::size_t columns = 96;

// A blank at which no line is broken.
constexpr char firm = '\x1f';
std::string firmly(std::string text) {
    std::replace(text.begin(), text.end(), ' ', firm);
    return text;
}

void write_line(std::string text, std::size_t margin, Output& output) {
    std::replace(text.begin(), text.end(), firm, ' ');
    output.print("{:{}}{}\n", "", margin, text);
}

// Text broken into lines at blanks; those after the first are indented deeper.
void write_wrapped(std::string text, std::size_t indent, Output& output) {
    std::size_t margin = indent;
    while (margin + text.size() > columns) {
        std::size_t end = text.rfind(' ', columns - margin);
        if (end == std::string::npos || end == 0) end = text.find(' ');
        if (end == std::string::npos) break;
        write_line(text.substr(0, end), margin, output);
        text.erase(0, text.find_first_not_of(' ', end));
        margin = indent + 4;
    }
    write_line(std::move(text), margin, output);
}

// A formula at the left and the number of its rule at the right margin.
void write_with_rule(const std::string& text, const std::string& rule, Output& output) {
    if (rule.empty()) return write_wrapped(text, 2, output);
    const std::string number = fmt::format("({})", rule);
    if (2 + text.size() + 2 + number.size() > columns) {
        write_wrapped(text, 2, output);
        output.print("{:>{}}\n", number, columns);
        return;
    }
    output.print("  {}{:>{}}\n", text, number, columns - 2 - text.size());
}

// On one line if it fits, else with each member of the chain on its own.
void write_sentence(const Sentence& s, Output& output) {
    const std::string after = s.after.empty() ? "" : fmt::format("  ({})", s.after);
    std::vector<std::string> links;
    for (const Math& m : s.chain) links.push_back(plain(m));
    std::string start = s.words.plain + (s.words.empty() || links.empty() ? "" : " ");
    if (s.subject) start += plain(*s.subject) + " = ";
    if (start.empty()) start = "= ";
    const std::string line = fmt::format("{}{}{}", start, fmt::join(links, " = "), after);
    if (6 + line.size() <= columns || links.size() < 2) return write_wrapped(line, 6, output);
    write_wrapped(start + links[0], 6, output);
    for (std::size_t i = 1; i < links.size(); ++i)
        write_wrapped("= " + links[i] + (i + 1 == links.size() ? after : ""), start == "= " ? 6 : 10, output);
}

// The rows of a loop: each block where it is met first, and beside or below it its equation for this rung.
void write_rows(const Paragraph& p, Output& output) {
    std::size_t definitions = 0, unknowns = 0, formulas = 0;
    for (const Equation& e : p.system) {
        definitions = std::max(definitions, e.definition.size());
        unknowns = std::max(unknowns, plain(e.unknown).size());
        formulas = std::max(formulas, plain(e.formula).size());
    }
    const bool beside = 6 + definitions + 4 + unknowns + 3 + formulas <= columns;
    for (const Equation& e : p.system) {
        std::string text =
            fmt::format("{:<{}} = {}", plain(e.unknown), beside ? unknowns : 0, plain(e.formula));
        if (beside && definitions > 0) text = fmt::format("{:<{}}    {}", e.definition, definitions, text);
        if (!beside && !e.definition.empty()) write_wrapped(e.definition, 6, output);
        write_wrapped(text, beside || definitions == 0 ? 6 : 10, output);
    }
}

void write_system(const Paragraph& p, Output& output) {
    write_rows(p, output);
    if (p.system_left_out > 0) output.print("      ... {} more\n", p.system_left_out);
    std::vector<std::string> values;
    for (const Equation& e : p.system)
        values.push_back(firmly(fmt::format("{} = {}", plain(e.unknown), number_text(e.solution))));
    write_wrapped(fmt::format("solution: {}", fmt::join(values, ", ")), 6, output);
}

void write_paragraph(const Paragraph& p, Output& output) {
    if (p.signal.empty() && p.system.empty()) {
        for (const Sentence& s : p.sentences) write_wrapped(s.words.plain, 2, output);
        return;
    }
    if (p.signal.empty()) {
        write_with_rule(p.sentences[0].words.plain, equations_words(p.equations), output);
        for (std::size_t i = 1; i < p.sentences.size(); ++i) write_sentence(p.sentences[i], output);
        return write_system(p, output);
    }
    const std::string definition = plain(p.definition);
    std::string head = definition == p.signal ? p.signal
                       : p.is_part            ? fmt::format("in {}: {}", p.signal, definition)
                                              : fmt::format("{} = {}", p.signal, definition);
    if (!p.remark.empty()) head += ", " + p.remark;
    write_with_rule(head, equations_words(p.equations), output);
    for (const Sentence& s : p.sentences)
        if (!s.words.empty() || !s.after.empty() || s.subject || s.chain.size() != 1 ||
            plain(s.chain[0]) != definition)
            write_sentence(s, output);
    if (!p.also.empty()) write_wrapped("the same: " + list_text(p.also, 8, ", "), 6, output);
}

void write_before(const SolvedLesson& lesson, Output& output) {
    if (lesson.before.empty()) return;
    output.write("\nJust before\n");
    std::size_t width = 0;
    for (const Before& b : lesson.before) width = std::max(width, b.signal.size());
    for (const Before& b : lesson.before) {
        std::string text = fmt::format("{:<{}}  {}", b.signal, width, number_text(b.derivatives[0]));
        for (std::size_t k = 1; k < b.derivatives.size(); ++k)
            text +=
                fmt::format(", {} {}", derivative_words(static_cast<int>(k)), number_text(b.derivatives[k]));
        write_wrapped(text, 2, output);
    }
    if (lesson.before_left_out > 0) output.print("  ... {} more\n", lesson.before_left_out);
}

void write_switches(const std::vector<WorkedSwitch>& switches, Output& output) {
    for (const WorkedSwitch& s : switches) {
        write_wrapped(switch_words(s), 2, output);
        for (const WorkedComparison& c : s.comparisons) write_wrapped(comparison_words(c), 6, output);
    }
}

std::string outcome_text(const Outcome& o) {
    const std::string after = plain(germ(o.right, o.impulses));
    return o.jumps ? fmt::format("{}: {} -> {}", o.signal, number_text(o.left), after)
                   : fmt::format("{}: {}", o.signal, after);
}

void write_storages(const WorkedSolve& solve, Output& output) {
    std::size_t width = 8;
    for (const WorkedStorage& s : solve.storages) width = std::max(width, s.name.size());
    output.print("  {:<{}}  {:<12}  {:>12}  {:>12}  {:>14}  {:>13}\n", "storage", width, "", "before",
                 "after", "energy before", "energy after");
    for (const WorkedStorage& s : solve.storages)
        output.print("  {:<{}}  {:<12}  {:>12}  {:>12}  {:>14}  {:>13}{}\n", s.name, width,
                     s.inertia ? "momentum" : "displacement", number_text(s.before), number_text(s.after),
                     number_text(s.energy_before), number_text(s.energy_after),
                     s.dependent ? "  dependent" : "");
    for (const std::string& words : conservation_words(solve)) write_wrapped(words, 2, output);
    if (solve.has_energy) write_wrapped(energy_words(solve), 2, output);
}

void write_outcomes(const SolvedLesson& lesson, Output& output) {
    for (const Outcome& o : lesson.outcomes) write_wrapped(outcome_text(o), 2, output);
    if (lesson.outcomes_left_out > 0) output.print("  ... {} more\n", lesson.outcomes_left_out);
    std::vector<std::string> same;
    for (const Outcome& o : lesson.unchanged)
        same.push_back(firmly(fmt::format("{} = {}", o.signal, number_text(o.right))));
    if (!same.empty()) write_wrapped("unchanged: " + list_text(same, 12, ", "), 2, output);
}

void write_solve(const SolvedLesson& lesson, bool at_start, bool more, Output& output) {
    const WorkedSolve& solve = *lesson.solve;
    output.print("\nSolve {}\n", lesson.time);
    if (const std::string words = opening_words(solve, at_start); !words.empty())
        write_wrapped(words, 2, output);
    const auto [guards, exchanges] = apart(solve.because);
    if (!guards.empty() && solve.index == 0) {
        output.write("  guards that hold on the left limits\n");
        write_switches(guards, output);
    }
    if (!exchanges.empty()) {
        output.write("  ideal elements whose state contradicts what was solved with it change it\n");
        write_switches(exchanges, output);
    }
    if (!solve.mode.empty()) write_wrapped("mode: " + mode_words(solve), 2, output);
    for (const std::string& words : lesson.slides) write_wrapped(words, 2, output);
    if (solve.index == 0 && !lesson.nothing_jumps) write_before(lesson, output);
    if (!lesson.paragraphs.empty()) output.write("\nBlock by block\n");
    for (const Paragraph& p : lesson.paragraphs) write_paragraph(p, output);
    if (lesson.paragraphs_left_out > 0)
        output.print("  ... {} more; --all shows them\n", lesson.paragraphs_left_out);
    if (lesson.nothing_jumps) output.print("\n{}\n", still_words);
    if (lesson.refusal) {
        write_switches(solve.left_by, output);
        output.write("\nHere it ends\n");
        return write_paragraph(*lesson.refusal, output);
    }
    output.print("\n{}\n", closing_words(solve, more));
    if (!solve.committed) {
        write_switches(solve.left_by, output);
        return;
    }
    if (!solve.then.empty()) {
        output.write("  behind the impulse, within the same event\n");
        write_switches(solve.then, output);
    }
    write_outcomes(lesson, output);
    if (!solve.storages.empty()) write_storages(solve, output);
    if (lesson.left_out > 0)
        output.print(
            "  ({} further signal{}: nothing happens to {}, or it follows from these; --all shows {})\n",
            lesson.left_out, lesson.left_out == 1 ? "" : "s", lesson.left_out == 1 ? "it" : "them",
            lesson.left_out == 1 ? "it" : "them");
}

}  // namespace

void write_text(const Lesson& lesson, Output& output) {
    output.print("{}: the instant at {}\n", lesson.title, lesson.where);
    const std::size_t parts = lesson.instants.size() + lesson.parts_left_out;
    for (std::size_t i = 0; i < lesson.instants.size(); ++i) {
        const InstantLesson& instant = lesson.instants[i];
        if (parts > 1)
            output.print("\nPart {} of {}: blocks that share no signal with the others\n", i + 1, parts);
        for (std::size_t k = 0; k < instant.solves.size(); ++k)
            write_solve(instant.solves[k], instant.instant->at_start, k + 1 < instant.solves.size(), output);
    }
    if (lesson.instants.empty()) output.print("\n{}\n", unsolved_words);
    if (lesson.parts_left_out > 0)
        output.print("\n... {} more parts; --all shows them\n", lesson.parts_left_out);
}

}  // namespace deltaflow::report
