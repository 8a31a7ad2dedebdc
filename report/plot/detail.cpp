// Times that a page needs, and who is told of which.
#include "report/plot/detail.hpp"

#include "engine/run/samples.hpp"

#include <algorithm>

namespace deltaflow::report {

namespace {

// Evaluations of blocks that take no time worth noticing (about a second).
constexpr double most_evaluations = 1e8;
constexpr std::size_t samples_per_column = 4;

// The run may end early, at a time that nobody knows: from a ten thousandth of it on there is at least a
// sample a column of what has passed, and `samples_per_column` of them in the end.
std::vector<double> page_times(const Settings& s, std::size_t columns, const View& view) {
    const double start = std::max(s.start, view.from), stop = std::min(s.stop, view.to);
    const double span = stop - start, share = 1 / static_cast<double>(columns);
    const double least = 1e-4 * span * share, most = span * share / samples_per_column;
    std::vector<double> times;
    for (double passed = 0; passed < span; passed += std::clamp(passed * share, least, most))
        times.push_back(start + passed);
    times.push_back(stop);
    return times;
}

}  // namespace

SampleShares sample_for_page(FlatModel& model, std::size_t columns, const View& view) {
    Settings& s = model.settings;
    SampleShares shares;
    if (!(s.stop - s.start < HUGE_VAL) || !(s.stop > s.start)) return shares;
    const SampleTimes written(s);
    std::vector<double> page = page_times(s, columns, view);
    const bool whole = view.from <= s.start && view.to >= s.stop;
    if (whole && written.size() >= page.size()) return shares;
    shares.dense =
        static_cast<double>(page.size()) * static_cast<double>(model.user_blocks + 1) <= most_evaluations;
    if (!shares.dense) return shares;
    for (std::size_t k = 0; k < written.size(); ++k) shares.trace.push_back(written[k]);
    shares.page = std::move(page);
    s.at = shares.trace;
    s.at.insert(s.at.end(), shares.page.begin(), shares.page.end());
    std::sort(s.at.begin(), s.at.end());
    s.at.erase(std::unique(s.at.begin(), s.at.end()), s.at.end());
    return shares;
}

void SamplesAt::take(const Trace& part) {
    if (times_.empty()) return sink_.take(part);
    std::vector<std::size_t> kept;
    for (std::size_t k = 0; k < part.t.size(); ++k) {
        while (next_ < times_.size() && times_[next_] < part.t[k]) ++next_;
        for (; next_ < times_.size() && times_[next_] == part.t[k]; ++next_) kept.push_back(k);
    }
    if (kept.empty() && part.events.empty()) return;
    Trace chosen = part;
    chosen.t.clear();
    for (const std::size_t k : kept) chosen.t.push_back(part.t[k]);
    for (std::size_t s = 0; s < part.samples.size(); ++s) {
        chosen.samples[s].clear();
        for (const std::size_t k : kept) chosen.samples[s].push_back(part.samples[s][k]);
    }
    sink_.take(chosen);
}

}  // namespace deltaflow::report
