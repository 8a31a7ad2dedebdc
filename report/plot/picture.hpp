// What a picture of a trace shows, whatever it is drawn on: panels of curves over one time, and events.
#pragma once

#include "deltaflow/sink.hpp"
#include "report/plot/curve.hpp"
#include "report/plot/phase.hpp"
#include "report/write/instants.hpp"

#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace deltaflow::report {

// Names of the signals that share a panel; one may end in ".*", and "x:y" is y over x.
using Group = std::vector<std::string>;

struct Range {
    double low, high;
};

// How much of a run is shown, and how.
struct View {
    double from = -HUGE_VAL, to = HUGE_VAL;
    bool log_time = false, log_values = false;
    double width = 720, height = 0;  // of the page; no height: as much as the panels take
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
    std::string across = {};     // of a phase plane: what goes across, instead of time
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
    Range time{0, 1};
    std::string time_name = "t";
    std::vector<Panel> panels;
    std::vector<Occasion> events;
    std::vector<SlidingInterval> sliding;
    std::size_t left_out = 0;  // signals without a panel
    View view = {};
};

// Draws a picture while a run goes on, for pages up to `columns` wide. The room that it takes is bounded,
// however long the run is.
class Sketch final : public Sink {
public:
    // A panel a group, or a panel a signal where there are none. `dense`: samples are so close to each other
    // that they tell where corners are.
    Sketch(std::vector<Group> groups, std::size_t columns, bool dense, const View& view = {});
    void begin(const Trace& heading) override;
    void take(const Trace& part) override;
    void end(const Trace& closing) override {
        end_ = closing.end_t;
        heading_.sliding = closing.sliding;
    }

    // What has been drawn so far, for a page that may be narrower.
    Picture picture(std::size_t columns) const;

private:
    struct Signals {
        std::vector<std::size_t> drawn;  // as indices of the trace
        std::size_t left_out = 0;
        std::vector<std::size_t> phases = {};  // instead: curves of a phase plane
    };
    void add_panels(const Trace& heading);
    void add(const Trace& part, const Instant& instant);
    void add_occasion(const Trace& part, const Instant& instant);
    void thin();

    std::vector<Group> groups_;
    std::size_t columns_;
    bool dense_;
    Picture heading_;  // without curves
    std::vector<std::string> names_;
    std::vector<Signals> panels_;
    std::vector<std::size_t> pen_of_;   // per signal of the trace; how many pens there are if it has none
    std::vector<std::size_t> signals_;  // of the pens
    std::vector<Pen> pens_;
    std::vector<PhasePen> phases_;
    std::vector<std::pair<std::string, std::string>> phase_names_;  // what goes across, what goes up
    std::size_t occasions_ = 0;                                     // that were met
    std::optional<double> first_;
    double last_ = 0, end_ = 0;
};

// The same of a run that is over.
Picture picture_of(const Trace& trace, const std::vector<Group>& groups, std::size_t columns);

// Several runs of one model in one picture; `labels` tell them apart. Events are those of the first.
Picture overlaid(std::vector<Picture> runs, const std::vector<std::string>& labels);

// Largest coefficients of impulses, upwards and downwards.
struct Reach {
    double up = 0, down = 0;
    void include(double coefficient);
};
Reach reach_of(const Panel& panel, std::size_t order);

// Orders of the impulses in a panel, each once, from delta on.
std::vector<std::size_t> impulse_orders(const Panel& panel);

// The values that a panel has to show, with room for arrows above and below zero; all of them positive on a
// logarithmic axis.
Range range_of(const Panel& panel, bool logarithmic = false);
// A logarithmic axis shows no value that is not above zero, and no impulse: is there one?
bool wants_more_than_logarithm(const Picture& picture);
// The picture without them. Curves have gaps there, and names say so.
Picture for_logarithm(Picture picture);
// What goes across the others; on a logarithmic axis it begins above zero.
Range time_range(const Picture& picture);
// What goes across a phase plane.
Range across_of(const Panel& panel);

// Is the signal that the panel shows constant, but for impulses?
bool is_constant(const Panel& panel);

// The names of `groups` that are no signals of `recorded`.
std::vector<std::string> unrecorded(const std::vector<std::string>& recorded,
                                    const std::vector<Group>& groups);

}  // namespace deltaflow::report
