#include "engine/numerics/rosenbrock.hpp"

#include "engine/limits.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace deltaflow {

namespace {

constexpr std::size_t stages = 6;
using Table = std::array<std::array<double, stages - 1>, stages>;
constexpr double gamma = 0.25;
// Stage i is looked at in x + sum a g, and its right side has sum c g / h.
constexpr Table a{{{},
                   {1.544},
                   {0.9466785280815826, 0.2557011698983284},
                   {3.314825187068521, 2.896124015972201, 0.9986419139977817},
                   {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950},
                   {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950, 1}}};
constexpr Table c{
    {{},
     {-5.6688},
     {-2.430093356833875, -0.2063599157091915},
     {-0.1073529058151375, -9.594562251023355, -20.47028614809616},
     {7.496443313967647, -10.24680431464352, -33.99990352819905, 11.70890893206160},
     {8.083246795921522, -7.981132988064893, -31.52159432874371, 16.31930543123136, -6.058818238834054}}};

// The pattern with t as a last state: a full last column, and its diagonal.
LinearSolver solver_with_time(std::size_t size, std::span<const std::uint32_t> rows,
                              std::span<const std::uint32_t> columns) {
    std::vector<std::uint32_t> r(rows.begin(), rows.end()), k(columns.begin(), columns.end());
    for (std::uint32_t i = 0; i <= size; ++i) {
        r.push_back(i);
        k.push_back(static_cast<std::uint32_t>(size));
    }
    return LinearSolver(static_cast<int>(size) + 1, r, k);
}

// A chain of states that is long enough is a band.
std::variant<BandSolver, LinearSolver> solver_for(std::size_t size, std::span<const std::uint32_t> rows,
                                                  std::span<const std::uint32_t> columns) {
    if (size > static_cast<std::size_t>(limits::dense_loop) && BandSolver::suits(rows, columns))
        return BandSolver(size, rows, columns);
    return solver_with_time(size, rows, columns);
}

}  // namespace

Rosenbrock::Rosenbrock(std::size_t size, std::span<const std::uint32_t> rows,
                       std::span<const std::uint32_t> columns, RightHandSide f, Jacobian jacobian)
    : size_(size),
      f_(std::move(f)),
      jacobian_(std::move(jacobian)),
      diagonal_(size),
      solver_(solver_for(size, rows, columns)),
      entries_(rows.size()),
      by_time_(size),
      matrix_(rows.size() + size + 1),
      at_(size + 1),
      from_(size + 1),
      y_(size + 1),
      g_(stages, std::vector<double>(size + 1)) {
    for (std::uint32_t e = 0; e < rows.size(); ++e)
        if (rows[e] == columns[e]) diagonal_[rows[e]] = e;
}

void Rosenbrock::know_jacobian(double t, std::span<const double> x) {
    if (known_ && at_[size_] == t && std::equal(x.begin(), x.end(), at_.begin())) return;
    jacobian_(t, x, entries_, by_time_);
    std::copy(x.begin(), x.end(), at_.begin());
    at_[size_] = t;
    known_ = true;
}

// 1 / (gamma h) - J
bool Rosenbrock::factor(double h) {
    const double rate = 1 / gamma / h;
    auto out = std::transform(entries_.begin(), entries_.end(), matrix_.begin(), std::negate<>());
    out = std::transform(by_time_.begin(), by_time_.end(), out, std::negate<>());
    *out = rate;
    for (const std::uint32_t e : diagonal_) matrix_[e] += rate;
    if (auto* band = std::get_if<BandSolver>(&solver_))
        return band->factor(std::span(matrix_).first(entries_.size()));
    return std::get<LinearSolver>(solver_).factor(matrix_);
}

// The last row says what t does: a band has room for the others only.
void Rosenbrock::solve(std::vector<double>& g, double h) const {
    if (const auto* all = std::get_if<LinearSolver>(&solver_)) return all->solve(g);
    g[size_] *= gamma * h;
    for (std::size_t i = 0; i < size_; ++i) g[i] += by_time_[i] * g[size_];
    std::get<BandSolver>(solver_).solve(std::span(g).first(size_));
}

void Rosenbrock::solve_stage(std::size_t stage, double h) {
    std::copy(from_.begin(), from_.end(), y_.begin());
    for (std::size_t j = 0; j < stage; ++j)
        for (std::size_t i = 0; i <= size_; ++i) y_[i] += a[stage][j] * g_[j][i];
    std::vector<double>& g = g_[stage];
    f_(y_[size_], std::span(y_).first(size_), std::span(g).first(size_));
    g[size_] = 1;
    for (std::size_t j = 0; j < stage; ++j)
        for (std::size_t i = 0; i <= size_; ++i) g[i] += c[stage][j] / h * g_[j][i];
    solve(g, h);
}

void Rosenbrock::step(double t, std::span<const double> x, double h, std::span<double> out,
                      std::span<double> error) {
    std::copy(x.begin(), x.end(), from_.begin());
    from_[size_] = t;
    know_jacobian(t, x);
    if (!factor(h)) return std::fill(error.begin(), error.end(), HUGE_VAL);
    for (std::size_t stage = 0; stage < stages; ++stage) solve_stage(stage, h);
    for (std::size_t i = 0; i < size_; ++i) {
        error[i] = g_.back()[i];
        out[i] = y_[i] + error[i];
    }
}

}  // namespace deltaflow
