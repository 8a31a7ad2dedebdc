// Instants that accumulate: intervals that shrink with a steady ratio.
#pragma once

#include "blocks/diagram.hpp"
#include "engine/model/archive.hpp"

#include <array>
#include <map>
#include <vector>

namespace deltaflow {

// The times at which one condition came to zero. Every `period` of them may belong together.
class ZenoSequence {
public:
    // true: they accumulate right after t. `blurred`: times are off by errors of a method.
    bool note(double t, bool blurred);
    double accumulation() const { return accumulation_; }
    long count() const { return count_; }
    // Where they accumulate if the last interval shrinks as the one before did.
    double estimate() const;
    // Is the last interval a small part of one before?
    bool has_shrunk() const;
    // Should there have been another one long before t?
    bool is_overdue(double t) const;

private:
    static constexpr int periods = 6;
    static constexpr unsigned long kept = 64;
    // Intervals over `period` instants that have shrunk steadily so far.
    struct Shrinking {
        double begin = 0;  // of the first of them
        double ratio = 0;  // of one to the one before
        long steady = 0;   // ratios, one after the other, that agree
    };
    bool grows(int period);
    bool shrinks(int period, bool blurred);
    bool is_lost(int period, const Shrinking& s) const;
    void measure(int period, Shrinking& s);
    double interval(int period, int n) const { return ago(n * period) - ago((n + 1) * period); }
    double ago(int n) const { return times_[static_cast<unsigned long>(count_ - 1 - n) % kept]; }

    std::array<double, kept> times_{};  // the last ones, times_[count_ % kept] is the oldest
    std::array<Shrinking, periods> shrinking_{};
    long count_ = 0;
    double accumulation_ = 0;
};

class Zeno {
public:
    // Takes note of an instant; true when instants accumulate right after it, not beyond `stop`. `condition`:
    // whose root it is. What is due by the calendar (no_node) is no part of a sequence. `blurred`: times are
    // off by errors of a method, which hide the last hops.
    bool note(double t, NodeId condition, double stop, bool blurred = false);
    // No further instant of this condition can be told from the last one. True if it came to zero before, or
    // (`shrunk`) ever sooner, by much in all: then they accumulate, as far as is known.
    bool note_end(NodeId condition, double stop, bool shrunk);
    // A point of accumulation itself, of this room: true when such points accumulate right after it.
    bool note_point(double t, NodeId room, double stop) { return note_in(points_, t, room, stop, false); }
    void forget_points() { points_.clear(); }
    // What is over, but for the sequences of these.
    void forget_all_but(const std::vector<NodeId>& conditions);
    double accumulation() const { return accumulation_; }
    // Between the last two instants.
    double last_interval() const { return last_interval_; }
    // Has this condition come to zero ever sooner, too?
    bool shrinks(NodeId condition) const;
    // A condition that came to zero steadily ever sooner, and should have come again before t; or none.
    NodeId overdue(double t) const;
    void archive(Archive& a) { a(sequences_, points_, last_, last_interval_, stuck_, accumulation_); }

private:
    using Sequences = std::map<NodeId, ZenoSequence>;  // per condition, and of all of them: no_node
    bool note_in(Sequences& sequences, double t, NodeId condition, double stop, bool blurred);
    bool accumulates(ZenoSequence& sequence, double t, double stop, bool blurred);

    Sequences sequences_, points_;
    double last_ = -1e308, last_interval_ = 0;
    int stuck_ = 0;  // instants one after the other that time did not move between
    double accumulation_ = 0;
};

}  // namespace deltaflow
