// Closed forms as text, LaTeX and JSON.
#include "report/write/exact_text.hpp"

#include "blocks/json_text.hpp"
#include "report/text/notation.hpp"
#include "report/write/formula.hpp"

#include <algorithm>
#include <cmath>

namespace deltaflow::report {

namespace {

constexpr std::size_t widest_formula = 56;  // what is longer pushes its own range to the right

// One line of a closed form: a formula, and where it holds.
struct ExactRow {
    std::string formula, where;
};

// "0 <= t < t1"; the last piece goes up to the end, or is there at the end alone.
std::string range(const FormulaWriter& writer, const ExactTrace& trace, const ExactSignal& signal,
                  std::size_t i, const char* at_most) {
    const bool last = i + 1 == signal.pieces.size();
    const Quadratic& to = last ? trace.end : signal.pieces[i + 1].from;
    const bool closed = last && trace.end_is_exact;
    if (closed && signal.pieces[i].from == to) return "t = " + writer.time(to);
    return fmt::format("{} {} t {} {}", writer.time(signal.pieces[i].from), at_most, closed ? at_most : "<",
                       writer.time(to));
}

std::vector<ExactRow> rows_of(const FormulaWriter& writer, const ExactTrace& trace,
                              const ExactSignal& signal) {
    std::vector<ExactRow> rows;
    for (std::size_t i = 0; i < signal.pieces.size(); ++i)
        rows.push_back({writer.polynomial(signal.pieces[i]), "for " + range(writer, trace, signal, i, "<=")});
    for (const ExactImpulses& impulses : summed(signal.impulses)) {
        const std::string text = writer.impulses(impulses);
        rows.push_back({text.front() == '-' ? "- " + text.substr(1) : "+ " + text,
                        "at t = " + writer.time(impulses.at)});
    }
    return rows;
}

void write_times(const FormulaWriter& writer, Output& output) {
    std::size_t width = 0;
    for (const NamedTime& t : writer.named_times()) width = std::max(width, writer.number(t.exact).size());
    for (std::size_t i = 0; i < writer.named_times().size(); ++i) {
        const Quadratic& t = writer.named_times()[i].exact;
        output.print("  {} = {:<{}}  about {}\n", writer.name_of_time(i), writer.number(t),
                     std::min(width, widest_formula), time_text(to_double(t)));
    }
}

std::string json_number(double x) { return std::isfinite(x) ? fmt::format("{:.17g}", x) : "null"; }

std::string json_exact(const Quadratic& x) {
    return json_text::object(
        {{"exact", json_text::string(to_string(x))}, {"value", json_number(to_double(x))}});
}

std::string json_list(const std::vector<Quadratic>& numbers) {
    std::vector<std::string> items;
    for (const Quadratic& x : numbers) items.push_back(json_exact(x));
    return json_text::array(items);
}

std::string json_signal(const FormulaWriter& writer, const ExactTrace& trace, const ExactSignal& signal) {
    std::vector<std::string> pieces, impulses;
    for (std::size_t i = 0; i < signal.pieces.size(); ++i) {
        const ExactPiece& piece = signal.pieces[i];
        const Quadratic& to = i + 1 < signal.pieces.size() ? signal.pieces[i + 1].from : trace.end;
        pieces.push_back(json_text::object({{"from", json_exact(piece.from)},
                                            {"to", json_exact(to)},
                                            {"coefficients", json_list(piece.p)},
                                            {"text", json_text::string(writer.polynomial(piece))}}));
    }
    for (const ExactImpulses& i : signal.impulses)
        impulses.push_back(json_text::object({{"at", json_exact(i.at)},
                                              {"epsilon", std::to_string(i.epsilon)},
                                              {"coefficients", json_list(i.coefficients)},
                                              {"text", json_text::string(writer.impulses(i))}}));
    return json_text::object({{"name", json_text::string(signal.name)},
                              {"pieces", json_text::array(pieces)},
                              {"impulses", json_text::array(impulses)}});
}

void write_latex_signal(const FormulaWriter& writer, const ExactTrace& trace, const ExactSignal& signal,
                        Output& output) {
    output.print("\\[ {} = ", writer.signal(signal.name));
    const std::vector<ExactImpulses> impulses = summed(signal.impulses);
    const bool nothing_else = signal.pieces.size() == 1 && signal.pieces[0].p.empty() && !impulses.empty();
    if (signal.pieces.size() == 1 && !nothing_else) output.write(writer.polynomial(signal.pieces[0]));
    if (signal.pieces.size() > 1) {
        output.write("\\begin{cases}\n");
        for (std::size_t i = 0; i < signal.pieces.size(); ++i)
            output.print("    {} & {} \\\\\n", writer.polynomial(signal.pieces[i]),
                         range(writer, trace, signal, i, "\\le"));
        output.write("  \\end{cases}");
    }
    for (std::size_t i = 0; i < impulses.size(); ++i) {
        const std::string text = writer.impulses(impulses[i]);
        const bool plus = text.front() != '-' && !(i == 0 && nothing_else);
        output.print("\n    {}{}", plus ? "+ " : "", text);
    }
    output.write(" \\]\n");
}

}  // namespace

void write_exact_text(const ExactTrace& trace, Output& output) {
    const FormulaWriter writer(trace, Notation::plain);
    output.print("{}\n", trace.model);
    write_times(writer, output);
    for (const ExactSignal& signal : trace.signals) {
        if (signal.pieces.empty() && signal.impulses.empty()) continue;
        const std::vector<ExactRow> rows = rows_of(writer, trace, signal);
        std::size_t width = 0;
        for (const ExactRow& row : rows)
            width = std::max(width, std::min(row.formula.size(), widest_formula));
        std::string head = "  " + writer.signal(signal.name) + " = ";
        for (const ExactRow& row : rows) {
            output.print("{}{:<{}}  {}\n", head, row.formula, width, row.where);
            head.assign(head.size(), ' ');
        }
    }
}

void write_exact_latex(const ExactTrace& trace, Output& output) {
    const FormulaWriter writer(trace, Notation::latex);
    output.print(
        "\\documentclass{{article}}\n\\usepackage[T1]{{fontenc}}\n\\usepackage{{amsmath}}\n\\begin{{document}"
        "}\n\\section*{{{}}}\n",
        latex_words(trace.model));
    for (std::size_t i = 0; i < writer.named_times().size(); ++i) {
        const Quadratic& t = writer.named_times()[i].exact;
        output.print("\\[ {} = {} \\approx {} \\]\n", writer.name_of_time(i), writer.number(t),
                     time_text(to_double(t)));
    }
    for (const ExactSignal& signal : trace.signals)
        if (!signal.pieces.empty() || !signal.impulses.empty())
            write_latex_signal(writer, trace, signal, output);
    output.write("\\end{document}\n");
}

void write_exact_json(const ExactTrace& trace, Output& output) {
    const FormulaWriter writer(trace, Notation::plain);
    std::vector<std::string> times, signals;
    for (std::size_t i = 0; i < writer.named_times().size(); ++i)
        times.push_back(
            json_text::object({{"name", json_text::string(writer.name_of_time(i))},
                               {"exact", json_text::string(to_string(writer.named_times()[i].exact))},
                               {"value", json_number(writer.named_times()[i].rounded)}}));
    for (const ExactSignal& signal : trace.signals) signals.push_back(json_signal(writer, trace, signal));
    const std::string end = json_text::object(
        {{"t", json_exact(trace.end)}, {"reason", json_text::string(name_of(trace.end_reason))}});
    output.print("{}\n", json_text::pretty(json_text::object({{"model", json_text::string(trace.model)},
                                                              {"start", json_exact(trace.start)},
                                                              {"end", end},
                                                              {"times", json_text::array(times)},
                                                              {"signals", json_text::array(signals)}})));
}

}  // namespace deltaflow::report
