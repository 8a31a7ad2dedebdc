// Events that were handed on.
#include "engine/run/island_run.hpp"

#include <algorithm>

namespace deltaflow {

namespace {

template <class T>
void drop_front(std::vector<T>& list, std::uint32_t n) {
    list.erase(list.begin(), list.begin() + n);
}

}  // namespace

Fed take_all(std::vector<Fed>& list, NodeId node) {
    Fed sum{node, {}, {}};
    for (const Fed& f : list) {
        if (f.node != node) continue;
        if (f.value) sum.value = f.value;
        sum.impulses.resize(std::max(sum.impulses.size(), f.impulses.size()));
        for (std::size_t i = 0; i < f.impulses.size(); ++i) sum.impulses[i] += f.impulses[i];
    }
    std::erase_if(list, [&](const Fed& f) { return f.node == node; });
    return sum;
}

void Recorder::drop(std::size_t n) {
    if (n == 0) return;
    if (!causes.empty()) last_cause = causes.back();
    if (n >= events.size()) {
        events.clear();
        causes.clear();
        jumps.clear();
        impulses.clear();
        modes.clear();
        return;
    }
    const Event next = events[n];
    const std::uint32_t impulse = next.first_jump < jumps.size()
                                      ? jumps[next.first_jump].first_impulse
                                      : static_cast<std::uint32_t>(impulses.size());
    events.erase(events.begin(), events.begin() + static_cast<std::ptrdiff_t>(n));
    drop_front(causes, next.first_cause);
    drop_front(jumps, next.first_jump);
    drop_front(impulses, impulse);
    drop_front(modes, next.first_mode);
    for (Event& event : events) {
        event.first_cause -= next.first_cause;
        event.first_jump -= next.first_jump;
        event.first_mode -= next.first_mode;
    }
    for (Jump& jump : jumps) jump.first_impulse -= impulse;
}

}  // namespace deltaflow
