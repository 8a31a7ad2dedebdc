// Extremes and integrals of smooth stretches, from samples that lie close to each other.
#include "engine/measure.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace deltaflow {

namespace {

struct Word {
    const char* name;
    MeasureKind kind;
};
constexpr Word words[] = {{"max", MeasureKind::max},     {"min", MeasureKind::min},
                          {"mean", MeasureKind::mean},   {"final", MeasureKind::final},
                          {"first", MeasureKind::first}, {"count", MeasureKind::count}};

std::string trimmed(const std::string& text) {
    const auto first = text.find_first_not_of(" \t");
    return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t") + 1 - first);
}

// The polynomial through up to five points (Newton).
class Fit {
public:
    Fit(std::span<const double> t, std::span<const double> value) : count_(t.size()) {
        for (std::size_t i = 0; i < count_; ++i) t_[i] = t[i], c_[i] = value[i];
        for (std::size_t k = 1; k < count_; ++k)
            for (std::size_t i = count_; i-- > k;) c_[i] = (c_[i] - c_[i - 1]) / (t_[i] - t_[i - k]);
    }
    double operator()(double t) const {
        double sum = c_[count_ - 1];
        for (std::size_t i = count_ - 1; i-- > 0;) sum = sum * (t - t_[i]) + c_[i];
        return sum;
    }

private:
    std::size_t count_;
    std::array<double, 5> t_{}, c_{};
};

// The nearest points around the interval from point i to the next.
Fit fit_around(const std::vector<double>& t, const std::vector<double>& value, std::size_t i,
               std::size_t most) {
    const std::size_t count = std::min(most, t.size()), before = (count - 1) / 2;
    const std::size_t first = std::min(i > before ? i - before : 0, t.size() - count);
    return {{t.data() + first, count}, {value.data() + first, count}};
}

// Gauss, three points: right for polynomials of the fifth degree.
double integral_of(const Fit& fit, double from, double to) {
    const double middle = (from + to) / 2, half = (to - from) / 2, off = half * std::sqrt(0.6);
    return half * (5 * fit(middle - off) + 8 * fit(middle) + 5 * fit(middle + off)) / 9;
}

// Where sign * fit is largest between two times.
double top_of(const Fit& fit, double from, double to, double sign) {
    constexpr double golden = 0.6180339887498949;
    for (int i = 0; i < 60 && to > from; ++i) {
        const double a = to - golden * (to - from), b = from + golden * (to - from);
        (sign * fit(a) < sign * fit(b) ? from : to) = sign * fit(a) < sign * fit(b) ? a : b;
    }
    return (from + to) / 2;
}

// May sign * value be largest between point i and the next? Then one of the two tops its neighbours.
bool is_near_top(const std::vector<double>& value, std::size_t i, double sign) {
    const auto tops = [&](std::size_t k) {
        return (k == 0 || sign * value[k] >= sign * value[k - 1]) &&
               (k + 1 == value.size() || sign * value[k] >= sign * value[k + 1]);
    };
    return tops(i) || tops(i + 1);
}

}  // namespace

std::string Measure::text() const {
    for (const Word& word : words)
        if (word.kind == kind) return std::string(word.name) + "(" + name + ")";
    return name;
}

std::optional<Measure> measure_of(const std::string& text) {
    const std::string whole = trimmed(text);
    const auto open = whole.find('(');
    if (open == std::string::npos || whole.back() != ')') return std::nullopt;
    const std::string word = trimmed(whole.substr(0, open));
    const std::string name = trimmed(whole.substr(open + 1, whole.size() - open - 2));
    if (name.empty() || name.find_first_of("()") != std::string::npos) return std::nullopt;
    for (const Word& known : words)
        if (word == known.name) return Measure{known.kind, name};
    return std::nullopt;
}

std::string measure_names() {
    std::string list;
    for (const Word& word : words) list += (list.empty() ? "" : ", ") + std::string(word.name);
    return list;
}

void Track::include(double value) {
    if (!std::isfinite(value)) return;
    high_ = high_ ? std::max(*high_, value) : value;
    low_ = low_ ? std::min(*low_, value) : value;
}

void Track::add(double t, double value) {
    last_ = value;
    if (!std::isfinite(value)) return close();
    if (!t_.empty() && t <= t_.back()) return;
    t_.push_back(t);
    value_.push_back(value);
    if (corner_ != t) return;
    corner_.reset();
    close();
    t_ = {t};
    value_ = {value};
}

