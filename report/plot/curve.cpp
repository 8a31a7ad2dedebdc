// Samples and limits at events, strung together.
#include "report/plot/curve.hpp"

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

}  // namespace

void measure(Curve& curve) {
    bool first = true;
    const auto include = [&](const Piece& piece) {
        for (const CurvePoint& point : piece) {
            curve.low = first ? point.value : std::min(curve.low, point.value);
            curve.high = first ? point.value : std::max(curve.high, point.value);
            first = false;
        }
    };
    for (const Piece& piece : curve.pieces) include(piece);
    include(curve.mythical);
}

void Pen::add(double t, double value) {
    if (curve_.pieces.empty()) curve_.pieces.emplace_back();
    Piece& piece = curve_.pieces.back();
    if (std::isfinite(value)) {
        piece.push_back({t, clamped(value)});
        ++points_;
    } else if (!piece.empty() && !joined_) {
        curve_.pieces.emplace_back();
        if (curve_.pieces.size() > most_pieces) join_pieces();
    }
}

void Pen::add_sample(double t, double value) {
    add(t, value);
    if (run_.size() == 2) run_.erase(run_.begin());
    run_.push_back({t, clamped(value)});
}

void Pen::add_jump(const Trace& trace, double t, const Jump& jump) {
    run_.clear();
    add(t, jump.left);
    if (jump.left != jump.right) {
        if (!joined_) curve_.pieces.emplace_back();
        add(t, jump.right);
    }
    if (curve_.pieces.size() > most_pieces) join_pieces();
    const auto impulses = trace.impulses_of(jump);
    for (std::size_t order = 0; order < impulses.size(); ++order)
        if (impulses[order] != 0 && std::isfinite(impulses[order]))
            curve_.impulses.push_back({t, clamped(impulses[order]), order});
}

void Pen::add_mythical(const Trace& trace, double t, const Jump& jump) {
    if (!std::isfinite(jump.right)) return;
    if (++mythical_ > most_mythical) {
        curve_.mythical.clear();
        curve_.mythical_impulses.clear();
        return;
    }
    curve_.mythical.push_back({t, clamped(jump.right)});
    const auto impulses = trace.impulses_of(jump);
    for (std::size_t order = 0; order < impulses.size(); ++order)
        if (impulses[order] != 0 && std::isfinite(impulses[order]))
            curve_.mythical_impulses.push_back({t, clamped(impulses[order]), order});
}

void Pen::add_corner(double t, bool tell) {
    if (tell && run_.size() == 2 && run_[1].t > run_[0].t) {
        const double slope = (run_[1].value - run_[0].value) / (run_[1].t - run_[0].t);
        if (std::isfinite(slope)) add(t, run_[1].value + slope * (t - run_[1].t));
    }
    run_.clear();
}

void Pen::join_pieces() {
    std::erase_if(curve_.pieces, [](const Piece& piece) { return piece.empty(); });
    if (curve_.pieces.size() <= most_pieces) return;
    Piece all;
    for (const Piece& piece : curve_.pieces) all.insert(all.end(), piece.begin(), piece.end());
    curve_.pieces = {std::move(all)};
    joined_ = true;
}

void Pen::thin(const Columns& columns) {
    points_ = 0;
    for (Piece& piece : curve_.pieces) {
        piece = thinned(piece, columns);
        points_ += piece.size();
    }
    thin_impulses(curve_, columns);
}

Curve Pen::drawn(const Columns& columns) const {
    Pen copy = *this;
    std::erase_if(copy.curve_.pieces, [](const Piece& piece) { return piece.empty(); });
    copy.thin(columns);
    measure(copy.curve_);
    return std::move(copy.curve_);
}

}  // namespace deltaflow::report
