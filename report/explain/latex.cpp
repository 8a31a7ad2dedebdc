// A lesson as a LaTeX document.
#include "report/explain/lesson.hpp"
#include "report/text/notation.hpp"

#include <fmt/format.h>

namespace deltaflow::report {

namespace {

// "a &= b \\ &= c": `first` may be missing, then the chain goes on from what was said before.
void write_align(const std::string& first, const std::vector<std::string>& chain, Output& output) {
    if (chain.empty()) return;
    output.write("\\begin{align*}\n");
    for (std::size_t i = 0; i < chain.size(); ++i)
        output.print("{} &= {}{}\n", i == 0 ? first : "", chain[i], i + 1 < chain.size() ? " \\\\" : "");
    output.write("\\end{align*}\n");
}

std::vector<std::string> latex_chain(const std::vector<Math>& chain) {
    std::vector<std::string> texts;
    for (const Math& m : chain) texts.push_back(latex(m));
    return texts;
}

void write_words(const Words& words, Output& output) { output.print("{}\n\n", words.latex); }

// What is said in words stands before its formula, a single one beside it.
void write_sentence(const Sentence& s, const std::string& signal, Output& output) {
    std::vector<std::string> chain = latex_chain(s.chain);
    const std::string after = s.after.empty() ? "" : fmt::format(" ({})", latex_words(s.after));
    if (chain.empty()) return write_words(s.words, output);
    if (chain.size() == 1 && !s.words.empty() && !s.subject) {
        output.print("{} ${}${}\n\n", s.words.latex, chain[0], after);
        return;
    }
    if (!s.words.empty()) output.print("{}\n", s.words.latex);
    if (!after.empty()) chain.back() += fmt::format(" \\quad \\text{{{}}}", after);
    write_align(s.subject ? latex(*s.subject) : signal, chain, output);
}

void write_system(const Paragraph& p, Output& output) {
    output.write("\\begin{align*}\n");
    for (std::size_t i = 0; i < p.system.size(); ++i)
        output.print("{} &= {}{}\n", latex(p.system[i].unknown), latex(p.system[i].formula),
                     i + 1 < p.system.size() ? " \\\\" : "");
    output.write("\\end{align*}\n");
    if (p.system_left_out > 0) output.print("and {} more.\n", p.system_left_out);
    output.write("The solution is\n\\begin{align*}\n");
    for (std::size_t i = 0; i < p.system.size(); ++i)
        output.print("{} &= {}{}\n", latex(p.system[i].unknown), latex_number(p.system[i].solution),
                     i + 1 < p.system.size() ? " \\\\" : "");
    output.write("\\end{align*}\n");
}

void write_paragraph(const Paragraph& p, Output& output) {
    const std::string rule = equations_words(p.equations);
    const std::string margin = rule.empty() ? "" : fmt::format(" \\hfill ({})", rule);
    if (p.signal.empty() && p.system.empty()) {
        for (const Sentence& s : p.sentences) write_words(s.words, output);
        return;
    }
    if (p.signal.empty()) {
        output.print("\\paragraph{{{}}}{}\n\n", p.sentences[0].words.latex, margin);
        for (std::size_t i = 1; i < p.sentences.size(); ++i) write_sentence(p.sentences[i], "", output);
        for (const Equation& e : p.system)
            if (!e.definition.empty()) write_words(e.definition, output);
        return write_system(p, output);
    }
    const std::string signal = latex(name(p.signal)), definition = latex(p.definition);
    output.print("\\paragraph{{{}}}", latex_words(p.signal + (p.remark.empty() ? "" : ", " + p.remark)));
    if (definition == signal)
        output.print("{}\n", margin);
    else
        output.print(" ${}{}${}\n", p.is_part ? "" : signal + " = ", definition, margin);
    if (!p.sentences.empty() && !p.sentences[0].words.empty()) output.write("\n");
    for (const Sentence& s : p.sentences)
        if (!s.words.empty() || s.subject || !s.after.empty() || s.chain.size() != 1 ||
            latex(s.chain[0]) != definition)
            write_sentence(s, signal, output);
    if (!p.also.empty()) write_words("The same: " + list_text(p.also, 8, ", ") + ".", output);
}

void write_items(const std::vector<std::string>& items, Output& output) {
    if (items.empty()) return;
    output.write("\\begin{itemize}\n");
    for (const std::string& item : items) output.print("\\item {}\n", item);
    output.write("\\end{itemize}\n");
}

void write_before(const SolvedLesson& lesson, Output& output) {
    if (lesson.before.empty() || lesson.nothing_jumps) return;
    output.write("\\subsubsection*{Just before}\n");
    std::vector<std::string> items;
    for (const Before& b : lesson.before) {
        std::string text =
            fmt::format("${} = {}$", latex(name(b.signal, Side::left)), latex_number(b.derivatives[0]));
        for (std::size_t k = 1; k < b.derivatives.size(); ++k)
            text += fmt::format(", {} ${}$", derivative_words(static_cast<int>(k)),
                                latex_number(b.derivatives[k]));
        items.push_back(text);
    }
    if (lesson.before_left_out > 0) items.push_back(fmt::format("and {} more", lesson.before_left_out));
    write_items(items, output);
}

void write_switches(const std::vector<WorkedSwitch>& switches, Output& output) {
    std::vector<std::string> items;
    for (const WorkedSwitch& s : switches) {
        items.push_back(latex_words(switch_words(s)));
        for (const WorkedComparison& c : s.comparisons) items.push_back(latex_words(comparison_words(c)));
    }
    write_items(items, output);
}

void write_outcomes(const SolvedLesson& lesson, Output& output) {
    std::vector<std::string> items;
    for (const Outcome& o : lesson.outcomes) {
        const std::string before = o.jumps ? latex_number(o.left) + " \\to " : "";
        items.push_back(
            fmt::format("{}: ${}{}$", latex_words(o.signal), before, latex(germ(o.right, o.impulses))));
    }
    if (lesson.outcomes_left_out > 0) items.push_back(fmt::format("and {} more", lesson.outcomes_left_out));
    write_items(items, output);
    std::vector<std::string> same;
    for (const Outcome& o : lesson.unchanged)
        same.push_back(fmt::format("{} = {}", o.signal, number_text(o.right)));
    if (!same.empty()) write_words("Unchanged: " + list_text(same, 12, ", ") + ".", output);
}

void write_storages(const WorkedSolve& solve, Output& output) {
    output.write(
        "\\begin{tabular}{llrrrr}\nstorage & & before & after & energy before & energy after \\\\ \\hline\n");
    for (const WorkedStorage& s : solve.storages)
        output.print("{} & {} & ${}$ & ${}$ & ${}$ & ${}$ \\\\\n", latex_words(s.name),
                     s.inertia ? "momentum" : "displacement", latex_number(s.before), latex_number(s.after),
                     latex_number(s.energy_before), latex_number(s.energy_after));
    output.write("\\end{tabular}\n\n");
    for (const std::string& words : conservation_words(solve)) write_words(words, output);
    if (solve.has_energy) write_words(energy_words(solve), output);
}

void write_solve(const SolvedLesson& lesson, bool at_start, bool more, Output& output) {
    const WorkedSolve& solve = *lesson.solve;
    output.print("\\subsection*{{Solve {}}}\n", latex_words(lesson.time));
    if (const std::string words = opening_words(solve, at_start); !words.empty()) write_words(words, output);
    const auto [guards, exchanges] = apart(solve.because);
    if (!guards.empty() && solve.index == 0) {
        output.write("Guards that hold on the left limits:\n");
        write_switches(guards, output);
    }
    if (!exchanges.empty()) {
        output.write("Ideal elements whose state contradicts what was solved with it change it:\n");
        write_switches(exchanges, output);
    }
    if (!solve.mode.empty()) write_words("Mode: " + mode_words(solve), output);
    for (const std::string& words : lesson.slides) write_words(words, output);
    if (solve.index == 0) write_before(lesson, output);
    if (!lesson.paragraphs.empty()) output.write("\\subsubsection*{Block by block}\n");
    for (const Paragraph& p : lesson.paragraphs) write_paragraph(p, output);
    if (lesson.paragraphs_left_out > 0) output.print("And {} more.\n\n", lesson.paragraphs_left_out);
    if (lesson.nothing_jumps) write_words(still_words, output);
    if (lesson.refusal) {
        write_switches(solve.left_by, output);
        output.write("\\subsubsection*{Here it ends}\n");
        return write_paragraph(*lesson.refusal, output);
    }
    write_words(closing_words(solve, more), output);
    if (!solve.committed) return write_switches(solve.left_by, output);
    if (!solve.then.empty()) {
        output.write("Behind the impulse, within the same event:\n");
        write_switches(solve.then, output);
    }
    write_outcomes(lesson, output);
    if (!solve.storages.empty()) write_storages(solve, output);
}

}  // namespace

void write_latex(const Lesson& lesson, Output& output) {
    output.write(
        "\\documentclass{article}\n\\usepackage[T1]{fontenc}\n\\usepackage{amsmath}\n\\begin{document}\n");
    output.print("\\section*{{{}: the instant at {}}}\n", latex_words(lesson.title),
                 latex_words(lesson.where));
    if (lesson.instants.empty()) write_words(unsolved_words, output);
    for (const InstantLesson& instant : lesson.instants)
        for (std::size_t k = 0; k < instant.solves.size(); ++k)
            write_solve(instant.solves[k], instant.instant->at_start, k + 1 < instant.solves.size(), output);
    output.write("\\end{document}\n");
}

}  // namespace deltaflow::report
