// A run as it is drawn: curves in pieces, impulses, events; all of it, or a window of time.
#include "report/plot/picture.hpp"

#include "web/json.hpp"

#include <algorithm>

namespace deltaflow::web {

namespace {

using namespace report;

Json number_json(double x) { return std::isfinite(x) ? Json(x) : Json(); }

Json curve_json(const Series& series) {
    Json pieces = Json::array(), impulses = Json::array(), mythical = Json::array();
    for (const auto& piece : series.curve.pieces) {
        Json points = Json::array();
        for (const CurvePoint& p : piece) points.push_back(p.t), points.push_back(p.value);
        pieces.push_back(std::move(points));
    }
    for (const CurveImpulse& i : series.curve.impulses) impulses.push_back({i.t, i.coefficient, i.order});
    for (const CurvePoint& p : series.curve.mythical) mythical.push_back({p.t, p.value});
    return {{"name", series.name},
            {"pieces", std::move(pieces)},
            {"impulses", std::move(impulses)},
            {"mythical", std::move(mythical)}};
}

Json panel_json(const Panel& panel) {
    Json series = Json::array(), reaches = Json::array();
    for (const Series& s : panel.series) series.push_back(curve_json(s));
    for (const std::size_t order : impulse_orders(panel)) {
        const Reach reach = reach_of(panel, order);
        reaches.push_back({{"order", order}, {"up", reach.up}, {"down", reach.down}});
    }
    const Range range = range_of(panel);
    return {{"series", std::move(series)},
            {"low", number_json(range.low)},
            {"high", number_json(range.high)},
            {"reaches", std::move(reaches)},
            {"left_out", panel.left_out}};
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

Json picture_json(const Picture& picture) {
    Json panels = Json::array(), events = Json::array(), sliding = Json::array();
    for (const Panel& panel : picture.panels) panels.push_back(panel_json(panel));
    for (const Occasion& o : picture.events)
        events.push_back({{"t", o.t}, {"text", o.text}, {"hyperdense", o.hyperdense()}});
    for (const SlidingInterval& s : picture.sliding)
        sliding.push_back({{"block", s.block}, {"from", s.from}, {"to", s.to}});
    return {{"from", picture.time.low},    {"to", picture.time.high},       {"panels", std::move(panels)},
            {"events", std::move(events)}, {"sliding", std::move(sliding)}, {"left_out", picture.left_out}};
}

}  // namespace deltaflow::web
