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

// The mode that the events up to here have left behind.
std::span<const std::uint32_t> modes_before(const Trace& trace, const Instant& instant) {
    std::span<const std::uint32_t> modes = trace.first_mode;
    for (const Event* e = trace.events.data(); e != instant.events.data(); ++e)
        if (e->committed) modes = trace.modes_of(*e);
    return modes;
}

Row row_before(const Trace& trace, const Instant& instant, const Values& values,
               const std::vector<std::uint32_t>& chosen) {
    Row row{fmt::format("<{} - eps, 0>", time_text(instant.t)), ""};
    add_modes(trace, modes_before(trace, instant), row);
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

void add_rows(const Trace& trace, const Instant& instant, const std::vector<std::uint32_t>& chosen,
              std::vector<Row>& rows) {
    Values values = values_before(trace, instant);
    rows.push_back(row_before(trace, instant, values, chosen));
    for (const Event& event : instant.events) {
        rows.push_back(row_after(trace, event, values, chosen));
        if (event.committed) pass(trace, event, values);
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
    for (const Instant& instant : instants(trace))
        if (!instant.events.empty()) add_rows(trace, instant, chosen, rows);
    write_columns(rows, 2 + trace.automata.size(), output);
    if (left_out) output.print("({} more signals; choose with --record)\n", left_out);
}

}  // namespace deltaflow::report
