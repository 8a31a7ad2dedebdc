// How a method advances the states of an island over one smooth step.
#pragma once

#include "engine/compile/sparsity.hpp"
#include "engine/compile/system.hpp"
#include "engine/limits.hpp"
#include "engine/solve/execute.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace deltaflow {

struct OneStep {
    double h = 0;  // taken
    NodeId limited_by = no_node;
};

// The Taylor coefficients of all nodes over a step from t on.
struct StepSeries {
    const double* a;
    std::uint32_t stride;
    int order;
    double t;
    std::span<const double> of(NodeId n) const {
        return {a + std::size_t{n} * stride, static_cast<std::size_t>(order) + 1};
    }
};

class Stepper {
public:
    virtual ~Stepper() = default;
    // From (t, x), at most h_max far. The states are not moved: `states` looks them up.
    virtual OneStep step(double t, std::span<const double> x, double h_max) = 0;
    // How far the equations confirm the last step: `end`, or else a shorter step that may be right.
    virtual double confirmed(double end) { return end; }
    // The states at t + s, 0 <= s <= h.
    virtual void states(double s, std::span<double> x) = 0;
    // The same in the end, for the x that `step` began with; a method may hand over its own room.
    virtual void finish(double s, std::vector<double>& x) { states(s, x); }
    // After an instant: nothing of the past holds any more.
    virtual void restart() {}
    // Taylor coefficients of a node over the last step, if the method has them.
    const StepSeries* step_series() const { return series_; }
    std::span<const double> series(NodeId n) const {
        return series_ ? series_->of(n) : std::span<const double>();
    }
    bool has_series() const { return series_ != nullptr; }
    // Are states that are not finite found by the step itself?
    virtual bool checks_states() const { return false; }
    // In how many points of a step conditions are looked at, if there is no series.
    virtual int points() const { return 9; }
    // Rounding of state i at t + s: eps sum |c_k s^k| + eps |t| |x'|.
    virtual double rounding(std::size_t i, double s) const = 0;
    // What the method itself leaves open of state i in the last step; 0 where that is not known.
    virtual double uncertainty(std::size_t) const { return 0; }
    // The same of how far state i has come by the flow since its errors were forgotten.
    virtual double drift(std::size_t i) const { return uncertainty(i); }
    virtual void forget_errors() {}
    // What it remembers from step to step, so that another one goes on as this one would.
    virtual void archive(Archive& a) { a(evaluations); }
    // Delayed signals may be asked for back to then, to call back what is remembered.
    virtual double looks_back_to(double t) const { return t; }
    std::uint64_t evaluations = 0;

protected:
    const StepSeries* series_ = nullptr;  // of methods that have one
};

// What a stepper may ask of its island.
struct FlowContext {
    const System* system;
    const Settings* settings;
    const Discrete* discrete;
    std::vector<double>* guess;
    const std::uint64_t* flow;  // its number: loops are followed within it
    const std::vector<std::uint8_t>* active;
    const std::vector<std::uint32_t>* jumping;  // indices of the states that an instant can change
    double* begin;                              // of the step at hand: where delayed signals stand
    // Fills in delayed signals: rungs 0..count-1 of delay i (index in System::delays) at t.
    std::function<void(std::size_t i, double t, std::span<double> out)> delayed;
};

// make_taylor_stepper and so on, a file each; that of cvode gives nothing without SUNDIALS.
#define DELTAFLOW_METHOD(name, word, fixed, about) \
    std::unique_ptr<Stepper> make_##name##_stepper(const FlowContext& context);
DELTAFLOW_METHODS(DELTAFLOW_METHOD)
#undef DELTAFLOW_METHOD
bool has_cvode();

// What is smaller need not be known to `tolerance`. A series knows every signal in relation to itself;
// `absolute` may ask for more than that, never for less.
inline double least_size(const Settings& settings) {
    if (!settings.absolute) return limits::least_size;
    return std::clamp(*settings.absolute / settings.tolerance, limits::least_absolute_size,
                      limits::least_size);
}

// A shorter step at t cannot be told from none.
inline double smallest_step(const Settings& settings, double t) {
    return limits::smallest_step *
           std::max(std::abs(t), limits::earliest_change * std::abs(settings.stop - settings.start));
}

// As long as the times at its ends say that a step from t is: what they are rounded by would add up.
inline double told_by_times(double t, double h) {
    const double told = (t + h) - t;
    return told > 0 ? told : h;
}

// The longest step of methods without a series; one that can be told from none.
inline double longest_sampled_step(const Settings& settings) {
    const double late = std::max(std::abs(settings.start), std::abs(settings.stop));
    return std::max(limits::longest_sampled_step * (settings.stop - settings.start),
                    2 * smallest_step(settings, late));
}

// dx/dt = f(t, x) by the values-only program: what every method but taylor and euler integrates.
class RightSide {
public:
    explicit RightSide(const FlowContext& context);
    void operator()(double t, std::span<const double> x, std::span<double> dxdt);
    // The same, evaluated where the states are: at the front of an array that gets room for all signals.
    void in_place(double t, std::vector<double>& a, std::span<double> dxdt);
    // Exact partial derivatives: the entries of a pattern, and d/dt if there is room for it.
    void jacobian(double t, std::span<const double> x, const Sparsity& pattern, std::span<double> entries,
                  std::span<double> by_time = {});
    // How far rounding can move each slope; nothing where that is no excuse.
    void rounding(double t, std::span<const double> x, std::vector<double>& bounds);
    // The slopes f, and J v: how they change along v.
    void along(double t, std::span<const double> x, std::span<const double> v, std::span<double> f,
               std::span<double> jv);
    // Where loops are looked for: an attempt that failed may have led them far away.
    void remember_loops();
    void recall_loops();
    void archive(Archive& a) { a(work_, dual_work_, bounded_work_, evaluations); }
    std::uint64_t evaluations = 0;

private:
    void clear_duals(double t, std::span<const double> x);
    void run_duals(const Dual& t);
    double slope_of(std::size_t state) const;
    void move_delays(double t);
    bool has_lost_phase(double t) const;
    void evaluate(double t, std::span<double> a, std::span<double> dxdt);

    FlowContext c_;
    Workspace work_, dual_work_, bounded_work_;
    std::vector<double> a_;
    std::vector<Dual> dual_;
    std::vector<Bounded> bounded_;
    std::vector<double> delayed_, guess_;
    std::uint32_t stride_;
    bool in_front_ = false;
    struct Stretch {  // slopes of states [first, first + count) stand side by side in a_
        std::size_t first, from, count;
    };
    std::vector<Stretch> slopes_;
};

}  // namespace deltaflow
