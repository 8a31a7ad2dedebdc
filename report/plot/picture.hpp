// What a picture of a trace shows, whatever it is drawn on: panels of curves over one time, and events.
#pragma once

#include "deltaflow/trace.hpp"
#include "report/plot/curve.hpp"

#include <optional>
#include <string>
#include <vector>

namespace deltaflow::report {

// Names of the signals that share a panel; one may end in ".*".
using Group = std::vector<std::string>;

struct Range {
    double low, high;
};

struct Series {
    std::string name;
    Curve curve;
};

// Signals that share an axis.
struct Panel {
    std::vector<Series> series;
    std::size_t left_out = 0;    // signals that there was no room for
    std::optional<Range> range;  // of the values; else all of them are shown
};

// All that happens at one t.
struct Occasion {
    double t;
    std::string text;  // what it was, for those who ask
    std::size_t commits = 0, mythical = 0;
    bool hyperdense() const { return commits > 1 || mythical > 0; }
};

struct Picture {
    std::string title;
    Range time;
    std::vector<Panel> panels;
    std::vector<Occasion> events;
    std::size_t left_out = 0;  // signals without a panel
};

// A panel a group, or a panel a signal where there are none; the page is `columns` wide.
Picture picture_of(const Trace& trace, const std::vector<Group>& groups, std::size_t columns);

// Largest coefficients of impulses, upwards and downwards.
struct Reach {
    double up = 0, down = 0;
    void include(double coefficient);
};
Reach reach_of(const Panel& panel, std::size_t order);

// Orders of the impulses in a panel, each once, from delta on.
std::vector<std::size_t> impulse_orders(const Panel& panel);

// The values that a panel has to show, with room for arrows above and below zero.
Range range_of(const Panel& panel);

// Is the signal that the panel shows constant, but for impulses?
bool is_constant(const Panel& panel);

// The names of `groups` that are no signals of `recorded`.
std::vector<std::string> unrecorded(const std::vector<std::string>& recorded,
                                    const std::vector<Group>& groups);

}  // namespace deltaflow::report
