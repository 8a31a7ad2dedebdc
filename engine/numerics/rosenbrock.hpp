// A step of the Rosenbrock method RODAS (Hairer and Wanner, Solving Ordinary Differential Equations II,
// IV.7): six stages, order 4, an estimate of order 3; each stage is a solve with the same matrix, dense,
// sparse or a band.
#pragma once

#include "engine/numerics/band.hpp"
#include "engine/numerics/linear_solver.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <variant>
#include <vector>

namespace deltaflow {

class Rosenbrock {
public:
    using RightHandSide = std::function<void(double t, std::span<const double> x, std::span<double> dxdt)>;
    // Fills in the entries of the pattern, and d/dt.
    using Jacobian = std::function<void(double t, std::span<const double> x, std::span<double> entries,
                                        std::span<double> by_time)>;

    // Entry e of the Jacobian stands at (rows[e], columns[e]); every diagonal entry is among them.
    Rosenbrock(std::size_t size, std::span<const std::uint32_t> rows, std::span<const std::uint32_t> columns,
               RightHandSide f, Jacobian jacobian);
    // A step of length h from (t, x), and an estimate of its error; infinite where the matrix is singular.
    void step(double t, std::span<const double> x, double h, std::span<double> out, std::span<double> error);
    // The diagonal of the Jacobian of the last step; steps from the same point share it.
    double diagonal(std::size_t i) const { return entries_[diagonal_[i]]; }
    // The right-hand side may be another one from now on.
    void forget() { known_ = false; }

private:
    void know_jacobian(double t, std::span<const double> x);
    bool factor(double h);
    void solve_stage(std::size_t stage, double h);
    void solve(std::vector<double>& g, double h) const;

    std::size_t size_;
    RightHandSide f_;
    Jacobian jacobian_;
    std::vector<std::uint32_t> diagonal_;            // entries
    std::variant<BandSolver, LinearSolver> solver_;  // of the states alone, or of all
    // t is a state of its own, the last: t' = 1. So f may depend on t in any way.
    std::vector<double> entries_, by_time_, matrix_, at_, from_, y_;
    std::vector<std::vector<double>> g_;  // per stage
    bool known_ = false;
};

}  // namespace deltaflow
