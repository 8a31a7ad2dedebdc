// Difference quotients of steps, and the past of a delay's input.
#include "engine/impulse_samples.hpp"

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

DelaySamples::DelaySamples(double by, double initial, double start, double step, bool left)
    : by_(std::max(1.0, std::ceil(by / step - 1e-9)) * step),
      initial_(initial),
      begin_(left ? start : start - step),
      slack_(1e-9 * step),
      left_(left) {}

double DelaySamples::held(double t) const {
    double u = initial_;
    for (std::size_t i = first_; i < pieces_.size() && pieces_[i].to <= t + slack_; ++i) u = pieces_[i].u;
    return u;
}

double DelaySamples::mean(double from, double to) const {
    double sum = 0, at = begin_;
    if (from < begin_ - slack_) sum = initial_ * (std::min(to, begin_) - from);
    if (to <= begin_ + slack_) return initial_;
    for (std::size_t i = first_; i < pieces_.size(); ++i) {
        const double low = std::max(from, at), high = std::min(to, pieces_[i].to);
        at = pieces_[i].to;
        if (high - low <= slack_) continue;
        if (low - from <= slack_ && to - high <= slack_) return pieces_[i].u;
        sum += pieces_[i].u * (high - low);
    }
    return sum / (to - from);
}

double DelaySamples::sample(double t, double h) const {
    return left_ ? held(t - by_) : mean(t - h - by_, t - by_);
}

void DelaySamples::accept(double t, double u) {
    pieces_.push_back({t, u});
    // Keep one piece behind the oldest time that may be asked for.
    while (first_ + 1 < pieces_.size() && pieces_[first_ + 1].to <= t - by_ - slack_) {
        begin_ = pieces_[first_].to;
        ++first_;
    }
    if (first_ > 64 && 2 * first_ > pieces_.size()) {
        pieces_.erase(pieces_.begin(), pieces_.begin() + static_cast<std::ptrdiff_t>(first_));
        first_ = 0;
    }
}

}  // namespace deltaflow
