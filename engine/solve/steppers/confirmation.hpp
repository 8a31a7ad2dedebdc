// Confirms a Taylor step by the equations themselves: a series that vanishes where it is expanded says
// nothing of what comes.
#pragma once

#include "engine/solve/steppers/stepper.hpp"

#include <optional>
#include <span>
#include <vector>

namespace deltaflow {

class Confirmation {
public:
    explicit Confirmation(const FlowContext& context);

    // Where a step contradicts the equations.
    struct Doubt {
        double at;      // seconds after its beginning
        double excess;  // by how many times it passes what is allowed
        NodeId node;
    };
    // Looks at the end of [0, h], where inputs of nonlinear functions turn round, and wherever an earlier
    // step was found wrong. What is found now is remembered.
    std::optional<Doubt> doubt(const StepSeries& series, double h);
    // The step was taken up to t: what was found before it is settled.
    void pass(double t);

    std::uint64_t evaluations() const { return work_.evaluations; }
    void archive(Archive& a) { a(work_, bounded_work_, guess_, witnesses_, flow_); }

private:
    enum class Rule : std::uint8_t { rate, value, shape };
    struct Check {
        NodeId node;   // whose series is looked at
        NodeId value;  // rate: the input of the integrator
        Rule rule;
    };
    void list_checks(const System& s);
    void list_inputs(const System& s);
    void list_points(const StepSeries& series, double h);
    std::optional<Doubt> doubt_at(const StepSeries& series, double s, double h);
    bool evaluate(const StepSeries& series, double s);
    bool evaluate_rounding(const StepSeries& series, double s);
    void fill_delayed_rounding(double t);
    double excess(const StepSeries& series, const Check& check, double s, double h) const;
    bool live(NodeId n) const { return !c_.active || (*c_.active)[n]; }

    FlowContext c_;
    const System& s_;
    const Program& p_;
    Workspace work_, bounded_work_;
    std::uint32_t stride_;
    std::vector<double> a_, guess_, delayed_;
    std::vector<Bounded> bounded_;
    bool with_rounding_ = false;
    std::vector<Check> checks_;
    std::vector<NodeId> inputs_;     // of nonlinear functions
    std::vector<double> witnesses_;  // times at which a step was found wrong, the next one last
    std::vector<double> points_;     // of this step
    std::uint64_t flow_ = 0;         // in which loops are followed
    double tolerance_, least_;       // what a signal is known to, and the size below which it need not be
};

}  // namespace deltaflow
