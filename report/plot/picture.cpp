// Chooses what to show of a trace.
#include "report/plot/picture.hpp"

#include "report/text/notation.hpp"
#include "report/write/instants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace deltaflow::report {

namespace {

// More than these nobody can tell apart.
constexpr std::size_t most_panels = 12, most_chosen_panels = 48, most_series = 16;
constexpr std::size_t causes_told = 4;
// While a run goes on, a column of the page.
constexpr std::size_t room_for_points = 16, room_for_occasions = 4;

// "many.*" stands for all names that begin with "many.".
bool fits(const std::string& name, const std::string& pattern) {
    const bool open = pattern.size() > 2 && pattern.ends_with(".*");
    return open ? name.starts_with(pattern.substr(0, pattern.size() - 1)) : name == pattern;
}

using Indices = std::vector<std::size_t>;

Indices signals_of(const Trace& trace, const Group& group) {
    Indices found;
    for (const std::string& pattern : group)
        for (std::size_t s = 0; s < trace.signals.size(); ++s)
            if (fits(trace.signals[s], pattern) && std::count(found.begin(), found.end(), s) == 0)
                found.push_back(s);
    return found;
}

std::vector<Indices> chosen(const Trace& trace, const std::vector<Group>& groups) {
    std::vector<Indices> panels;
    for (const Group& group : groups) panels.push_back(signals_of(trace, group));
    if (groups.empty())
        for (std::size_t s = 0; s < trace.signals.size(); ++s) panels.push_back({s});
    return panels;
}

// "t = 1.5: hit", "t = 2: touch, slip; 2 commits, 1 mythical mode".
std::string text_of(const Trace& trace, const Instant& instant, const Occasion& occasion) {
    std::vector<std::string> causes;
    for (const Event& event : instant.events)
        for (const std::string& cause : trace.causes_of(event))
            if (std::count(causes.begin(), causes.end(), cause) == 0) causes.push_back(cause);
    std::string text = fmt::format("t = {}", time_text(instant.t));
    if (!causes.empty()) text += ": " + list_text(causes, causes_told, ", ");
    if (!occasion.hyperdense()) return text;
    text += fmt::format("; {} commit{}", occasion.commits, occasion.commits == 1 ? "" : "s");
    if (occasion.mythical > 0)
        text += fmt::format(", {} mythical mode{}", occasion.mythical, occasion.mythical == 1 ? "" : "s");
    return text;
}

// Of those in a column the first is kept, and the first with several modes.
void thin_occasions(std::vector<Occasion>& all, const Columns& columns) {
    std::set<std::pair<long, bool>> seen;
    std::erase_if(all, [&](const Occasion& o) {
        const bool first = seen.emplace(columns.of(o.t), false).second;
        return !(o.hyperdense() && seen.emplace(columns.of(o.t), true).second) && !first;
    });
}

// With both names of "x:y".
std::vector<std::string> names_in(const Group& group) {
    std::vector<std::string> names;
    for (const std::string& pattern : group)
        if (const auto phase = phase_names(pattern)) {
            names.push_back(phase->first);
            names.push_back(phase->second);
        } else {
            names.push_back(pattern);
        }
    return names;
}

}  // namespace

std::vector<std::string> unrecorded(const std::vector<std::string>& recorded,
                                    const std::vector<Group>& groups) {
    std::vector<std::string> missing;
    for (const Group& group : groups)
        for (const std::string& pattern : names_in(group))
            if (std::none_of(recorded.begin(), recorded.end(),
                             [&](const std::string& name) { return fits(name, pattern); }))
                missing.push_back(pattern);
    return missing;
}

Sketch::Sketch(std::vector<Group> groups, std::size_t columns, bool dense, const View& view)
    : groups_(std::move(groups)), columns_(columns), dense_(dense) {
    heading_.view = view;
}

void Sketch::add_panels(const Trace& heading) {
    auto panels = chosen(heading, groups_);
    const std::size_t room = std::min(panels.size(), groups_.empty() ? most_panels : most_chosen_panels);
    for (std::size_t p = room; p < panels.size(); ++p) heading_.left_out += panels[p].size();
    panels.resize(room);
    for (std::size_t p = 0; p < panels.size(); ++p) {
        auto& signals = panels[p];
        Signals panel{{}, signals.size() - std::min(signals.size(), most_series)};
        signals.resize(signals.size() - panel.left_out);
        panel.drawn = std::move(signals);
        if (!groups_.empty())
            for (const std::string& pattern : groups_[p])
                if (const auto phase = phase_names(pattern)) {
                    const auto place = [&](const std::string& name) {
                        return static_cast<std::size_t>(std::find(names_.begin(), names_.end(), name) -
                                                        names_.begin());
                    };
                    if (place(phase->first) == names_.size() || place(phase->second) == names_.size())
                        continue;
                    panel.phases.push_back(phases_.size());
                    phases_.emplace_back(place(phase->first), place(phase->second));
                    phase_names_.push_back(*phase);
                }
        if (!panel.drawn.empty() || !panel.phases.empty()) panels_.push_back(std::move(panel));
    }
}

