// Looking a delayed signal up.
#include "engine/run/history.hpp"

#include "blocks/kernels.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace deltaflow {

void History::append(Piece piece) {
    if (piece.to > piece.from) pieces_.push_back(std::move(piece));
}

namespace {

double value_at(const History::Piece& piece, double t) {
    double sum = 0;
    for (std::size_t k = piece.c.size(); k-- > 0;) sum = sum * (t - piece.from) + piece.c[k];
    return sum;
}

bool is_as_good(const History::Piece& last, const History::Piece& next, double part) {
    const double h = next.to - next.from;
    for (const double s : {0.0, 0.3, 0.7, 1.0}) {
        const double t = next.from + s * h, x = value_at(next, t);
        const double size = std::max(std::abs(x), std::abs(last.c[0]));
        if (!(std::abs(value_at(last, t) - x) <= part * size)) return false;
    }
    return true;
}

}  // namespace

void History::append(Piece piece, double part) {
    if (!(piece.to > piece.from)) return;
    if (!sealed_ && !pieces_.empty() && pieces_.back().to == piece.from &&
        is_as_good(pieces_.back(), piece, part))
        pieces_.back().to = piece.to;
    else
        pieces_.push_back(std::move(piece));
    sealed_ = false;
}

void History::forget(double t) {
    while (pieces_.size() > 1 && pieces_[1].from < t - by_) pieces_.pop_front();
}

// Rounding of a time in the past.
double History::slack_at(double t) const { return 8e-16 * std::max(std::abs(t) + by_, 1e-300); }

const History::Piece* History::find(double t, bool before) const {
    // Pieces join at instants and step ends; a time within rounding of a join belongs to the side asked for.
    const double slack = slack_at(t);
    if (before ? t <= start_ + slack : t < start_ - slack) return nullptr;
    const Piece* found = nullptr;
    const auto after = std::lower_bound(pieces_.begin(), pieces_.end(), t, [&](const Piece& p, double at) {
        return before ? p.to < at - slack : p.to <= at + slack;
    });
    if (after != pieces_.end())
        found = &*after;
    else if (!pieces_.empty())
        found = &pieces_.back();
    return found;
}

void History::rungs(double t, bool before, std::span<double> out) const {
    rungs_on(find(t - by_, before), t, out);
}

void History::rungs_in_step(double start, double t, std::span<double> out) const {
    rungs_on(find(start - by_, false), t, out);
}
void History::rungs_in_step(double start, const Interval& t, std::span<Interval> out) const {
    rungs_on(find(start - by_, false), t, out);
}

namespace {

// So near to an end of its piece a time is there: a signal may be steep.
double without_rounding(double s, const History::Piece& piece, double slack) {
    if (std::abs(s) <= slack) return 0;
    return std::abs(s - (piece.to - piece.from)) <= slack ? piece.to - piece.from : s;
}

}  // namespace

template <class S>
void History::rungs_on(const Piece* piece, const S& t, std::span<S> out) const {
    std::fill(out.begin(), out.end(), S(0));
    if (!piece) {
        out[0] = S(initial_);
        return;
    }
    S s = t - S(by_) - S(piece->from);
    if constexpr (std::is_same_v<S, double>) s = without_rounding(s, *piece, slack_at(t - by_));
    const int n = static_cast<int>(piece->c.size()) - 1;
    for (int k = 0; k < static_cast<int>(out.size()) && k <= n; ++k) {
        kernel::Binomial<S> binomial = 1;
        S sum = S(0);
        for (int j = k + 1; j <= n; ++j) binomial = binomial * j / (j - k);
        for (int j = n; j >= k; --j) {
            sum = sum * s + S(binomial) * S(piece->c[j]);
            if (j > k) binomial = binomial * (j - k) / j;
        }
        out[k] = sum;
    }
}

double History::horizon(double t) const {
    if (t - by_ < start_ - slack_at(t - by_)) return std::min(start_ - (t - by_), by_);
    const Piece* piece = find(t - by_, false);
    if (!piece) return by_;
    const double rest = piece->to - (t - by_);
    return rest > 0 ? std::min(rest, by_) : by_;
}

std::vector<double> History::impulses_at(double t, double tolerance) const {
    std::vector<double> sum;
    for (const Impulse& impulse : impulses_) {
        if (std::abs(impulse.at - t) > tolerance) continue;
        sum.resize(std::max(sum.size(), impulse.coefficients.size()), 0.0);
        for (std::size_t i = 0; i < impulse.coefficients.size(); ++i) sum[i] += impulse.coefficients[i];
    }
    return sum;
}

std::vector<double> History::arrive(double t, double tolerance) {
    std::vector<double> sum;
    for (; !impulses_.empty() && impulses_.front().at + by_ <= t + tolerance; impulses_.pop_front()) {
        const std::vector<double>& c = impulses_.front().coefficients;
        sum.resize(std::max(sum.size(), c.size()), 0.0);
        for (std::size_t i = 0; i < c.size(); ++i) sum[i] += c[i];
    }
    return sum;
}

}  // namespace deltaflow
