// A row a sample, two rows a committed event (left, right), one a mythical mode; sorted by time.
#include "report/write/csv.hpp"

#include "report/write/instants.hpp"

namespace deltaflow::report {

namespace {

// Where a row stands in hyperdense time.
struct Point {
    double t;
    std::uint32_t epsilon = 0, index = 0;
};

Point point_of(const Event& event) { return {event.t, event.epsilon, event.index}; }

int impulse_columns(const Trace& trace, std::size_t signal) {
    return signal < trace.impulse_orders.size() ? trace.impulse_orders[signal] : 0;
}

void write_header(const Trace& trace, Output& output) {
    output.write("t,epsilon,index,side");
    for (std::size_t s = 0; s < trace.signals.size(); ++s) {
        output.print(",{}", csv_field(trace.signals[s]));
        for (int order = 0; order < impulse_columns(trace, s); ++order)
            output.print(",{}",
                         csv_field(trace.signals[s] + ".delta" + (order ? std::to_string(order) : "")));
    }
    output.write("\n");
}

void write_impulses(std::span<const double> impulses, int columns, Output& output) {
    for (int order = 0; order < columns; ++order)
        if (static_cast<std::size_t>(order) < impulses.size())
            output.print(",{:.17g}", impulses[static_cast<std::size_t>(order)]);
        else
            output.write(",");
}

std::string header_of(const Trace& trace) {
    return text_of([&](Output& output) { write_header(trace, output); });
}

// The impulses of each signal at an event.
using Impulses = std::vector<std::span<const double>>;

Impulses impulses_at(const Trace& trace, const Event& event) {
    Impulses impulses(trace.signals.size());
    for (const Jump& jump : trace.jumps_of(event)) impulses[jump.signal] = trace.impulses_of(jump);
    return impulses;
}

void write_row(const Trace& trace, const Point& at, std::string_view side, const Values& values,
               const Impulses& impulses, Output& output) {
    output.print("{:.17g},{},{},{}", at.t, at.epsilon, at.index, side);
    for (std::size_t s = 0; s < values.size(); ++s) {
        if (values[s])
            output.print(",{:.17g}", *values[s]);
        else
            output.write(",");
        write_impulses(impulses.empty() ? std::span<const double>{} : impulses[s], impulse_columns(trace, s),
                       output);
    }
    output.write("\n");
}

void write_mythical(const Trace& trace, const Event& event, Values values, Output& output) {
    pass(trace, event, values);
    write_row(trace, point_of(event), "mythical", values, impulses_at(trace, event), output);
}

void write_committed(const Trace& trace, const Event& event, Values& values, Output& output) {
    write_row(trace, point_of(event), "left", values, {}, output);
    pass(trace, event, values);
    write_row(trace, point_of(event), "right", values, impulses_at(trace, event), output);
}

void write_event(const Trace& trace, const Event& event, Values& values, Output& output) {
    if (event.committed)
        write_committed(trace, event, values, output);
    else
        write_mythical(trace, event, values, output);
}

// The sample comes last: at the time of an event it is the right limit.
void write_instant(const Trace& trace, const Instant& instant, Output& output) {
    Values values = values_before(trace, instant);
    Point at{instant.t};
    for (const Event& event : instant.events) {
        at = point_of(event);
        write_event(trace, event, values, output);
    }
    if (!instant.sample) return;
    at.t = trace.t[*instant.sample];
    for (std::size_t s = 0; s < values.size(); ++s) values[s] = trace.samples[s][*instant.sample];
    write_row(trace, at, "sample", values, {}, output);
}

void write_rows(const Trace& trace, Output& output) {
    for (const Instant& instant : instants(trace)) write_instant(trace, instant, output);
}

}  // namespace

std::string csv_field(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + '"';
}

void write_csv(const Trace& trace, Output& output) {
    write_header(trace, output);
    write_rows(trace, output);
}

void CsvSink::begin(const Trace& heading) {
    orders_ = heading.impulse_orders;
    write_header(heading, output_);
}

void CsvSink::take(const Trace& part) {
    if (part.impulse_orders == orders_) return write_rows(part, output_);
    Trace fitting = part;
    fitting.impulse_orders = orders_;
    write_rows(fitting, output_);
}

void WideningCsvSink::put(std::string_view text) {
    sheet_->put(size_, text);
    size_ += text.size();
}

void WideningCsvSink::begin(const Trace& heading) {
    heading_ = heading;
    const std::string header = header_of(heading_);
    header_ = header.size();
    rows_.write(header);
}

void WideningCsvSink::take(const Trace& part) {
    if (part.impulse_orders != heading_.impulse_orders) widen(part.impulse_orders);
    write_rows(part, rows_);
}

void WideningCsvSink::end(const Trace& closing) {
    if (closing.impulse_orders != heading_.impulse_orders) widen(closing.impulse_orders);
    rows_.flush();
    sheet_.end(size_);
}

// Fields of rows have no quotes.
void WideningCsvSink::widen(const std::vector<int>& orders) {
    rows_.flush();
    constexpr std::size_t places = 4;  // t, epsilon, index, side
    std::vector<std::string> behind(places);
    for (std::size_t s = 0; s < orders.size(); ++s) {
        const auto before = static_cast<std::size_t>(impulse_columns(heading_, s));
        behind.resize(behind.size() + 1 + before);
        behind.back().assign(static_cast<std::size_t>(orders[s]) - before, ',');
    }
    heading_.impulse_orders = orders;
    const std::unique_ptr<Sheet> next = sheet_->another();
    std::uint64_t end = 0;
    Output wider([&](std::string_view text) {
        next->put(end, text);
        end += text.size();
    });
    const std::string header = header_of(heading_);
    wider.write(header);
    std::size_t field = 0;
    for_each_piece(*sheet_, header_, size_, [&](std::string_view piece) {
        while (!piece.empty()) {
            const std::size_t stop = piece.find_first_of(",\n");
            wider.write(piece.substr(0, stop));
            if (stop == std::string_view::npos) return;
            wider.write(behind[field]);
            wider.write(piece.substr(stop, 1));
            field = piece[stop] == ',' ? field + 1 : 0;
            piece.remove_prefix(stop + 1);
        }
    });
    wider.flush();
    sheet_->become(*next);
    sheet_->cut(end);
    size_ = end;
    header_ = header.size();
}

}  // namespace deltaflow::report
