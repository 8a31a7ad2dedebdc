// What a command tells people on standard output.
#include "report/write/summary.hpp"

#include "report/text/notation.hpp"

#include <algorithm>

namespace deltaflow::report {

namespace {

// A long run is shown by its beginning and its end.
constexpr std::size_t signals_per_event = 8, causes_per_event = 4, signals_in_report = 40;

struct Line {
    std::string time, cause, jumps;
};

using Modes = std::span<const std::uint32_t>;

// "valve: conducting -> blocking" for each automaton that has changed its state.
void add_changes(const Trace& trace, Modes before, Modes after, std::vector<std::string>& texts) {
    for (std::size_t a = 0; a < after.size(); ++a)
        if (const auto& [name, states] = trace.automata[a]; states[after[a]] != states[before[a]])
            texts.push_back(fmt::format("{}: {} -> {}", name, states[before[a]], states[after[a]]));
}

// `modes`: what the last commit has left.
Line line_of(const Trace& trace, const Event& event, Modes modes) {
    std::vector<std::string> jumps;
    add_changes(trace, modes, trace.modes_of(event), jumps);
    for (const Jump& jump : trace.jumps_of(event)) jumps.push_back(jump_text(trace, jump));
    std::string cause = list_text(trace.causes_of(event), causes_per_event, ", ");
    if (!event.committed) cause += cause.empty() ? "mythical" : " (mythical)";
    return {time_text(event), cause, list_text(jumps, signals_per_event, "   ")};
}

std::size_t width_of(const std::vector<Line>& lines, std::string Line::*column) {
    std::size_t width = 0;
    for (const Line& line : lines) width = std::max(width, (line.*column).size());
    return width;
}

void write_lines(const std::vector<Line>& lines, std::size_t left_out, Output& output) {
    const std::size_t time = width_of(lines, &Line::time), cause = width_of(lines, &Line::cause);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (left_out && i == first_events) output.print("  ... {} more\n", left_out);
        std::string line =
            fmt::format("  {:<{}}  {:<{}}  {}", lines[i].time, time, lines[i].cause, cause, lines[i].jumps);
        line.erase(line.find_last_not_of(' ') + 1);
        output.print("{}\n", line);
    }
}

// A digest has fewer events than there were.
void tell_events(const Trace& trace, Output& output) {
    const std::size_t count = trace.events.size();
    const std::size_t total = std::max<std::size_t>(count, trace.statistics.events);
    const std::size_t left_out = total > first_events + last_events ? total - first_events - last_events : 0;
    std::vector<Line> lines;
    Modes modes = trace.first_mode;
    for (std::size_t i = 0; i < count; ++i) {
        const Event& event = trace.events[i];
        if (!left_out || i < first_events || i + last_events >= count)
            lines.push_back(line_of(trace, event, modes));
        if (event.committed) modes = trace.modes_of(event);
    }
    write_lines(lines, left_out, output);
}

// "sliding: s from 1 to 2.5"
void tell_sliding(const Trace& trace, Output& output) {
    std::vector<std::string> words;
    for (const SlidingInterval& s : trace.sliding)
        words.push_back(fmt::format("{} from {} to {}", s.block, time_text(s.from), time_text(s.to)));
    if (!words.empty()) output.print("sliding: {}\n", list_text(words, causes_per_event, ", "));
}

std::string count_text(std::uint64_t n, std::string_view thing) {
    return fmt::format("{} {}{}", n, thing, n == 1 ? "" : "s");
}

std::string ending_text(EndReason reason) {
    if (reason == EndReason::zeno) return " (zeno: events accumulate here)";
    return reason == EndReason::stop ? "" : fmt::format(" ({})", name_of(reason));
}

void write_regularity(const CheckReport& report, Output& output) {
    const std::size_t shown = std::min(report.signals.size(), signals_in_report);
    std::size_t width = 0;
    for (std::size_t i = 0; i < shown; ++i) width = std::max(width, report.signals[i].first.size());
    for (std::size_t i = 0; i < shown; ++i)
        output.print("  {:<{}}  {}\n", report.signals[i].first, width, report.signals[i].second);
    if (shown < report.signals.size()) output.print("  ... {} more\n", report.signals.size() - shown);
}

// a -> b -> a: a loop closes where it began.
void write_loop(const std::vector<std::string>& loop, Output& output) {
    if (loop.empty()) return;
    output.print("  algebraic loop: {} -> {}\n", fmt::join(loop, " -> "), loop.front());
}

// Storages of each mode, as the sequential assignment of causality left them; without elements there is none.
void write_modes(const CheckReport& report, bool elements, Output& output) {
    for (const ModeReport& mode : report.modes) {
        if (elements)
            output.print("  causality{}{}\n", mode.mode.empty() ? "" : " in mode ", mode.mode);
        else
            output.print("  mode {}\n", mode.mode);
        if (!mode.conflict.empty()) output.print("    none: {}\n", mode.conflict);
        if (!mode.independent.empty())
            output.print("    independent: {}\n", list_text(mode.independent, signals_in_report, ", "));
        for (const auto& [name, reason] : mode.dependent)
            output.print("    dependent: {} ({})\n", name, reason);
        if (!mode.leaking.empty())
            output.print("    settled by equal small leaks: {}\n",
                         list_text(mode.leaking, signals_in_report, ", "));
        for (const auto& loop : mode.loops)
            output.print("    algebraic loop: {} -> {}\n", fmt::join(loop, " -> "), loop.front());
    }
    if (report.modes.size() < report.mode_count)
        output.print("  ({} of {} modes shown)\n", report.modes.size(), report.mode_count);
}

}  // namespace

void write_title(const Trace& trace, Output& output) {
    if (!trace.model.empty()) output.print("{}\n", trace.model);
}

void write_closing(const Trace& trace, Output& output) {
    const Statistics& done = trace.statistics;
    output.print("ended at t = {}{}: {}, {}, {}, {:.3g} s\n", time_text(trace.end_t),
                 ending_text(trace.end_reason), count_text(done.steps, "step"),
                 count_text(done.events, "event"), count_text(done.evaluations, "evaluation"), done.seconds);
    if (trace.proved)
        output.print(
            "proved: {} with local errors below {:.2g} of what each state has shown, {}; {} series of "
            "intervals\n",
            count_text(trace.proved->steps, "step"), trace.proved->local_error,
            count_text(trace.proved->events, "event"), trace.proved->series);
    tell_sliding(trace, output);
    for (const std::string& warning : trace.warnings) output.write(line_text("warning: " + warning));
}

void write_summary(const Trace& trace, Output& output) {
    write_title(trace, output);
    tell_events(trace, output);
    write_closing(trace, output);
}

void write_summary(const FlatModel& model, const CheckReport& report, Output& output) {
    if (!model.name.empty()) output.print("{}\n", model.name);
    output.print("{}, {}, {}, {}, {}\n", count_text(report.blocks, "block"), count_text(report.links, "link"),
                 count_text(report.primitives, "primitive"), count_text(report.islands, "island"),
                 count_text(report.states, "state"));
    write_regularity(report, output);
    write_modes(report, !model.graph.elements.empty(), output);
    if (report.modes.empty())
        for (const auto& loop : report.loops) write_loop(loop, output);
    for (const Diagnostic& warning : report.warnings) output.write(line_text(render(model.sources, warning)));
    output.print("{}\n",
                 report.warnings.empty() ? "no warnings" : count_text(report.warnings.size(), "warning"));
}

}  // namespace deltaflow::report
