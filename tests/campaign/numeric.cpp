// Runs on samples of some lengths, each a quarter of the one before.
#include "tests/campaign/numeric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace deltaflow::campaign {

namespace {

// Steps of a run, and where it is looked at: on samples of the longest of them.
constexpr std::array steps = {400, 1600, 6400, 25600};
constexpr int looks = 80;
// Around an event, as a part of the run: impulses occupy samples, and their times are off by some steps.
constexpr double around_event = 0.02;
// More events, or others that lie together, leave too little to compare.
constexpr std::size_t most_events = 12;
// Quotients of differences lose digits as steps become shorter: errors that begin small and rise so much.
constexpr double few_digits = 0.02, rise = 2;
// Of first order the error falls by 4; where an event lies between samples it may fall by less.
constexpr double fall = 2;
constexpr double exact = 1e-9, smallest_share = 1e-3;
// Times are known to some units in their last place, and signals may be steep.
constexpr double resolved = 2.3e-14;

std::vector<double> event_times(const Outcome& o) {
    std::vector<double> times;
    for (const Instant& event : o.events)
        if (times.empty() || event.t > times.back()) times.push_back(event.t);
    return times;
}

bool is_dense(std::vector<double> times, const Outcome& o) {
    if (times.size() > most_events) return true;
    times.insert(times.begin(), o.start);
    const double apart = 4.0 * (o.stop - o.start) / steps.front();
    for (std::size_t i = 1; i < times.size(); ++i)
        if (times[i] > times[i - 1] && times[i] - times[i - 1] < apart) return true;
    return false;
}

// The largest difference of a sample away from events, as a part of what the signal has shown.
struct Apart {
    double most = 0;
    std::string where;
};
Apart apart(const Outcome& symbolic, const Outcome& numeric, const std::vector<double>& events) {
    const double away = around_event * (symbolic.stop - symbolic.start);
    std::vector<double> sizes;
    for (const auto& row : symbolic.samples) {
        double size = 0;
        for (const double x : row) size = std::max(size, std::abs(x));
        sizes.push_back(size);
    }
    const double largest = sizes.empty() ? 0 : *std::max_element(sizes.begin(), sizes.end());
    Apart worst;
    for (std::size_t k = 0; k < std::min(symbolic.t.size(), numeric.t.size()); ++k) {
        const double t = symbolic.t[k];
        if (std::any_of(events.begin(), events.end(), [&](double e) { return std::abs(e - t) < away; }))
            continue;
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            const double x = symbolic.samples[i][k], y = numeric.samples[i][k];
            const double error =
                x == y ? 0 : std::abs(x - y) / std::max({sizes[i], smallest_share * largest, 1e-290});
            if (error <= worst.most) continue;
            worst = {error, fmt::format("signal {} at t = {}: {} or {}", i, t, x, y)};
        }
    }
    return worst;
}

Plan on_samples(const std::vector<double>& at, double step) {
    Plan plan;
    plan.at = at;
    plan.most_steps = 100'000;
    plan.set = {{"simulation.impulses", "numeric"}, {"simulation.step", fmt::format("{}", step)}};
    return plan;
}

}  // namespace

Finding compare_numeric(const std::string& text, const Outcome& reference) {
    const double span = reference.stop - reference.start;
    const std::vector<double> events = event_times(reference);
    if (is_dense(events, reference)) return {"numeric", Verdict::skipped, "events denser than samples"};
    if (reference.slides)  // on samples a block that slides goes to and fro, however short they are
        return {"numeric", Verdict::skipped, "slides"};
    Plan plan;
    for (int k = 1; k <= looks; ++k) plan.at.push_back(reference.start + span * k / looks);
    const Outcome symbolic = run(text, plan);
    const auto is_zero = [](const std::vector<double>& row) {
        return std::all_of(row.begin(), row.end(), [](double x) { return x == 0; });
    };
    if (symbolic.code != 0 || std::all_of(symbolic.samples.begin(), symbolic.samples.end(), is_zero))
        return {"numeric", Verdict::skipped, "no run to compare with"};
    const double rounding =
        exact + resolved * std::max(std::abs(reference.start), std::abs(reference.stop)) / span;
    Apart last{HUGE_VAL, ""};
    std::string errors;
    for (const int count : steps) {
        const Outcome numeric = run(text, on_samples(plan.at, span / count));
        if (numeric.out_of_budget()) return {"numeric", Verdict::skipped, numeric.message};
        if (numeric.code != 0)
            return {"numeric", Verdict::refused, numeric.message.substr(0, numeric.message.find('\n'))};
        const Apart now = apart(symbolic, numeric, events);
        if (now.most <= rounding) return {"numeric", Verdict::agrees, ""};
        if (std::isfinite(last.most) && now.most * fall <= last.most)
            return {"numeric", Verdict::converges, ""};
        if (last.most <= few_digits && now.most >= rise * last.most)
            return {"numeric", Verdict::sensitive, "digits are lost"};
        errors += fmt::format(" {:.1e}", now.most);
        last = now;
    }
    // What Euler's method loses on such steps is not for impulses to answer.
    Plan euler = on_samples(plan.at, span / steps.back());
    euler.set.front() = {"simulation.method", "euler"};
    const Outcome stepped = run(text, euler);
    const bool too_long = stepped.code != 0 || apart(symbolic, stepped, events).most * 4 >= last.most;
    if (too_long) return {"numeric", Verdict::skipped, "steps are too long for the model"};
    return {"numeric", Verdict::differs, last.where + ", errors" + errors};
}

}  // namespace deltaflow::campaign
