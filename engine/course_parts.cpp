// Parts of one trace from what islands have left.
#include "engine/course.hpp"
#include "engine/limits.hpp"
#include "engine/solve/finite.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace deltaflow {

namespace {

// Roots of equal conditions in two islands may differ by rounding.
bool is_same_time(const Event& a, const Event& b) {
    return a.epsilon == b.epsilon && a.index == b.index &&
           std::abs(a.t - b.t) <= limits::same_time_ulps * rounding::unit * std::abs(b.t);
}

// The signal of a state stands for its automaton.
std::string name_of_cause(const FlatModel& model, NodeId n) {
    for (const auto& a : model.graph.automata)
        if (!a.signals.empty() && a.signals[0] == n) return a.name;
    return model.naming->name(n);
}

}  // namespace

// Gives each node that caused something its name, once.
std::uint32_t Course::cause(NodeId n) {
    const auto at = std::lower_bound(causes_.begin(), causes_.end(), std::pair{n, std::uint32_t{0}});
    if (at != causes_.end() && at->first == n) return at->second;
    const std::string name = name_of_cause(model_, n);
    auto& names = closing_.cause_names;
    const auto same = std::find(names.begin(), names.end(), name);
    const auto i = static_cast<std::uint32_t>(same - names.begin());
    if (same == names.end()) names.push_back(name);
    return causes_.insert(at, {n, i})->second;
}

void Course::hand_on(double before) {
    Trace part;
    part.signals = closing_.signals;
    part.automata = closing_.automata;
    part.first_mode = closing_.first_mode;
    part.samples.resize(shown_);
    add_samples(part, before);
    add_events(part, before);
    end_where_not_finite(part);
    if (!part.errors.empty()) end_by(part.errors.front());
    part.cause_names = closing_.cause_names;
    part.impulse_orders = closing_.impulse_orders;
    closing_.statistics.events += part.events.size();
    if (part.t.empty() && part.events.empty()) return;
    for (Sink* sink : sinks_) sink->take(part);
}

void Course::add_samples(Trace& part, double before) {
    std::size_t last = std::numeric_limits<std::size_t>::max();
    for (const Lane& lane : lanes_)
        if (!control_.own_samples || !lane.signals.empty())
            last = std::min(last, lane.island->samples_written());
    if (control_.own_samples && before != HUGE_VAL) return;
    if (lanes_.empty()) last = times_.size();
    if (!control_.own_samples) {
        std::size_t k = next_sample_;
        for (; k < last && times_[k] < before; ++k) part.t.push_back(times_[k]);
        last = k;
    }
    for (Lane& lane : lanes_) {
        if (control_.own_samples && !lane.signals.empty()) part.t = lane.samples.own_times;
        for (std::size_t c = 0; c < lane.signals.size(); ++c) {
            const auto& column = lane.samples.columns[c];
            const auto from = static_cast<std::ptrdiff_t>(next_sample_ - lane.samples.first);
            const auto to = static_cast<std::ptrdiff_t>(last - lane.samples.first);
            if (lane.signals[c] < shown_)
                part.samples[lane.signals[c]].assign(column.begin() + from, column.begin() + to);
        }
        lane.samples.drop_before(last);
    }
    for (auto& row : part.samples) row.resize(part.t.size(), 0.0);
    next_sample_ = last;
}

void Course::add_jump(Trace& part, const Recorder& r, Jump jump) {
    if (jump.signal >= shown_) return;
    const auto first = r.impulses.begin() + jump.first_impulse;
    jump.first_impulse = static_cast<std::uint32_t>(part.impulses.size());
    part.impulses.insert(part.impulses.end(), first, first + jump.impulse_count);
    part.jumps.push_back(jump);
    int& orders = closing_.impulse_orders[jump.signal];
    orders = std::max(orders, static_cast<int>(jump.impulse_count));
}

// Events of all islands in one list; those at the same hyperdense time are one.
void Course::add_events(Trace& part, double before) {
    struct Item {
        const Recorder* recorder;
        const Event* event;
    };
    std::vector<Item> items;
    std::vector<std::size_t> taken(lanes_.size(), 0);
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
        const Recorder& r = lanes_[i].island->recorder();
        for (const Event& event : r.events) {
            if (event.t >= before) break;
            ++taken[i];
            if (event.t <= end_) items.push_back({&r, &event});
        }
    }
    const auto key = [](const Item& i) { return std::tuple(i.event->t, i.event->epsilon, i.event->index); };
    if (lanes_.size() > 1)
        std::stable_sort(items.begin(), items.end(),
                         [&](const Item& a, const Item& b) { return key(a) < key(b); });
    for (std::size_t i = 0; i < items.size();) {
        Event event = *items[i].event;
        event.first_cause = static_cast<std::uint32_t>(part.causes.size());
        event.first_jump = static_cast<std::uint32_t>(part.jumps.size());
        event.first_mode = static_cast<std::uint32_t>(part.modes.size());
        const auto head = key(items[i]);
        std::size_t next = i;
        for (; next < items.size() &&
               (next == i || key(items[next]) == head || is_same_time(*items[next].event, event));
             ++next) {
            const Recorder& r = *items[next].recorder;
            const Event& e = *items[next].event;
            for (std::uint32_t c = 0; c < e.cause_count; ++c) {
                const std::uint32_t name = cause(r.causes[e.first_cause + c]);
                if (std::find(part.causes.begin() + event.first_cause, part.causes.end(), name) ==
                    part.causes.end())
                    part.causes.push_back(name);
            }
            for (std::uint32_t j = 0; j < e.jump_count; ++j) add_jump(part, r, r.jumps[e.first_jump + j]);
            const auto mode = r.modes.begin() + e.first_mode;
            part.modes.insert(part.modes.end(), mode,
                              mode + static_cast<std::ptrdiff_t>(part.automata.size()));
            if (lanes_.size() == 1) {
                ++next;
                break;
            }
        }
        if (lanes_.size() > 1) std::sort(part.causes.begin() + event.first_cause, part.causes.end());
        event.cause_count = static_cast<std::uint32_t>(part.causes.size()) - event.first_cause;
        event.jump_count = static_cast<std::uint32_t>(part.jumps.size()) - event.first_jump;
        if (lanes_.size() > 1)
            std::sort(part.jumps.begin() + event.first_jump, part.jumps.end(),
                      [](const Jump& a, const Jump& b) { return a.signal < b.signal; });
        part.events.push_back(event);
        i = next;
    }
    for (std::size_t i = 0; i < lanes_.size(); ++i) lanes_[i].island->recorder().drop(taken[i]);
}

}  // namespace deltaflow
