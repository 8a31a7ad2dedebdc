// One signal as it is drawn: smooth pieces with gaps at the jumps, and impulses.
#pragma once

#include "deltaflow/trace.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace deltaflow::report {

struct CurvePoint {
    double t, value;
};

struct CurveImpulse {
    double t, coefficient;
    std::size_t order;  // of the derivative of delta
};

struct Curve {
    std::vector<std::vector<CurvePoint>> pieces;  // each unbroken, sorted by t
    std::vector<CurveImpulse> impulses;
    std::vector<CurvePoint> mythical;             // values in modes that were left at once
    std::vector<CurveImpulse> mythical_impulses;  // and what they would have had of impulses
    double low = 0, high = 0;                     // of the values, mythical ones too
    enum class Look : std::uint8_t { line, marked, dots } look = Look::line;
};

// Sets low and high.
void measure(Curve& curve);

// Which column of the page a time falls into.
struct Columns {
    double start = 0, width = 0;
    Columns(double from, double to, std::size_t count)
        : start(from), width((to - from) / static_cast<double>(count)) {}
    long of(double t) const { return width > 0 ? static_cast<long>((t - start) / width) : 0; }
};

// Draws a curve while a run goes on. Pieces end at left limits and begin at right limits; what is not finite
// breaks the line. What a page cannot show is thinned out, so that the room it takes is bounded: each column
// keeps its first and its last point, its extremes, and its largest impulses.
class Pen {
public:
    void add_sample(double t, double value);
    void add_jump(const Trace& trace, double t, const Jump& jump);
    void add_mythical(const Trace& trace, double t, const Jump& jump);
    // Something happened at `t` that left the signal continuous. There may be a corner, which samples close
    // to each other tell, unless there is one at this very time.
    void add_corner(double t, bool tell);

    // How many points there are to be thinned.
    std::size_t size() const { return points_ + curve_.impulses.size(); }
    void thin(const Columns& columns);
    // What a page shows of it.
    Curve drawn(const Columns& columns) const;

private:
    void add(double t, double value);
    void join_pieces();

    Curve curve_;
    std::size_t points_ = 0;
    bool joined_ = false;          // there are too many pieces to be told apart
    std::size_t mythical_ = 0;     // that were met
    std::vector<CurvePoint> run_;  // the last samples since something happened, two at most
};

}  // namespace deltaflow::report
