// Tells whether stability, and not accuracy, limits the steps of a method.
#pragma once

#include "engine/solve/steppers/stepper.hpp"

#include <optional>
#include <span>
#include <vector>

namespace deltaflow {

// rho = |J v| / |v|, the size of the largest eigenvalue, by one step of the power method now and then. An
// explicit method is stable up to h rho = `reach`, about. A step near that bound, along a direction that
// decays (v' J v < -rho / 2), is limited by stability. Where the states move slowly beside rho, a method of
// low order loses its order before it comes there: at `slow_reach`.
class Stiffness {
public:
    Stiffness(const FlowContext& context, double reach, double slow_reach);
    Stiffness(const Stiffness&) = delete;
    // A step of length h was taken from (t, x), where h_max was allowed.
    void note(double t, std::span<const double> x, double h, double h_max);
    // Nearly all of the last looks found it so, and there is a long way to go.
    bool limits() const { return limited_ >= limits_at; }
    // None of the last looks did: an explicit method could take steps as long as these, or longer.
    bool is_far() const { return far_ >= far_at; }
    // Forgets what was seen.
    void clear() { limited_ = far_ = 0; }
    // Since when stability has been limiting, the first time.
    std::optional<double> since() const { return since_; }
    void archive(Archive& a);

private:
    // How many steps from look to look: near the bound, and far below it.
    static constexpr int near_every = 4, far_every = 16;
    static constexpr int limits_at = 15, window = 20, far_at = 5;
    void look(double t, std::span<const double> x, double h);
    bool multiply(double t, std::span<const double> x);

    FlowContext c_;
    std::vector<double> guess_;  // a look must not move where loops of the run begin
    const std::vector<double>& their_guess_;
    std::optional<RightSide> right_;
    double reach_, slow_reach_;
    std::vector<double> v_, w_, f_;
    double rho_ = 0;
    int wait_ = near_every;
    int limited_ = 0, far_ = 0;
    std::optional<double> since_;
};

// Where Taylor series and Dormand and Prince's method come near the edge of their stability.
inline double taylor_reach(const System& s) { return s.order / 4.0; }
inline constexpr double dopri5_reach = 2.5, dopri5_slow_reach = 0.3;

}  // namespace deltaflow
