// What is due at known times: breakpoints of schedules and ticks of clocks, kept as exact fractions.
#pragma once

#include "blocks/diagram.hpp"
#include "blocks/kernels.hpp"
#include "engine/model/archive.hpp"

#include <algorithm>
#include <functional>
#include <vector>

namespace deltaflow {

// Where a scheduled source stands in its list: point `index` of repetition `round` comes next.
struct ScheduleCursor {
    std::size_t index = 0;
    Integer round = 0;
    bool done(const Schedule& s) const { return index >= s.points.size(); }
    Rational time(const Schedule& s) const;
    double value(const Schedule& s) const;
    void step(const Schedule& s);
    void archive(Archive& a) { a(index, round); }
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
    void add(double t, NodeId node) {
        heap_.push_back({t, node});
        std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
    }
    bool empty() const { return heap_.empty(); }
    double next() const { return heap_.empty() ? HUGE_VAL : heap_.front().t; }
    Due pop() {
        const Due due = heap_.front();
        std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
        heap_.pop_back();
        return due;
    }
    void archive(Archive& a) { a(heap_); }

private:
    std::vector<Due> heap_;
};

// Tick n of a clock, and the first tick at or after a time.
double tick_time(const Clock& c, const Integer& n);
Integer first_tick(const Clock& c, double start);

}  // namespace deltaflow
