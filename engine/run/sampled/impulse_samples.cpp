// Difference quotients of steps, and the past of a delay's input.
#include "engine/run/sampled/impulse_samples.hpp"

#include <algorithm>
#include <cmath>

namespace deltaflow {

void ImpulseSamples::strike(std::span<const double> impulses) {
    for (std::size_t i = 0; i < impulses.size(); ++i) jump_[i] += impulses[i];
    active_ = true;
}

void ImpulseSamples::strike(std::span<const double> impulses, std::span<const double> steps) {
    const std::size_t count = impulses.size();
    if (coming_.size() < count + 1) coming_.resize(count + 1, 0);
    for (std::size_t order = 0; order < count; ++order) {
        // The step that these samples arrive at after order + 1 sums.
        std::vector<double> w(2 * order + 2, 0);
        std::fill(w.begin() + static_cast<std::ptrdiff_t>(order) + 1, w.end(), impulses[order]);
        for (std::size_t pass = 0; pass <= order; ++pass)
            for (std::size_t j = 0; j + 1 + pass < w.size(); ++j) w[j] = (w[j + 1] - w[j]) * (1 / steps[j]);
        for (std::size_t j = 0; j <= order; ++j) coming_[j] += w[j];
    }
    active_ = true;
}

double ImpulseSamples::sample(double h) const {
    if (!active_) return 0;
    if (!coming_.empty()) return coming_.front();
    const double rate = 1 / h;
    double above = 0;
    for (std::size_t i = before_.size() - 1; i-- > 0;) above = (above - before_[i + 1] + jump_[i]) * rate;
    return above;
}

void ImpulseSamples::accept(double h) {
    if (!active_) return;
    active_ = false;
    if (!coming_.empty()) {
        coming_.erase(coming_.begin());
        active_ = std::any_of(coming_.begin(), coming_.end(), [](double u) { return u != 0; });
        if (!active_) coming_.clear();
        return;
    }
    const double rate = 1 / h;
    double above = 0;
    for (std::size_t i = before_.size() - 1; i-- > 0;) {
        const double here = (above - before_[i + 1] + jump_[i]) * rate;
        before_[i + 1] = above;
        jump_[i] = 0;
        above = here;
        active_ = active_ || before_[i + 1] != 0;
    }
    active_ = active_ || above != 0;
}

DelaySamples::DelaySamples(double by, double initial, double step)
    : by_(std::max(1.0, std::ceil(by / step - 1e-9)) * step), initial_(initial), slack_(1e-9 * step) {}

double DelaySamples::area(double from, double to) const {
    double sum = 0;
    if (first_ == 0) {
        const double begin = pieces_.empty() ? to : pieces_.front().from;
        if (from < begin) sum = initial_ * (std::min(to, begin) - from);
    }
    for (std::size_t i = first_; i < pieces_.size() && pieces_[i].from < to; ++i)
        sum += pieces_[i].u * std::max(0.0, std::min(to, pieces_[i].to) - std::max(from, pieces_[i].from));
    return sum;
}

double DelaySamples::sample(double from, double to) const {
    const double low = from - by_, high = to - by_;
    if (owed_ != 0) return (area(low, high) + owed_) / (to - from);
    // On one sample it is that sample, to the last bit.
    if (pieces_.empty() || high <= pieces_.front().from + slack_) return initial_;
    for (std::size_t i = first_; i < pieces_.size() && pieces_[i].from <= low + slack_; ++i)
        if (high <= pieces_[i].to + slack_ && low < pieces_[i].to - slack_) return pieces_[i].u;
    return area(low, high) / (to - from);
}

void DelaySamples::settle(double from, double planned, double to, double u) {
    const bool whole = std::abs(planned - to) <= slack_;
    owed_ = whole ? 0 : owed_ + area(from - by_, to - by_) - u * (to - from);
}

void DelaySamples::accept(double from, double to, double u) {
    if (!pieces_.empty()) pieces_.back().to = from;
    pieces_.push_back({from, to, u});
    // Keep one piece behind the oldest time that may be asked for.
    while (first_ + 1 < pieces_.size() && pieces_[first_ + 1].to < from - by_ - slack_) ++first_;
    if (first_ > 64 && 2 * first_ > pieces_.size()) {
        pieces_.erase(pieces_.begin(), pieces_.begin() + static_cast<std::ptrdiff_t>(first_));
        first_ = 0;
    }
}

}  // namespace deltaflow
