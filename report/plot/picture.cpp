// Chooses what to show of a trace.
#include "report/plot/picture.hpp"

#include "report/text/notation.hpp"
#include "report/write/instants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace deltaflow::report {

namespace {

// More than these nobody can tell apart.
constexpr std::size_t most_panels = 12, most_chosen_panels = 48, most_series = 16;
constexpr std::size_t causes_told = 4;

// "many.*" stands for all names that begin with "many.".
bool fits(const std::string& name, const std::string& pattern) {
    const bool open = pattern.size() > 2 && pattern.ends_with(".*");
    return open ? name.starts_with(pattern.substr(0, pattern.size() - 1)) : name == pattern;
}

using Signals = std::vector<std::size_t>;

Signals signals_of(const Trace& trace, const Group& group) {
    Signals found;
    for (const std::string& pattern : group)
        for (std::size_t s = 0; s < trace.signals.size(); ++s)
            if (fits(trace.signals[s], pattern) && std::count(found.begin(), found.end(), s) == 0)
                found.push_back(s);
    return found;
}

std::vector<Signals> chosen(const Trace& trace, const std::vector<Group>& groups) {
    std::vector<Signals> panels;
    for (const Group& group : groups) panels.push_back(signals_of(trace, group));
    if (groups.empty())
        for (std::size_t s = 0; s < trace.signals.size(); ++s) panels.push_back({s});
    std::erase(panels, Signals{});
    return panels;
}

Panel panel_of(const Trace& trace, Signals signals, std::size_t columns) {
    Panel panel;
    panel.left_out = signals.size() - std::min(signals.size(), most_series);
    signals.resize(signals.size() - panel.left_out);
    std::vector<Curve> drawn = curves(trace, signals, columns);
    for (std::size_t i = 0; i < signals.size(); ++i)
        panel.series.push_back({trace.signals[signals[i]], std::move(drawn[i])});
    return panel;
}

Range time_of(const Trace& trace) {
    double low = trace.t.empty() ? 0 : trace.t.front(), high = trace.end_t;
    if (!trace.t.empty()) high = std::max(high, trace.t.back());
    if (!trace.events.empty()) low = std::min(low, trace.events.front().t);
    return {low, high > low ? high : low + 1};
}

// "t = 1.5: hit", "t = 2: touch, slip; 2 commits, 1 mythical mode".
std::string text_of(const Trace& trace, const Instant& instant, const Occasion& occasion) {
    std::vector<std::string> causes;
    for (const Event& event : instant.events)
        for (const std::string& cause : trace.causes_of(event))
            if (std::count(causes.begin(), causes.end(), cause) == 0) causes.push_back(cause);
    std::string text = fmt::format("t = {}", time_text(instant.t));
    if (!causes.empty()) text += ": " + list_text(causes, causes_told, ", ");
    if (!occasion.hyperdense()) return text;
    text += fmt::format("; {} commit{}", occasion.commits, occasion.commits == 1 ? "" : "s");
    if (occasion.mythical > 0)
        text += fmt::format(", {} mythical mode{}", occasion.mythical, occasion.mythical == 1 ? "" : "s");
    return text;
}

std::vector<Occasion> occasions_of(const Trace& trace) {
    std::vector<Occasion> result;
    for (const Instant& instant : instants(trace)) {
        if (instant.events.empty()) continue;
        Occasion occasion{instant.t, {}};
        for (const Event& event : instant.events) ++(event.committed ? occasion.commits : occasion.mythical);
        occasion.text = text_of(trace, instant, occasion);
        result.push_back(std::move(occasion));
    }
    return result;
}

bool has_impulses(const Panel& panel) {
    return std::any_of(panel.series.begin(), panel.series.end(),
                       [](const Series& s) { return !s.curve.impulses.empty(); });
}

Range values_of(const Panel& panel) {
    Range range{HUGE_VAL, -HUGE_VAL};
    for (const Series& s : panel.series)
        if (!s.curve.pieces.empty())
            range = {std::min(range.low, s.curve.low), std::max(range.high, s.curve.high)};
    return range.low <= range.high ? range : Range{0, 0};
}

// What differs by rounding only is one number.
bool is_one_number(const Range& range) {
    return range.high - range.low <= 1e-12 * std::max(std::abs(range.low), std::abs(range.high));
}

// Arrows stand on zero and want nearly half of the panel on their side of it.
Range range_with_arrows(Range range, const Reach& reach) {
    range = {std::min(range.low, 0.0), std::max(range.high, 0.0)};
    if (range.low == range.high) range = {reach.down > 0 ? -1.0 : -0.1, reach.up > 0 ? 1.0 : 0.1};
    constexpr double share = 0.45 / 0.55;
    if (reach.up > 0) range.high = std::max(range.high, -range.low * share);
    if (reach.down > 0) range.low = std::min(range.low, -range.high * share);
    return range;
}

Range around(double value) {
    const double half = value == 0 ? 1 : std::abs(value) / 2;
    return {value - half, value + half};
}

}  // namespace

void Reach::include(double coefficient) {
    up = std::max(up, coefficient);
    down = std::max(down, -coefficient);
}

Reach reach_of(const Panel& panel, std::size_t order) {
    Reach reach;
    for (const Series& s : panel.series)
        for (const CurveImpulse& impulse : s.curve.impulses)
            if (impulse.order == order) reach.include(impulse.coefficient);
    return reach;
}

std::vector<std::size_t> impulse_orders(const Panel& panel) {
    std::set<std::size_t> orders;
    for (const Series& s : panel.series)
        for (const CurveImpulse& impulse : s.curve.impulses) orders.insert(impulse.order);
    return {orders.begin(), orders.end()};
}

bool is_constant(const Panel& panel) { return is_one_number(values_of(panel)); }

Range range_of(const Panel& panel) {
    Range range = panel.range.value_or(values_of(panel));
    if (has_impulses(panel)) {
        Reach reach;
        for (const std::size_t order : impulse_orders(panel)) {
            const Reach of_order = reach_of(panel, order);
            reach = {std::max(reach.up, of_order.up), std::max(reach.down, of_order.down)};
        }
        range = range_with_arrows(range, reach);
    } else if (is_one_number(range)) {
        range = around(range.low);
    }
    const double margin = 0.06 * (range.high - range.low);
    return {range.low - margin, range.high + margin};
}

std::vector<std::string> unrecorded(const std::vector<std::string>& recorded,
                                    const std::vector<Group>& groups) {
    std::vector<std::string> missing;
    for (const Group& group : groups)
        for (const std::string& pattern : group)
            if (std::none_of(recorded.begin(), recorded.end(),
                             [&](const std::string& name) { return fits(name, pattern); }))
                missing.push_back(pattern);
    return missing;
}

Picture picture_of(const Trace& trace, const std::vector<Group>& groups, std::size_t columns) {
    Picture picture{trace.model, time_of(trace), {}, occasions_of(trace)};
    std::vector<Signals> panels = chosen(trace, groups);
    const std::size_t room = std::min(panels.size(), groups.empty() ? most_panels : most_chosen_panels);
    for (std::size_t p = room; p < panels.size(); ++p) picture.left_out += panels[p].size();
    panels.resize(room);
    for (Signals& signals : panels) picture.panels.push_back(panel_of(trace, std::move(signals), columns));
    return picture;
}

}  // namespace deltaflow::report
