// The only file that includes uBLAS; compiled as C++17.
#include "engine/numerics/rosenbrock.hpp"

#include <boost/numeric/odeint/stepper/rosenbrock4.hpp>

#include <algorithm>
#include <utility>

namespace deltaflow {

namespace odeint = boost::numeric::odeint;

// Boost's method is of first order only where f depends on t, so t is a state of its own, the last: t' = 1.
struct Rosenbrock::Impl {
    using Method = odeint::rosenbrock4<double>;
    using State = Method::state_type;
    using Matrix = Method::matrix_type;
    Method stepper;
    RightHandSide f;
    Jacobian jacobian;
    State in, out, error;
    State at;  // where `matrix` belongs to
    Matrix matrix;
    bool known = false;

    Impl(std::size_t size, RightHandSide f_, Jacobian jacobian_)
        : f(std::move(f_)),
          jacobian(std::move(jacobian_)),
          in(size + 1),
          out(size + 1),
          error(size + 1),
          at(size + 1),
          matrix(size + 1, size + 1) {}

    void know_matrix(const State& y) {
        if (known && std::equal(y.begin(), y.end(), at.begin())) return;
        const std::size_t size = y.size() - 1;
        for (std::size_t column = 0; column <= size; ++column) matrix(size, column) = 0;
        jacobian(y[size], &y[0],
                 [&](std::size_t row, std::size_t column, double v) { matrix(row, column) = v; });
        at = y;
        known = true;
    }
};

Rosenbrock::Rosenbrock(std::size_t size, RightHandSide f, Jacobian jacobian)
    : impl_(std::make_unique<Impl>(size, std::move(f), std::move(jacobian))) {}
Rosenbrock::~Rosenbrock() = default;

void Rosenbrock::forget() { impl_->known = false; }
double Rosenbrock::jacobian(std::size_t row, std::size_t column) const { return impl_->matrix(row, column); }

void Rosenbrock::step(double t, const double* x, double h, double* out, double* error) {
    using State = Impl::State;
    Impl& m = *impl_;
    const std::size_t size = m.in.size() - 1;
    std::copy(x, x + size, m.in.begin());
    m.in[size] = t;
    const auto f = [&m, size](const State& y, State& dydt, double) {
        m.f(y[size], &y[0], &dydt[0]);
        dydt[size] = 1;
    };
    const auto jacobian = [&m](const State& y, Impl::Matrix& j, double, State& dfdt) {
        m.know_matrix(y);
        j = m.matrix;
        std::fill(dfdt.begin(), dfdt.end(), 0.0);
    };
    m.stepper.do_step(std::make_pair(f, jacobian), m.in, t, m.out, h, m.error);
    const auto count = static_cast<std::ptrdiff_t>(size);
    std::copy(m.out.begin(), m.out.begin() + count, out);
    std::copy(m.error.begin(), m.error.begin() + count, error);
}

}  // namespace deltaflow
