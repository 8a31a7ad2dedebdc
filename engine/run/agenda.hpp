// What is due at known times: breakpoints of schedules and ticks of clocks, kept as exact fractions.
#pragma once

#include "blocks/diagram.hpp"
#include "blocks/kernels.hpp"

#include <queue>
#include <vector>

namespace deltaflow {

// Where a scheduled source stands in its list: point `index` of repetition `round` comes next.
struct ScheduleCursor {
    std::size_t index = 0;
    Integer round = 0;
    bool done(const Schedule& s) const { return index >= s.points.size(); }
    Rational time(const Schedule& s) const;
    void step(const Schedule& s);
};

// Puts the cursor at the first point at or after `start` and gives the piece in force just before it.
Piece wind(const Schedule& s, double start, ScheduleCursor& cursor);

class Agenda {
public:
    struct Due {
        double t;
        NodeId node;
        friend bool operator>(const Due& a, const Due& b) { return a.t != b.t ? a.t > b.t : a.node > b.node; }
    };
    void add(double t, NodeId node) { queue_.push({t, node}); }
    bool empty() const { return queue_.empty(); }
    double next() const { return queue_.empty() ? HUGE_VAL : queue_.top().t; }
    Due pop() {
        const Due due = queue_.top();
        queue_.pop();
        return due;
    }

private:
    std::priority_queue<Due, std::vector<Due>, std::greater<>> queue_;
};

// Tick n of a clock, and the first tick at or after a time.
double tick_time(const Clock& c, const Integer& n);
Integer first_tick(const Clock& c, double start);

}  // namespace deltaflow
