// Rows as in the tables of paper 000: <t - eps, 0> shows what was, the rows after it each solve.
#include "report/write/table.hpp"

#include "report/text/columns.hpp"
#include "report/text/notation.hpp"
#include "report/write/instants.hpp"

#include <algorithm>

namespace deltaflow::report {

namespace {

constexpr std::size_t signals_in_table = 10, causes_in_table = 3;

// Signals that take part in some event, in recorded order.
std::vector<std::uint32_t> jumping_signals(const Trace& trace) {
    std::vector<bool> jumps(trace.signals.size());
    for (const Jump& jump : trace.jumps) jumps[jump.signal] = true;
    std::vector<std::uint32_t> result;
    for (std::uint32_t s = 0; s < jumps.size(); ++s)
        if (jumps[s]) result.push_back(s);
    return result;
}

std::string value_text(const std::optional<double>& value) { return value ? number_text(*value) : ""; }

// The state of each automaton.
void add_modes(const Trace& trace, std::span<const std::uint32_t> modes, Row& row) {
    for (std::size_t a = 0; a < trace.automata.size(); ++a) row.push_back(trace.automata[a].states[modes[a]]);
}

using Modes = std::span<const std::uint32_t>;

Row row_before(const Trace& trace, const Instant& instant, Modes modes, const Values& values,
               const std::vector<std::uint32_t>& chosen) {
    Row row{fmt::format("<{} - eps, 0>", time_text(instant.t)), ""};
    add_modes(trace, modes, row);
    for (const std::uint32_t s : chosen) row.push_back(value_text(values[s]));
    return row;
}

Row row_after(const Trace& trace, const Event& event, const Values& values,
              const std::vector<std::uint32_t>& chosen) {
    std::string cause = list_text(trace.causes_of(event), causes_in_table, ", ");
    if (!event.committed) cause += cause.empty() ? "mythical" : " (mythical)";
    Row row{hyperdense_text(event), cause};
    add_modes(trace, trace.modes_of(event), row);
    const auto jumps = trace.jumps_of(event);
    for (const std::uint32_t s : chosen) {
        const auto jump =
            std::find_if(jumps.begin(), jumps.end(), [s](const Jump& j) { return j.signal == s; });
        row.push_back(jump == jumps.end() ? value_text(values[s])
                                          : germ_text(jump->right, trace.impulses_of(*jump)));
    }
    return row;
}

// `modes`: those that the events up to here have left behind, and then those behind this instant.
void add_rows(const Trace& trace, const Instant& instant, const std::vector<std::uint32_t>& chosen,
              Modes& modes, std::vector<Row>& rows) {
    Values values = values_before(trace, instant);
    rows.push_back(row_before(trace, instant, modes, values, chosen));
    for (const Event& event : instant.events) {
        rows.push_back(row_after(trace, event, values, chosen));
        if (!event.committed) continue;
        pass(trace, event, values);
        modes = trace.modes_of(event);
    }
}

}  // namespace

void write_table(const Trace& trace, Output& output) {
    std::vector<std::uint32_t> chosen = jumping_signals(trace);
    const std::size_t left_out = chosen.size() > signals_in_table ? chosen.size() - signals_in_table : 0;
    chosen.resize(chosen.size() - left_out);
    std::vector<Row> rows{{"time", "cause"}};
    for (const auto& automaton : trace.automata) rows.front().push_back(automaton.name);
    for (const std::uint32_t s : chosen) rows.front().push_back(trace.signals[s]);
    Modes modes = trace.first_mode;
    for (const Instant& instant : instants_of_events(trace)) add_rows(trace, instant, chosen, modes, rows);
    write_columns(rows, 2 + trace.automata.size(), output);
    if (left_out)
        output.print("({} more signal{}; choose with --record)\n", left_out, left_out == 1 ? "" : "s");
}

}  // namespace deltaflow::report