void Track::add_instant(double t, double left, double right, double impulse) {
    if (!t_.empty()) add(t, left);
    close();
    add(t, right);
    integral_ += impulse;
}

// An extreme between samples counts where parabola and quartic agree about it; elsewhere there may be a
// corner.
void Track::close() {
    const std::size_t n = t_.size();
    for (const double value : value_) include(value);
    for (std::size_t i = 0; i + 1 < n; ++i) {
        const Fit fit = fit_around(t_, value_, i, 5);
        integral_ += integral_of(fit, t_[i], t_[i + 1]);
        if (n < 3) continue;
        const Fit rough = fit_around(t_, value_, i, 3);
        for (const double sign : {1.0, -1.0}) {
            if (!is_near_top(value_, i, sign)) continue;
            const double ends = std::max(sign * value_[i], sign * value_[i + 1]);
            const double at = top_of(fit, t_[i], t_[i + 1], sign), rise = sign * fit(at) - ends;
            if (rise > 0 && std::abs(fit(at) - rough(at)) <= 0.25 * rise) include(fit(at));
        }
    }
    t_.clear();
    value_.clear();
}

void Measurer::begin(const Trace& heading) {
    signal_count_ = heading.signals.size();
    tracks_.assign(measures_.size(), {});
    happenings_.assign(measures_.size(), {});
    for (const Measure& measure : measures_)
        signals_.push_back(
            static_cast<std::size_t>(std::find(heading.signals.begin(), heading.signals.end(), measure.name) -
                                     heading.signals.begin()));
}

// A sample at the time of an event is its right limit.
void Measurer::take(const Trace& part) {
    std::size_t k = 0;
    for (const Event& event : part.events) {
        for (; k < part.t.size() && part.t[k] < event.t; ++k) take_sample(part, k);
        take(part, event);
    }
    for (; k < part.t.size(); ++k) take_sample(part, k);
}

void Measurer::take_sample(const Trace& part, std::size_t k) {
    if (!start_) start_ = part.t[k];
    for (std::size_t m = 0; m < measures_.size(); ++m)
        if (signals_[m] < signal_count_) tracks_[m].add(part.t[k], part.samples[signals_[m]][k]);
}

bool Measurer::happens(const Trace& part, const Event& event, std::size_t measure) const {
    for (const std::string& cause : part.causes_of(event))
        if (cause == measures_[measure].name) return true;
    for (const Jump& jump : part.jumps_of(event))
        if (event.committed && jump.signal == signals_[measure])
            return jump.left != jump.right || jump.impulse_count > 0;
    return false;
}

// The solves of one instant of hyperdense time are one.
void Measurer::take(const Trace& part, const Event& event) {
    if (!start_) start_ = event.t;
    for (std::size_t m = 0; m < measures_.size(); ++m) {
        Happening& so_far = happenings_[m];
        if (happens(part, event, m) &&
            (so_far.count == 0 || event.t > so_far.t || event.epsilon > so_far.epsilon)) {
            if (so_far.count++ == 0) so_far.first = event.t;
            so_far.t = event.t;
            so_far.epsilon = event.epsilon;
        }
        if (!event.committed) continue;
        tracks_[m].add_corner(event.t);
        for (const Jump& jump : part.jumps_of(event))
            if (jump.signal == signals_[m]) {
                const auto impulses = part.impulses_of(jump);
                tracks_[m].add_instant(event.t, jump.left, jump.right, impulses.empty() ? 0 : impulses[0]);
            }
    }
}

std::optional<double> Measurer::result(std::size_t m, double end) const {
    const Track& track = tracks_[m];
    switch (measures_[m].kind) {
        case MeasureKind::max:
            return track.high();
        case MeasureKind::min:
            return track.low();
        case MeasureKind::mean:
            if (!start_ || !(end > *start_)) return track.last();
            return track.integral() / (end - *start_);
        case MeasureKind::final:
            return track.last();
        case MeasureKind::first:
            return happenings_[m].first;
        case MeasureKind::count:
            return static_cast<double>(happenings_[m].count);
    }
    return std::nullopt;
}

void Measurer::end(const Trace& closing) {
    for (std::size_t m = 0; m < measures_.size(); ++m) {
        Track& track = tracks_[m];
        if (signals_[m] < closing.last.size() && closing.last[signals_[m]])
            track.add(closing.end_t, *closing.last[signals_[m]]);
        track.close();
        results_.push_back(result(m, closing.end_t));
    }
}

}  // namespace deltaflow
