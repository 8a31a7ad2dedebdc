// Proof of Taylor steps: the series program on intervals bounds what a series leaves out.
//
// Over a step of length h the states stay in a box: the range of their polynomials p, and an allowance around
// it. The program on that box, over the whole step, bounds rung N + 1 of everything; the program on the
// states alone, at the beginning, bounds rungs 0 to N. If what both say about x - p stays within the
// allowance, the solution exists, stays in the box, and keeps that near to p (Taylor's theorem; it cannot
// leave the box before it has left it).
#pragma once

#include "deltaflow/trace.hpp"
#include "engine/numerics/root_proof.hpp"
#include "engine/solve/steppers/stepper.hpp"

namespace deltaflow {

// What a proof needs of its island.
struct ProofContext {
    const System* system;
    const Settings* settings;
    const Discrete* discrete;
    const std::vector<std::uint8_t>* active;
    std::vector<double>* guess;
    std::vector<double>* shown;  // per node: the largest size so far
    Proved* proved;
    // Rungs of delay i somewhere in t, within the step that begins now.
    std::function<void(std::size_t i, const Interval& t, std::span<Interval> out)> delayed;
};

class StepProof {
public:
    explicit StepProof(const ProofContext& context);

    // The largest h that was proved, h_max at most, for the series that the stepper has at t.
    double prove(const Stepper& stepper, double t, std::span<const double> x, double h_max);
    // node - threshold over [0, end] of the proved step, divided by s^zeros; its coefficients are kept in
    // `c`.
    EnclosedSignal enclosed(NodeId node, double threshold, int zeros, double end,
                            std::vector<double>& c) const;
    // Does node - threshold stay as small over [0, end] as what rounds to zero?
    bool rests(NodeId node, double threshold, double end) const;
    // Is it the remainder of the series, and not rounding, that blurs the signal?
    bool would_gain(NodeId node, int zeros, double end) const;
    double proved_up_to() const { return end_; }
    // Is the step proved even so, if it is taken up to h only? What it has shown by then is less.
    bool holds(double h) { return judge(h) <= 1; }
    // It is taken up to h.
    void accept(double h);
    void archive(Archive& a) { a(work_, limit_, attempts_, progress_); }

private:
    struct Bound {
        double rounding = 0, truncation = 0;
        double sum() const { return rounding + truncation; }
    };
    struct Range {
        double low, high;
    };
    Interval* row(std::vector<Interval>& a, NodeId n) { return a.data() + std::size_t{n} * stride_; }
    const Interval* row(const std::vector<Interval>& a, NodeId n) const {
        return a.data() + std::size_t{n} * stride_;
    }
    bool is_live(NodeId n) const { return !c_.active || (*c_.active)[n]; }
    void list_saturating();
    void enclose_point(std::span<const double> x);
    void enclose_step(double h);
    double judge(double h);
    Range range_of(NodeId n, double h) const;
    double terms(NodeId n) const;
    double size_of(NodeId n, const Range& range, double h) const;
    Bound bound_of(NodeId n, double h) const;
    bool loops_follow() const;
    double shorter(double h, double worst) const;
    void count_work(double t);
    [[noreturn]] void fail(const std::string& what) const;

    ProofContext c_;
    const System& s_;
    Workspace work_;
    int order_;
    std::uint32_t stride_;
    std::vector<Interval> point_, box_;  // rungs at the beginning, and over the whole step
    std::vector<Interval> enclosure_;    // per node: where unknowns of loops are
    std::vector<NodeId> saturating_;     // per node: u where it is 1 - tanh(u)^2
    std::vector<std::uint8_t> is_state_;
    const Stepper* stepper_ = nullptr;
    double t_ = 0, end_ = 0, limit_;
    double local_error_ = 0;  // of the step that was judged last
    NodeId worst_ = no_node;
    bool worst_is_rounding_ = false;
    std::uint64_t attempts_ = 0;
    double progress_;
};

}  // namespace deltaflow
