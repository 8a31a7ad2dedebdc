// How far axes reach.
#include "report/plot/picture.hpp"

#include <algorithm>
#include <cmath>

namespace deltaflow::report {

namespace {

bool has_impulses(const Panel& panel) {
    return std::any_of(panel.series.begin(), panel.series.end(), [](const Series& s) {
        return !s.curve.impulses.empty() || !s.curve.mythical_impulses.empty();
    });
}

Range values_of(const Panel& panel) {
    Range range{HUGE_VAL, -HUGE_VAL};
    for (const Series& s : panel.series)
        if (!s.curve.pieces.empty() || !s.curve.mythical.empty())
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

// Whole and half decades around the values above zero.
Range positive_range(const Panel& panel) {
    Range range{HUGE_VAL, 0};
    for (const Series& s : panel.series)
        for (const auto& piece : s.curve.pieces)
            for (const CurvePoint& p : piece)
                if (p.value > 0) range = {std::min(range.low, p.value), std::max(range.high, p.value)};
    if (range.high == 0) return {0.1, 10};
    const double margin = std::max(1.1, std::pow(range.high / range.low, 0.04));
    return {range.low / margin, range.high * margin};
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
        for (const auto* list : {&s.curve.impulses, &s.curve.mythical_impulses})
            for (const CurveImpulse& impulse : *list)
                if (impulse.order == order) reach.include(impulse.coefficient);
    return reach;
}

std::vector<std::size_t> impulse_orders(const Panel& panel) {
    std::set<std::size_t> orders;
    for (const Series& s : panel.series)
        for (const auto* list : {&s.curve.impulses, &s.curve.mythical_impulses})
            for (const CurveImpulse& impulse : *list) orders.insert(impulse.order);
    return {orders.begin(), orders.end()};
}

bool is_constant(const Panel& panel) { return is_one_number(values_of(panel)); }

Range across_of(const Panel& panel) {
    Range range{HUGE_VAL, -HUGE_VAL};
    for (const Series& s : panel.series)
        for (const auto& piece : s.curve.pieces)
            for (const CurvePoint& p : piece) range = {std::min(range.low, p.t), std::max(range.high, p.t)};
    if (!(range.low <= range.high)) range = {0, 0};
    if (is_one_number(range)) range = around(range.low);
    const double margin = 0.04 * (range.high - range.low);
    return {range.low - margin, range.high + margin};
}

Range time_range(const Picture& picture) {
    Range range = picture.time;
    if (!picture.view.log_time || range.low > 0) return range;
    if (range.high <= 0) return {0.1, 1};
    double first = range.high;
    for (const Panel& panel : picture.panels)
        for (const Series& s : panel.series)
            for (const auto& piece : s.curve.pieces)
                for (const CurvePoint& p : piece)
                    if (p.t > 0) first = std::min(first, p.t);
    return {first < range.high ? first : 1e-3 * range.high, range.high};
}

Range range_of(const Panel& panel, bool logarithmic) {
    if (logarithmic) return positive_range(panel);
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

namespace {

bool is_above(const CurvePoint& p) { return p.value > 0; }

bool reaches_zero(const Curve& curve) {
    return std::any_of(curve.pieces.begin(), curve.pieces.end(),
                       [](const auto& piece) { return !std::all_of(piece.begin(), piece.end(), is_above); });
}

bool is_struck(const Curve& curve) { return !curve.impulses.empty() || !curve.mythical_impulses.empty(); }

void cut(Curve& curve) {
    std::vector<std::vector<CurvePoint>> parts;
    for (const auto& piece : curve.pieces)
        for (auto first = piece.begin(), last = first; last != piece.end(); first = last) {
            first = std::find_if(first, piece.end(), is_above);
            last = std::find_if_not(first, piece.end(), is_above);
            if (first != last) parts.emplace_back(first, last);
        }
    curve.pieces = std::move(parts);
    std::erase_if(curve.mythical, [](const CurvePoint& p) { return !is_above(p); });
    curve.impulses.clear();
    curve.mythical_impulses.clear();
    measure(curve);
}

}  // namespace

bool wants_more_than_logarithm(const Picture& picture) {
    for (const Panel& panel : picture.panels)
        for (const Series& s : panel.series)
            if (reaches_zero(s.curve) || is_struck(s.curve)) return true;
    return false;
}

Picture for_logarithm(Picture picture) {
    for (Panel& panel : picture.panels)
        for (Series& s : panel.series) {
            const bool low = reaches_zero(s.curve), struck = is_struck(s.curve);
            if (low || struck)
                s.name += low && struck ? " (above 0, without impulses)"
                          : low         ? " (above 0)"
                                        : " (without impulses)";
            cut(s.curve);
        }
    return picture;
}

}  // namespace deltaflow::report
