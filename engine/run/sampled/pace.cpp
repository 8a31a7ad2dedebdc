// Where samples stand.
#include "engine/run/sampled/pace.hpp"

#include "engine/limits.hpp"

#include <algorithm>
#include <cmath>

namespace deltaflow {

Pace::Pace(const Settings& settings, const Agenda& agenda)
    : agenda_(agenda),
      step_(to_double(*settings.step)),
      start_(settings.start),
      stop_(settings.stop),
      t_(settings.start) {}

double Pace::slack() const {
    return std::max(limits::same_sample * step_,
                    limits::same_time_ulps * rounding::unit * std::max(std::abs(t_), std::abs(stop_)));
}

bool Pace::is_grid(double t) const {
    return std::abs(start_ + std::round((t - start_) / step_) * step_ - t) <= slack();
}

Pace::Plan Pace::plan(double approach) const {
    Plan p{start_ + next_grid_ * step_, step_, false};
    if (!on_grid_) p.h = p.t - t_;
    const bool approached = approach <= t_ + slack();
    if (whole_steps_ > 0 ? own_pace_ : approached) {
        p = {approached ? approach + step_ : t_ + step_, step_, false};
    } else if (whole_steps_ == 0) {
        const double begin = std::min(approach, runs_.empty() ? HUGE_VAL : runs_.begin()->first);
        if (begin < p.t - slack()) p = {begin, begin - t_, false};
    }
    if (std::abs(p.t - stop_) <= slack()) p.t = stop_;
    const double due = agenda_.next();
    if (whole_steps_ == 0 && due < p.t - slack()) return {due, due - t_, true};
    p.due = due <= p.t + slack();
    return p;
}

double Pace::whole_step(double t, bool own_pace) const {
    if (own_pace || is_grid(t)) return step_;
    return start_ + (std::floor((t - start_) / step_) + 1) * step_ - t;
}

// The next sample is the first of these steps.
double Pace::step_after(double t) const {
    const int whole = whole_steps_ - 1;
    const double step = whole_step(t, whole > 0 && own_pace_);
    if (whole > 0) return step;
    double next = agenda_.next();
    if (const auto run = runs_.upper_bound(t + slack()); run != runs_.end())
        next = std::min(next, run->first);
    return next > t + slack() ? std::min(step, next - t) : step;
}

void Pace::keep(double from, int steps, bool now, const std::vector<double>& repeats) {
    own_pace_ = (own_pace_ && whole_steps_ > 0) || !is_grid(from);
    keep_whole(steps + (now ? 1 : 0));
    if (!own_pace_) return;
    for (const double by : repeats) {
        int& wanted = runs_[from + by];
        wanted = std::max(wanted, steps);
    }
}

int Pace::take_runs(double t) {
    int steps = 0;
    while (!runs_.empty() && runs_.begin()->first <= t + slack()) {
        if (runs_.begin()->first >= t - slack()) steps = std::max(steps, runs_.begin()->second);
        runs_.erase(runs_.begin());
    }
    return steps;
}

void Pace::count_step() {
    if (whole_steps_ > 0) --whole_steps_;
}

void Pace::go_on() {
    if (whole_steps_ == 0) own_pace_ = false;
    on_grid_ = is_grid(t_);
    while (start_ + next_grid_ * step_ <= t_ + slack()) ++next_grid_;
}

}  // namespace deltaflow
