// The only file that includes uBLAS; compiled as C++17.
#include "engine/rosenbrock.hpp"

#include <boost/numeric/odeint/stepper/rosenbrock4.hpp>
#include <boost/numeric/odeint/stepper/rosenbrock4_controller.hpp>

#include <algorithm>
#include <utility>

namespace deltaflow {

namespace odeint = boost::numeric::odeint;

struct Rosenbrock::Impl {
    using Method = odeint::rosenbrock4<double>;
    using State = Method::state_type;
    using Matrix = Method::matrix_type;
    odeint::rosenbrock4_controller<Method> stepper;
    RightHandSide f;
    Jacobian jacobian;
    State in, out;

    Impl(std::size_t size, double tolerance, RightHandSide f_, Jacobian jacobian_)
        : stepper(tolerance, tolerance), f(std::move(f_)), jacobian(std::move(jacobian_)), in(size), out(size) {}
};

Rosenbrock::Rosenbrock(std::size_t size, double tolerance, RightHandSide f, Jacobian jacobian)
    : impl_(std::make_unique<Impl>(size, tolerance, std::move(f), std::move(jacobian))) {}
Rosenbrock::~Rosenbrock() = default;

bool Rosenbrock::try_step(double t, const double* x, double* out, double& h) {
    using State = Impl::State;
    Impl& m = *impl_;
    std::copy(x, x + m.in.size(), m.in.begin());
    const auto f = [&m](const State& y, State& dydt, double at) { m.f(at, &y[0], &dydt[0]); };
    const auto jacobian = [&m](const State& y, Impl::Matrix& j, double at, State& dfdt) {
        m.jacobian(at, &y[0], [&](std::size_t row, std::size_t column, double v) {
            if (column < y.size()) j(row, column) = v;
            else dfdt[row] = v;
        });
    };
    const bool accepted = m.stepper.try_step(std::make_pair(f, jacobian), m.in, t, m.out, h) == odeint::success;
    if (accepted) std::copy(m.out.begin(), m.out.end(), out);
    return accepted;
}

}  // namespace deltaflow
