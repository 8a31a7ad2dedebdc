// Methods that know a step by its two ends: cubic Hermite interpolation, and control of the step's length.
#pragma once

#include "engine/limits.hpp"
#include "engine/solve/steppers/error_scale.hpp"
#include "engine/solve/steppers/stepper.hpp"

#include <exception>
#include <vector>

namespace deltaflow {

// The end of a step and cubic Hermite interpolation in between.
class HermiteStepper : public Stepper {
public:
    using Vector = std::vector<double>;
    explicit HermiteStepper(const FlowContext& c);
    void restart() override { known_ = false; }
    bool checks_states() const override { return true; }
    void states(double s, std::span<double> x) override;
    double rounding(std::size_t i, double s) const override;
    void archive(Archive& a) override { a(evaluations, right_, x0_, x1_, f0_, f1_, t_, h_, known_); }

protected:
    void begin(double t, std::span<const double> x);
    void know_end();
    double finish(double h);
    double hermite(std::size_t i, double s) const;
    [[noreturn]] void fail_not_finite(std::size_t i) const;

    FlowContext c_;
    RightSide right_;
    Vector x0_, x1_, f0_, f1_;
    double t_ = 0, h_ = 0;
    bool known_ = false;  // the slope at the end
};

// Methods that estimate their error choose the length of each step by it.
class AdaptiveStepper : public HermiteStepper {
public:
    AdaptiveStepper(const FlowContext& c, int order, double share = limits::local_share);
    OneStep step(double t, std::span<const double> x, double h_max) override;
    void restart() override;
    double uncertainty(std::size_t i) const override;
    double drift(std::size_t i) const override;
    void forget_errors() override;
    void archive(Archive& a) override {
        HermiteStepper::archive(a);
        a(error_, gathered_, scale_, next_, rounded_);
    }

protected:
    // A step of length h from (t, from) to `to`, and its error. A RunFailure says that it cannot be taken.
    virtual void attempt(double t, const Vector& from, double h, Vector& to) = 0;
    // How far the rounding of a slope can move state i in a step.
    virtual double moved_by_rounding(std::size_t i, double h) const { return h * slope_rounding_[i]; }

    // From (t, from) up to h far, `to` and `h` are what was reached. Returns the next length to try.
    // (`inside` another step times are not what counts).
    double controlled(double t, const Vector& from, double& h, Vector& to, bool inside = false);

    Vector error_, slope_rounding_;
    Vector gathered_;  // errors of the steps since they were forgotten, but for the last one
    ErrorScale scale_;

private:
    double ratio_of(double t, const Vector& from, double h, Vector& to, int tries);
    double first_length(double h_max) const;
    [[noreturn]] void fail_too_small(double ratio) const;

    double order_, longest_, next_ = 0;
    bool rounded_ = false;        // the error of the last step was that of its slopes
    std::exception_ptr failure_;  // why the last attempt could not be taken
};

}  // namespace deltaflow