void Sketch::begin(const Trace& heading) {
    heading_.title = heading.model;
    names_ = heading.signals;
    add_panels(heading);
    std::vector<bool> wanted(names_.size(), false);
    for (const Signals& panel : panels_)
        for (const std::size_t s : panel.drawn) wanted[s] = true;
    for (std::size_t s = 0; s < names_.size(); ++s)
        if (wanted[s]) signals_.push_back(s);
    pens_.resize(signals_.size());
    pen_of_.assign(names_.size(), pens_.size());
    for (std::size_t i = 0; i < signals_.size(); ++i) pen_of_[signals_[i]] = i;
}

void Sketch::take(const Trace& part) {
    for (const Instant& instant : instants(part)) {
        if (instant.t < heading_.view.from || instant.t > heading_.view.to) continue;
        for (PhasePen& phase : phases_) phase.add(part, instant);
        if (!first_) first_ = instant.t;
        last_ = instant.t;
        add(part, instant);
        if (!instant.events.empty()) add_occasion(part, instant);
    }
    thin();
}

void Sketch::add(const Trace& part, const Instant& instant) {
    std::vector<std::size_t> jumped;
    for (const Event& event : instant.events)
        for (const Jump& jump : part.jumps_of(event)) {
            const std::size_t i = pen_of_[jump.signal];
            if (i == pens_.size()) continue;
            if (!event.committed) {
                pens_[i].add_mythical(part, event.t, jump);
                continue;
            }
            pens_[i].add_jump(part, event.t, jump);
            jumped.push_back(i);
        }
    if (dense_ && !instant.events.empty())
        for (std::size_t i = 0; i < pens_.size(); ++i)
            if (std::find(jumped.begin(), jumped.end(), i) == jumped.end())
                pens_[i].add_corner(instant.t, !instant.sample);
    if (!instant.sample) return;
    for (std::size_t i = 0; i < pens_.size(); ++i)
        pens_[i].add_sample(instant.t, part.samples[signals_[i]][*instant.sample]);
}

void Sketch::add_occasion(const Trace& part, const Instant& instant) {
    Occasion occasion{instant.t, {}};
    for (const Event& event : instant.events) ++(event.committed ? occasion.commits : occasion.mythical);
    if (++occasions_ <= room_for_occasions * columns_ || occasion.hyperdense())
        occasion.text = text_of(part, instant, occasion);
    heading_.events.push_back(std::move(occasion));
}

// Columns half as wide as those of the page, as far as the run has come.
void Sketch::thin() {
    if (!first_) return;
    const Columns columns(*first_, last_, 2 * columns_);
    for (Pen& pen : pens_)
        if (pen.size() > room_for_points * columns_) pen.thin(columns);
    if (heading_.events.size() > room_for_occasions * columns_) thin_occasions(heading_.events, columns);
}

Picture Sketch::picture(std::size_t columns) const {
    Picture picture = heading_;
    const double first = std::max(first_.value_or(0), heading_.view.from);
    const double high = std::min(first_ ? std::max(end_, last_) : end_, heading_.view.to);
    picture.time = {first, high > first ? high : first + 1};
    const Columns page(first, last_, columns);
    for (const Signals& signals : panels_) {
        Panel panel;
        panel.left_out = signals.left_out;
        for (const std::size_t s : signals.drawn)
            panel.series.push_back({names_[s], pens_[pen_of_[s]].drawn(page)});
        for (const std::size_t p : signals.phases) {
            const auto& [across, up] = phase_names_[p];
            Curve curve = phases_[p].curve();
            std::erase_if(curve.pieces, [](const auto& piece) { return piece.empty(); });
            measure(curve);
            panel.series.push_back({up, std::move(curve)});
            if (panel.across.find(across) == std::string::npos)
                panel.across += (panel.across.empty() ? "" : ", ") + across;
        }
        picture.panels.push_back(std::move(panel));
    }
    return picture;
}

Picture overlaid(std::vector<Picture> runs, const std::vector<std::string>& labels) {
    Picture all = std::move(runs.front());
    for (Panel& panel : all.panels)
        for (Series& s : panel.series) s.name += ", " + labels.front();
    for (std::size_t r = 1; r < runs.size(); ++r) {
        all.time = {std::min(all.time.low, runs[r].time.low), std::max(all.time.high, runs[r].time.high)};
        for (std::size_t p = 0; p < std::min(all.panels.size(), runs[r].panels.size()); ++p)
            for (Series& s : runs[r].panels[p].series)
                all.panels[p].series.push_back({s.name + ", " + labels[r], std::move(s.curve)});
    }
    return all;
}

Picture picture_of(const Trace& trace, const std::vector<Group>& groups, std::size_t columns) {
    Sketch sketch(groups, columns, false);
    sketch.begin(trace);
    sketch.take(trace);
    sketch.end(trace);
    return sketch.picture(columns);
}

}  // namespace deltaflow::report
