// What islands did at one time belongs together, mode by mode.
#include "engine/course/merging.hpp"

#include "engine/limits.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace deltaflow {

namespace {

// Roots of equal conditions in two islands may differ by rounding.
bool is_same_time(double a, double b) {
    return std::abs(a - b) <= limits::same_time_ulps * rounding::unit * std::abs(b);
}

// The signal of a state stands for its automaton.
std::string name_of_cause(const FlatModel& model, NodeId n) {
    for (const auto& a : model.graph.automata)
        if (!a.signals.empty() && a.signals[0] == n) return a.name;
    return model.naming->name(n);
}

}  // namespace

std::uint32_t Merging::cause(NodeId n) {
    if (causes_.size() == 1 && causes_.front().first == n) return causes_.front().second;
    const auto at = std::lower_bound(causes_.begin(), causes_.end(), std::pair{n, std::uint32_t{0}});
    if (at != causes_.end() && at->first == n) return at->second;
    const std::string name = name_of_cause(model_, n);
    auto& names = closing_.cause_names;
    const auto same = std::find(names.begin(), names.end(), name);
    const auto i = static_cast<std::uint32_t>(same - names.begin());
    if (same == names.end()) names.push_back(name);
    return causes_.insert(at, {n, i})->second;
}

void Merging::add_jump(Trace& part, const Recorder& r, Jump jump) {
    if (jump.signal >= shown_) return;
    const double* const first = r.impulses.data() + jump.first_impulse;
    jump.first_impulse = static_cast<std::uint32_t>(part.impulses.size());
    for (std::uint32_t i = 0; i < jump.impulse_count; ++i) part.impulses.push_back(first[i]);
    part.jumps.push_back(jump);
    int& orders = closing_.impulse_orders[jump.signal];
    orders = std::max(orders, static_cast<int>(jump.impulse_count));
}

// Automata of other islands stay as they are.
void Merging::add_modes(std::span<const Item> items, Trace& part) {
    const auto first = static_cast<std::ptrdiff_t>(part.modes.size());
    part.modes.insert(part.modes.end(), mode_.begin(), mode_.end());
    for (const Item& item : items)
        for (std::size_t a = 0; a < item.lane->automata.size(); ++a) {
            const std::uint32_t state = item.lane->recorder->modes[item.event->first_mode + a];
            part.modes[static_cast<std::size_t>(first) + item.lane->automata[a]] = state;
            if (item.event->committed) mode_[item.lane->automata[a]] = state;
        }
}

void Merging::add_event(Event event, std::span<const Item> items, Trace& part) {
    event.first_cause = static_cast<std::uint32_t>(part.causes.size());
    event.first_jump = static_cast<std::uint32_t>(part.jumps.size());
    event.first_mode = static_cast<std::uint32_t>(part.modes.size());
    for (const Item& item : items) {
        const Recorder& r = *item.lane->recorder;
        const Event& e = *item.event;
        for (std::uint32_t c = 0; c < e.cause_count; ++c) {
            const NodeId node = r.causes[e.first_cause + c];
            const bool is_automaton = model_.diagram.nodes[node].op == Primitive::free;
            if (is_automaton && e.index < event.index) continue;  // it has switched before
            const std::uint32_t name = cause(node);
            if (std::find(part.causes.begin() + event.first_cause, part.causes.end(), name) ==
                part.causes.end())
                part.causes.push_back(name);
        }
        for (std::uint32_t j = 0; j < e.jump_count; ++j) add_jump(part, r, r.jumps[e.first_jump + j]);
    }
    if (!mode_.empty()) add_modes(items, part);
    if (items.size() > 1) {
        std::sort(part.causes.begin() + event.first_cause, part.causes.end());
        std::sort(part.jumps.begin() + event.first_jump, part.jumps.end(),
                  [](const Jump& a, const Jump& b) { return a.signal < b.signal; });
    }
    event.cause_count = static_cast<std::uint32_t>(part.causes.size()) - event.first_cause;
    event.jump_count = static_cast<std::uint32_t>(part.jumps.size()) - event.first_jump;
    part.events.push_back(event);
}

// Events of several islands at one point of hyperdense time, sorted by lane and index: in mythical mode k
// stand those that are there, beside what others have committed before; all commit with the last.
void Merging::add_together(std::span<Item> items, Trace& part) {
    const auto is_last = [&](std::size_t i) {
        return i + 1 == items.size() || items[i + 1].lane != items[i].lane;
    };
    const bool commits =
        std::any_of(items.begin(), items.end(), [](const Item& i) { return i.event->committed; });
    std::uint32_t last = 0;
    for (const Item& item : items)
        last = std::max(last, item.event->index + (commits && !item.event->committed ? 1U : 0U));
    std::vector<Item> there;
    for (std::uint32_t k = 0; k <= last; ++k) {
        there.clear();
        for (std::size_t i = 0; i < items.size(); ++i) {
            const Event& e = *items[i].event;
            if (e.index == k || (e.index < k && e.committed && is_last(i))) there.push_back(items[i]);
        }
        if (there.empty()) continue;
        Event event = *there.front().event;
        event.t = items.front().event->t;
        event.index = k;
        event.committed = commits && k == last;
        add_event(event, there, part);
    }
}

