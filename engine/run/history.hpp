// The past of a delay's input: polynomial pieces, and the impulses between them.
#pragma once

#include "engine/model/archive.hpp"
#include "signal/bounded.hpp"
#include "signal/interval.hpp"

#include <deque>
#include <span>
#include <vector>

namespace deltaflow {

class History {
public:
    struct Piece {
        double from, to;        // valid for from <= t <= to
        std::vector<double> c;  // powers of (t - from)
        void archive(Archive& a) { a(from, to, c); }
    };
    struct Impulse {
        double at;
        std::vector<double> coefficients;
        void archive(Archive& a) { a(at, coefficients); }
    };

    History(double by, double initial, double start) : by_(by), initial_(initial), start_(start) {}

    void append(Piece piece);
    // The same; but if the last piece would be as good, to this part of its size, that is made longer.
    void append(Piece piece, double part);
    // The input is not smooth here: pieces end.
    void seal() { sealed_ = true; }
    void append(Impulse impulse) { impulses_.push_back(std::move(impulse)); }
    // Drops what lies more than `by` before t.
    void forget(double t);

    // Taylor rungs 0..count-1 of the delayed signal at t; `before`: its left limit.
    void rungs(double t, bool before, std::span<double> out) const;
    // The same within a step from `start` on: its piece, up to the step's end, where the next one may jump.
    void rungs_in_step(double start, double t, std::span<double> out) const;
    // All values that they have somewhere in t.
    void rungs_in_step(double start, const Interval& t, std::span<Interval> out) const;
    // How far the delayed signal stays on one piece after t.
    double horizon(double t) const;
    // Impulses that arrive at t, within a tolerance; those of several commits at one time as one sum. Each
    // arrives once.
    std::vector<double> arrive(double t, double tolerance);
    double by() const { return by_; }
    // The past itself: the piece at or before t, none before the start; and the impulses there.
    const Piece* piece_at(double t, bool before) const { return find(t, before); }
    std::vector<double> impulses_at(double t, double tolerance) const;
    void archive(Archive& a) { a(by_, initial_, start_, pieces_, impulses_, sealed_); }

private:
    double slack_at(double t) const;
    const Piece* find(double t, bool before) const;
    template <class S>
    void rungs_on(const Piece* piece, const S& t, std::span<S> out) const;
    double by_, initial_, start_;
    std::deque<Piece> pieces_;
    std::deque<Impulse> impulses_;
    bool sealed_ = false;
};

}  // namespace deltaflow
