// Written straight to the file, a line a signal and a line an event: traces may be large.
#include "report/write/json.hpp"

#include "report/write/instants.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <span>

namespace deltaflow::report {

namespace {

// The library escapes, and mends what is not UTF-8.
std::string quoted(const std::string& text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// 17 digits tell every double from its neighbours; whole numbers keep a ".0" to stay floating.
std::string number(double x) {
    if (!std::isfinite(x)) return "null";
    std::string text = fmt::format("{:.17g}", x);
    if (text.find_first_of(".e") == std::string::npos) text += ".0";
    return text;
}

// "[item, item]", each written by `write`.
template <typename Items, typename Write>
void write_list(const Items& items, std::string_view separator, Output& output, Write write) {
    std::string_view before = "";
    for (const auto& item : items) {
        output.write(before);
        write(item);
        before = separator;
    }
}

void write_numbers(std::span<const double> numbers, Output& output) {
    output.write("[");
    write_list(numbers, ", ", output, [&](double x) { output.write(number(x)); });
    output.write("]");
}

void write_strings(std::span<const std::string> strings, Output& output) {
    output.write("[");
    write_list(strings, ", ", output, [&](const std::string& s) { output.write(quoted(s)); });
    output.write("]");
}

void write_samples(const Trace& trace, Output& output) {
    output.write("  \"samples\": {\n    \"t\": ");
    write_numbers(trace.t, output);
    for (std::size_t s = 0; s < trace.signals.size(); ++s) {
        output.print(",\n    {}: ", quoted(trace.signals[s]));
        write_numbers(trace.samples[s], output);
    }
    output.write("\n  },\n");
}

void write_jump(const Trace& trace, const Jump& jump, Output& output) {
    output.print("{}: {{\"left\": {}, \"right\": {}, \"impulses\": ", quoted(trace.signals[jump.signal]),
                 number(jump.left), number(jump.right));
    write_numbers(trace.impulses_of(jump), output);
    output.write("}");
}

void write_modes(const Trace& trace, const Event& event, Output& output) {
    output.write(", \"modes\": {");
    const auto modes = trace.modes_of(event);
    for (std::size_t a = 0; a < modes.size(); ++a)
        output.print("{}{}: {}", a > 0 ? ", " : "", quoted(trace.automata[a].name),
                     quoted(trace.automata[a].states[modes[a]]));
    output.write("}");
}

void write_event(const Trace& trace, const Event& event, Output& output) {
    output.print("{{\"t\": {}, \"epsilon\": {}, \"index\": {}, \"committed\": {}, \"cause\": ",
                 number(event.t), event.epsilon, event.index, event.committed);
    write_strings(trace.causes_of(event), output);
    if (!trace.automata.empty()) write_modes(trace, event, output);
    output.write(", \"signals\": {");
    write_list(trace.jumps_of(event), ", ", output, [&](const Jump& j) { write_jump(trace, j, output); });
    output.write("}}");
}

void write_events(const Trace& trace, Output& output) {
    output.write("  \"events\": [");
    output.write(trace.events.empty() ? "" : "\n");
    write_list(trace.events, ",\n", output, [&](const Event& e) {
        output.write("    ");
        write_event(trace, e, output);
    });
    output.write(trace.events.empty() ? "],\n" : "\n  ],\n");
}

void write_shares(const Trace& trace, const std::vector<std::pair<std::uint32_t, double>>& shares,
                  Output& output) {
    output.write("{");
    write_list(shares, ", ", output, [&](const auto& share) {
        output.print("{}: {}", quoted(trace.elements[share.first]), number(share.second));
    });
    output.write("}");
}

void write_energy(const Trace& trace, Output& output) {
    const EnergyLedger& ledger = trace.energy;
    output.write("  \"energy\": [");
    output.write(ledger.instants.empty() ? "" : "\n");
    write_list(ledger.instants, ",\n", output, [&](const EnergyEvent& e) {
        output.print(
            "    {{\"t\": {}, \"epsilon\": {}, \"stored_before\": {}, \"stored_after\": {}, "
            "\"supplied\": {}, \"dissipated\": ",
            number(e.t), e.epsilon, number(e.stored_before), number(e.stored_after), number(e.supplied));
        write_shares(trace, e.dissipated, output);
        output.write("}");
    });
    output.write(ledger.instants.empty() ? "],\n" : "\n  ],\n");
    output.print("  \"ledger\": {{\"stored_at_start\": {}, \"stored_at_end\": {}, \"supplied\": ",
                 number(ledger.stored_at_start), number(ledger.stored_at_end));
    write_shares(trace, ledger.supplied, output);
    output.write(", \"dissipated\": ");
    write_shares(trace, ledger.dissipated, output);
    output.write("},\n");
}

void write_sliding(const Trace& trace, Output& output) {
    output.write("  \"sliding\": [");
    write_list(trace.sliding, ", ", output, [&](const SlidingInterval& i) {
        output.print("{{\"block\": {}, \"from\": {}, \"to\": {}}}", quoted(i.block), number(i.from),
                     number(i.to));
    });
    output.write("],\n");
}

void write_heading(const Trace& trace, Output& output) {
    output.print("{{\n  \"model\": {},\n  \"signals\": ", quoted(trace.model));
    write_strings(trace.signals, output);
    output.write(",\n");
}

// What comes behind the events.
void write_end(const Trace& trace, Output& output) {
    const Statistics& done = trace.statistics;
    if (!trace.elements.empty()) write_energy(trace, output);
    write_sliding(trace, output);
    output.print("  \"end\": {{\"t\": {}, \"reason\": {}}},\n", number(trace.end_t),
                 quoted(std::string(name_of(trace.end_reason))));
    if (trace.proved)
        output.print(
            "  \"proved\": {{\"local_error\": {}, \"steps\": {}, \"events\": {}, \"series\": {}}},\n",
            number(trace.proved->local_error), trace.proved->steps, trace.proved->events,
            trace.proved->series);
    output.print(
        "  \"statistics\": {{\"steps\": {}, \"events\": {}, \"evaluations\": {}, \"seconds\": {}}}\n}}\n",
        done.steps, done.events, done.evaluations, number(done.seconds));
}

void write_warning(const Diagnostic& warning, const Sources& sources, Output& output) {
    output.print("    {{\"place\": {}, \"message\": {}}}", quoted(render(sources, warning.place)),
                 quoted(warning.message));
}

}  // namespace

void write_json(const Trace& trace, Output& output) {
    write_heading(trace, output);
    write_samples(trace, output);
    write_events(trace, output);
    write_end(trace, output);
}

void JsonSink::begin(const Trace& heading) {
    regions_.open(text_of([&](Output& text) {
        write_heading(heading, text);
        text.write("  \"samples\": {\n    \"t\": [");
    }));
    for (const std::string& signal : heading.signals)
        regions_.open(fmt::format("],\n    {}: [", quoted(signal)));
    regions_.open("]\n  },\n  \"events\": [");
    begun_.assign(heading.signals.size() + 2, false);
}

void JsonSink::take(const Trace& part) {
    const auto add_numbers = [&](std::size_t region, const std::vector<double>& numbers) {
        for (const double x : numbers) add(region, begun_[region] ? ", " : "", number(x));
    };
    add_numbers(0, part.t);
    for (std::size_t s = 0; s < part.samples.size(); ++s) add_numbers(s + 1, part.samples[s]);
    const std::size_t events = begun_.size() - 1;
    for (const Event& event : part.events)
        add(events, begun_[events] ? ",\n    " : "\n    ",
            text_of([&](Output& text) { write_event(part, event, text); }));
}

void JsonSink::add(std::size_t region, std::string_view separator, std::string_view text) {
    begun_[region] = true;
    regions_.add(region, separator);
    regions_.add(region, text);
}

void JsonSink::end(const Trace& closing) {
    sheet_.end(regions_.close(text_of([&](Output& text) {
        text.write(begun_.back() ? "\n  ],\n" : "],\n");
        write_end(closing, text);
    })));
}

void JsonLinesSink::begin(const Trace& heading) {
    output_.print("{{\"model\": {}, \"signals\": ", quoted(heading.model));
    write_strings(heading.signals, output_);
    output_.write("}\n");
    output_.flush();
}

void JsonLinesSink::take(const Trace& part) {
    for (const Instant& instant : instants(part)) {
        for (const Event& event : instant.events) {
            output_.write("{\"event\": ");
            write_event(part, event, output_);
            output_.write("}\n");
        }
        if (!instant.sample) continue;
        output_.print("{{\"sample\": {{\"t\": {}", number(part.t[*instant.sample]));
        for (std::size_t s = 0; s < part.signals.size(); ++s)
            output_.print(", {}: {}", quoted(part.signals[s]), number(part.samples[s][*instant.sample]));
        output_.write("}}\n");
    }
    output_.flush();
}

void JsonLinesSink::end(const Trace& closing) {
    for (const SlidingInterval& i : closing.sliding)
        output_.print("{{\"sliding\": {{\"block\": {}, \"from\": {}, \"to\": {}}}}}\n", quoted(i.block),
                      number(i.from), number(i.to));
    output_.print("{{\"end\": {{\"t\": {}, \"reason\": {}}}}}\n", number(closing.end_t),
                  quoted(std::string(name_of(closing.end_reason))));
    output_.flush();
}

void write_json(const CheckReport& report, const Sources& sources, Output& output) {
    output.print("{{\n  \"blocks\": {},\n  \"links\": {},\n  \"loops\": [", report.blocks, report.links);
    write_list(report.loops, ", ", output, [&](const auto& loop) { write_strings(loop, output); });
    output.write("],\n  \"signals\": {");
    write_list(report.signals, ", ", output, [&](const auto& signal) {
        output.print("{}: {}", quoted(signal.first), quoted(signal.second));
    });
    output.write("},\n  \"warnings\": [");
    output.write(report.warnings.empty() ? "" : "\n");
    write_list(report.warnings, ",\n", output,
               [&](const Diagnostic& warning) { write_warning(warning, sources, output); });
    output.write(report.warnings.empty() ? "]\n}\n" : "\n  ]\n}\n");
}

}  // namespace deltaflow::report
