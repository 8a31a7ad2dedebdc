// Boost.Odeint's Rosenbrock 4 behind plain pointers: uBLAS of Boost 1.74 needs C++17, so its file is
// compiled as that and this header keeps to it.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace deltaflow {

class Rosenbrock {
public:
    using RightHandSide = std::function<void(double t, const double* x, double* dxdt)>;
    using SetEntry = std::function<void(std::size_t row, std::size_t column, double value)>;
    using Jacobian =
        std::function<void(double t, const double* x, const SetEntry& set)>;  // last column: d/dt

    Rosenbrock(std::size_t size, RightHandSide f, Jacobian jacobian);
    ~Rosenbrock();
    // A step of length h from (t, x), and an estimate of its error.
    void step(double t, const double* x, double h, double* out, double* error);
    // The matrix of the last step; steps from the same point share it.
    double jacobian(std::size_t row, std::size_t column) const;
    // The right-hand side may be another one from now on.
    void forget();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace deltaflow
