// A run as it is drawn: curves in pieces, impulses, events; all of it, or a window of time.
#include "report/plot/picture.hpp"

#include "blocks/json_text.hpp"
#include "web/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace deltaflow::web {

namespace {

using namespace report;

// Written as text at once: while a slider moves, this is most of what an answer holds.
using Text = fmt::memory_buffer;

void add(Text& text, std::string_view words) { text.append(words.data(), words.data() + words.size()); }

void add_number(Text& text, double x) {
    if (std::isfinite(x))
        fmt::format_to(fmt::appender(text), "{}", x);
    else
        add(text, "null");
}

template <class Items, class Add>
void add_list(Text& text, const Items& items, Add add_item) {
    add(text, "[");
    bool first = true;
    for (const auto& item : items) {
        if (!std::exchange(first, false)) add(text, ",");
        add_item(item);
    }
    add(text, "]");
}

void add_numbers(Text& text, std::initializer_list<double> numbers) {
    add_list(text, numbers, [&](double x) { add_number(text, x); });
}

// [t, value, t, value, ...]
void add_piece(Text& text, const std::vector<CurvePoint>& piece) {
    add_list(text, piece, [&](const CurvePoint& p) {
        add_number(text, p.t);
        add(text, ",");
        add_number(text, p.value);
    });
}

void add_series(Text& text, const Series& series) {
    add(text, "{\"name\":");
    add(text, json_text::string(series.name));
    add(text, ",\"pieces\":");
    add_list(text, series.curve.pieces, [&](const auto& piece) { add_piece(text, piece); });
    add(text, ",\"impulses\":");
    add_list(text, series.curve.impulses, [&](const CurveImpulse& i) {
        add_numbers(text, {i.t, i.coefficient, static_cast<double>(i.order)});
    });
    add(text, ",\"mythical\":");
    add_list(text, series.curve.mythical, [&](const CurvePoint& p) { add_numbers(text, {p.t, p.value}); });
    add(text, "}");
}

void add_panel(Text& text, const Panel& panel) {
    add(text, "{\"series\":");
    add_list(text, panel.series, [&](const Series& s) { add_series(text, s); });
    const Range range = range_of(panel);
    add(text, ",\"low\":");
    add_number(text, range.low);
    add(text, ",\"high\":");
    add_number(text, range.high);
    add(text, ",\"reaches\":");
    add_list(text, impulse_orders(panel), [&](std::size_t order) {
        const Reach reach = reach_of(panel, order);
        fmt::format_to(fmt::appender(text), "{{\"order\":{},\"up\":{},\"down\":{}}}", order, reach.up,
                       reach.down);
    });
    fmt::format_to(fmt::appender(text), ",\"left_out\":{}}}", panel.left_out);
}

}  // namespace

Trace within(Trace trace, double from, double to) {
    const auto inside = [&](double t) { return t >= from && t <= to; };
    std::size_t kept = 0;
    for (std::size_t i = 0; i < trace.t.size(); ++i) {
        if (!inside(trace.t[i])) continue;
        for (auto& values : trace.samples) values[kept] = values[i];
        trace.t[kept++] = trace.t[i];
    }
    trace.t.resize(kept);
    for (auto& values : trace.samples) values.resize(kept);
    std::erase_if(trace.events, [&](const Event& e) { return !inside(e.t); });
    trace.end_t = std::min(trace.end_t, to);
    return trace;
}

std::string picture_text(const Picture& picture) {
    Text text;
    add(text, "{\"panels\":");
    add_list(text, picture.panels, [&](const Panel& panel) { add_panel(text, panel); });
    Json events = Json::array(), sliding = Json::array();
    for (const Occasion& o : picture.events)
        events.push_back({{"t", o.t}, {"text", o.text}, {"hyperdense", o.hyperdense()}});
    for (const SlidingInterval& s : picture.sliding)
        sliding.push_back({{"block", s.block}, {"from", s.from}, {"to", s.to}});
    fmt::format_to(fmt::appender(text),
                   ",\"from\":{},\"to\":{},\"events\":{},\"sliding\":{},\"left_out\":{}}}", picture.time.low,
                   picture.time.high, dumped(events), dumped(sliding), picture.left_out);
    return fmt::to_string(text);
}

}  // namespace deltaflow::web
