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

    Rosenbrock(std::size_t size, double tolerance, RightHandSide f, Jacobian jacobian);
    ~Rosenbrock();
    // Tries a step of length h from (t, x); h becomes the next length to try. False: not accepted.
    bool try_step(double t, const double* x, double* out, double& h);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace deltaflow
