// Samples and limits at events, strung together signal by signal.
#include "report/plot/curve.hpp"

#include "report/write/instants.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace deltaflow::report {

namespace {

using Piece = std::vector<CurvePoint>;

// More pieces than this cannot be told apart on the page; they are joined before thinning.
constexpr std::size_t most_pieces = 1500;

// More of these would be a cloud.
constexpr std::size_t most_mythical = 24;

// Differences of larger ones might not be finite; they are drawn as this.
constexpr double largest = 5e307;

double clamped(double value) { return std::clamp(value, -largest, largest); }

void add_point(Curve& curve, double t, double value) {
    if (curve.pieces.empty()) curve.pieces.emplace_back();
    Piece& piece = curve.pieces.back();
    if (std::isfinite(value))
        piece.push_back({t, clamped(value)});
    else if (!piece.empty())
        curve.pieces.emplace_back();
}

void add_jump(Curve& curve, const Trace& trace, double t, const Jump& jump) {
    add_point(curve, t, jump.left);
    if (jump.left != jump.right) {
        curve.pieces.emplace_back();
        add_point(curve, t, jump.right);
    }
    const auto impulses = trace.impulses_of(jump);
    for (std::size_t order = 0; order < impulses.size(); ++order)
        if (impulses[order] != 0 && std::isfinite(impulses[order]))
            curve.impulses.push_back({t, clamped(impulses[order]), order});
}

// Curves of some signals of a trace, under way.
struct Drawn {
    const Trace& trace;
    std::span<const std::size_t> signals;
    std::vector<Curve> curves;
    std::vector<std::size_t> curve_of;  // per signal of the trace; how many curves there are if it has none

    Drawn(const Trace& t, std::span<const std::size_t> wanted)
        : trace(t), signals(wanted), curves(wanted.size()), curve_of(t.signals.size(), wanted.size()) {
        for (std::size_t i = 0; i < signals.size(); ++i) curve_of[signals[i]] = i;
    }
    void add(const Event& event) {
        for (const Jump& jump : trace.jumps_of(event)) {
            if (curve_of[jump.signal] == curves.size()) continue;
            Curve& curve = curves[curve_of[jump.signal]];
            if (event.committed)
                add_jump(curve, trace, event.t, jump);
            else if (std::isfinite(jump.right))
                curve.mythical.push_back({event.t, clamped(jump.right)});
        }
    }
    void add(const Instant& instant) {
        for (const Event& event : instant.events) add(event);
        if (!instant.sample) return;
        for (std::size_t i = 0; i < signals.size(); ++i)
            add_point(curves[i], instant.t, trace.samples[signals[i]][*instant.sample]);
    }
};

// Which column of the page a time falls into.
struct Columns {
    double start, width;
    long of(double t) const { return width > 0 ? static_cast<long>((t - start) / width) : 0; }
};

// First, lowest, highest and last point of each column are all that can be seen.
Piece thinned(const Piece& piece, const Columns& columns) {
    Piece kept;
    const auto by_value = [](const CurvePoint& a, const CurvePoint& b) { return a.value < b.value; };
    for (auto first = piece.begin(); first != piece.end();) {
        const long column = columns.of(first->t);
        const auto last =
            std::find_if(first, piece.end(), [&](const auto& p) { return columns.of(p.t) != column; });
        auto [low, high] = std::minmax_element(first, last, by_value);
        if (high < low) std::swap(low, high);
        for (const auto point : {first, low, high, last - 1})
            if (kept.empty() || kept.back().t != point->t || kept.back().value != point->value)
                kept.push_back(*point);
        first = last;
    }
    return kept;
}

void join_pieces(Curve& curve) {
    Piece all;
    for (const Piece& piece : curve.pieces) all.insert(all.end(), piece.begin(), piece.end());
    curve.pieces = {std::move(all)};
}

// Of the impulses of one order in one column the largest upwards and the largest downwards are drawn, and
// whatever else comes at the very time of one of them.
void thin_impulses(Curve& curve, const Columns& columns) {
    std::map<std::tuple<std::size_t, long, bool>, CurveImpulse> largest;
    const auto place_of = [&](const CurveImpulse& i) {
        return std::tuple(i.order, columns.of(i.t), i.coefficient > 0);
    };
    for (const CurveImpulse& impulse : curve.impulses) {
        const auto [place, fresh] = largest.try_emplace(place_of(impulse), impulse);
        if (!fresh && std::abs(impulse.coefficient) > std::abs(place->second.coefficient))
            place->second = impulse;
    }
    std::erase_if(curve.impulses, [&](const CurveImpulse& i) { return largest.at(place_of(i)).t != i.t; });
}

void thin(Curve& curve, const Columns& columns) {
    std::erase_if(curve.pieces, [](const Piece& piece) { return piece.empty(); });
    if (curve.pieces.size() > most_pieces) join_pieces(curve);
    for (Piece& piece : curve.pieces) piece = thinned(piece, columns);
    thin_impulses(curve, columns);
    if (curve.mythical.size() > most_mythical) curve.mythical.clear();
}

void measure(Curve& curve) {
    bool first = true;
    for (const Piece& piece : curve.pieces)
        for (const CurvePoint& point : piece) {
            curve.low = first ? point.value : std::min(curve.low, point.value);
            curve.high = first ? point.value : std::max(curve.high, point.value);
            first = false;
        }
}

}  // namespace

std::vector<Curve> curves(const Trace& trace, std::span<const std::size_t> signals, std::size_t columns) {
    Drawn drawn(trace, signals);
    const std::vector<Instant> all = instants(trace);
    for (const Instant& instant : all) drawn.add(instant);
    const double start = all.empty() ? 0 : all.front().t, end = all.empty() ? 0 : all.back().t;
    for (Curve& curve : drawn.curves) {
        thin(curve, {start, (end - start) / static_cast<double>(columns)});
        measure(curve);
    }
    return std::move(drawn.curves);
}

}  // namespace deltaflow::report
