// The only file that includes uBLAS; compiled as C++17.
#include "engine/rosenbrock.hpp"

#include <boost/numeric/odeint/stepper/rosenbrock4.hpp>
#include <boost/numeric/odeint/stepper/rosenbrock4_controller.hpp>

#include <algorithm>
#include <utility>

namespace deltaflow {

namespace odeint = boost::numeric::odeint;

// Boost's method is of first order only where f depends on t, so t is a state of its own, the last: t' = 1.
struct Rosenbrock::Impl {
    using Method = odeint::rosenbrock4<double>;
    using State = Method::state_type;
    using Matrix = Method::matrix_type;
    odeint::rosenbrock4_controller<Method> stepper;
    RightHandSide f;
    Jacobian jacobian;
    State in, out;

    Impl(std::size_t size, double tolerance, RightHandSide f_, Jacobian jacobian_)
        : stepper(tolerance, tolerance),
          f(std::move(f_)),
          jacobian(std::move(jacobian_)),
          in(size + 1),
          out(size + 1) {}
};

Rosenbrock::Rosenbrock(std::size_t size, double tolerance, RightHandSide f, Jacobian jacobian)
    : impl_(std::make_unique<Impl>(size, tolerance, std::move(f), std::move(jacobian))) {}
Rosenbrock::~Rosenbrock() = default;

bool Rosenbrock::try_step(double t, const double* x, double* out, double& h) {
    using State = Impl::State;
    Impl& m = *impl_;
    const std::size_t size = m.in.size() - 1;
    std::copy(x, x + size, m.in.begin());
    m.in[size] = t;
    const auto f = [&m, size](const State& y, State& dydt, double) {
        m.f(y[size], &y[0], &dydt[0]);
        dydt[size] = 1;
    };
    const auto jacobian = [&m, size](const State& y, Impl::Matrix& j, double, State& dfdt) {
        for (std::size_t column = 0; column <= size; ++column) j(size, column) = 0;
        m.jacobian(y[size], &y[0],
                   [&](std::size_t row, std::size_t column, double v) { j(row, column) = v; });
        std::fill(dfdt.begin(), dfdt.end(), 0.0);
    };
    const bool accepted =
        m.stepper.try_step(std::make_pair(f, jacobian), m.in, t, m.out, h) == odeint::success;
    if (accepted) std::copy(m.out.begin(), m.out.begin() + static_cast<std::ptrdiff_t>(size), out);
    return accepted;
}

}  // namespace deltaflow