// All of them, where nothing has to be left out or looked at twice.
bool Merging::add_as_they_are(const Recorder& r, double before, double end, Trace& part) {
    const auto is_plain = [](const Event& e) { return e.cause_count <= 1; };
    const auto is_shown = [&](const Jump& j) { return j.signal < shown_; };
    if (!mode_.empty() || r.events.empty() || !part.events.empty() || r.events.back().t >= before ||
        r.events.back().t > end || !std::all_of(r.events.begin(), r.events.end(), is_plain) ||
        !std::all_of(r.jumps.begin(), r.jumps.end(), is_shown))
        return false;
    part.events = r.events;
    part.jumps = r.jumps;
    part.impulses = r.impulses;
    part.causes.reserve(r.causes.size());
    for (const NodeId node : r.causes) part.causes.push_back(cause(node));
    for (const Jump& jump : r.jumps) {
        int& orders = closing_.impulse_orders[jump.signal];
        orders = std::max(orders, static_cast<int>(jump.impulse_count));
    }
    return true;
}

// Nobody else to be merged with.
void Merging::add_alone(const LaneEvents& lane, double before, double end, Trace& part) {
    const Recorder& r = *lane.recorder;
    if (add_as_they_are(r, before, end, part)) return;
    part.events.reserve(part.events.size() + r.events.size());
    part.causes.reserve(part.causes.size() + r.causes.size());
    part.jumps.reserve(part.jumps.size() + r.jumps.size());
    part.impulses.reserve(part.impulses.size() + r.impulses.size());
    for (const Event& event : r.events) {
        if (event.t >= before) break;
        const Item item{&lane, &event};
        if (event.t <= end) add_event(event, {&item, 1}, part);
    }
}

void Merging::add(std::span<const LaneEvents> lanes, double before, double end, Trace& part) {
    if (lanes.size() == 1) return add_alone(lanes.front(), before, end, part);
    std::vector<Item> items;
    for (const LaneEvents& lane : lanes)
        for (const Event& event : lane.recorder->events) {
            if (event.t >= before) break;
            if (event.t <= end) items.push_back({&lane, &event});
        }
    const auto at = [](const Item& i) { return std::tuple(i.event->t, i.event->epsilon, i.event->index); };
    std::stable_sort(items.begin(), items.end(), [&](const Item& a, const Item& b) { return at(a) < at(b); });
    for (std::size_t i = 0; i < items.size();) {
        std::size_t next = i + 1;
        bool one = true;  // only one island does something
        for (; next < items.size() && is_same_time(items[next].event->t, items[i].event->t); ++next)
            one = one && items[next].lane == items[i].lane;
        if (one) {
            for (; i < next; ++i) add_event(*items[i].event, {&items[i], 1}, part);
            continue;
        }
        const auto place = [](const Item& x) { return std::tuple(x.event->epsilon, x.lane, x.event->index); };
        const double t = items[i].event->t;
        std::stable_sort(items.begin() + static_cast<std::ptrdiff_t>(i),
                         items.begin() + static_cast<std::ptrdiff_t>(next),
                         [&](const Item& a, const Item& b) { return place(a) < place(b); });
        while (i < next) {
            std::size_t to = i;
            while (to < next && items[to].event->epsilon == items[i].event->epsilon) ++to;
            const std::size_t first = part.events.size();
            add_together({&items[i], to - i}, part);
            for (std::size_t e = first; e < part.events.size(); ++e) part.events[e].t = t;
            i = to;
        }
    }
}

void add_ledger(EnergyLedger& sum, const EnergyLedger& part, std::span<const std::uint32_t> elements) {
    const auto add = [&](auto& to, const auto& from) {
        for (const auto& [element, energy] : from) to.emplace_back(elements[element], energy);
    };
    sum.stored_at_start += part.stored_at_start;
    sum.stored_at_end += part.stored_at_end;
    add(sum.supplied, part.supplied);
    add(sum.dissipated, part.dissipated);
    for (const EnergyEvent& event : part.instants) {
        EnergyEvent& mine = sum.instants.emplace_back(event);
        mine.dissipated.clear();
        add(mine.dissipated, event.dissipated);
    }
}

void sort_ledger(EnergyLedger& ledger) {
    std::sort(ledger.supplied.begin(), ledger.supplied.end());
    std::sort(ledger.dissipated.begin(), ledger.dissipated.end());
    std::vector<EnergyEvent> all = std::move(ledger.instants);
    ledger.instants.clear();
    const auto place = [](const EnergyEvent& e) { return std::tuple(e.t, e.epsilon); };
    const auto sort = [&] {
        std::stable_sort(all.begin(), all.end(),
                         [&](const EnergyEvent& a, const EnergyEvent& b) { return place(a) < place(b); });
    };
    sort();
    for (std::size_t i = 1; i < all.size(); ++i)
        if (is_same_time(all[i].t, all[i - 1].t)) all[i].t = all[i - 1].t;
    sort();
    for (EnergyEvent& event : all) {
        if (ledger.instants.empty() || place(event) != place(ledger.instants.back())) {
            ledger.instants.push_back(std::move(event));
            continue;
        }
        EnergyEvent& one = ledger.instants.back();
        one.stored_before += event.stored_before;
        one.stored_after += event.stored_after;
        one.supplied += event.supplied;
        one.dissipated.insert(one.dissipated.end(), event.dissipated.begin(), event.dissipated.end());
        std::sort(one.dissipated.begin(), one.dissipated.end());
    }
}

}  // namespace deltaflow
