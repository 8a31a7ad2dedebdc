// The symbolic rules against analysis: impulses become narrow bells, operations act on numbers, and the
// result is paired with test functions. As the bells shrink it must tend to what the rule says.
#include "signal/elementary.hpp"
#include "tests/signal/dice.hpp"
#include "tests/signal/germs.hpp"

#include <boost/math/quadrature/gauss.hpp>

#include <cmath>
#include <functional>
#include <utility>

using namespace deltaflow;
using G = Germ<double>;
using Function = std::function<double(double)>;

namespace {

// Germs here are polynomials on each side: with this many rungs nothing is cut off by a product.
constexpr int known = 8, degree = 3, impulse_orders = 3;
constexpr double reach = 2.5;  // no test function reaches farther

std::vector<double> numbers(Dice& dice, int count, int size) {
    std::vector<double> y(size, 0.0);
    for (int k = 0; k < count; ++k) y[k] = dice.between(-2, 2);
    return y;
}

std::vector<double> polynomial(Dice& dice) { return numbers(dice, degree + 1, known); }

G draw_germ(Dice& dice) {
    auto left = polynomial(dice), right = polynomial(dice);
    return {left, right, numbers(dice, impulse_orders, impulse_orders)};
}

// phi(x) = (1 + slope x) exp(-1 / (1 - ((x - centre) / width)^2)): smooth, and 0 from |x - centre| = width
// on.
struct Bump {
    double slope, centre, width;

    double operator()(double x) const {
        const double z = (x - centre) / width;
        return z * z < 1 ? (1 + slope * x) * std::exp(-1 / (1 - z * z)) : 0;
    }
    G germ(double x) const {
        const G t = G::time(x, known), one = G::constant(1, known);
        const G z = (1 / width) * (t - G::constant(centre, known));
        return (one + slope * t) * exp(-inverse(one - z * z));
    }
};

// Its support holds the instant 0 well inside.
Bump bump(Dice& dice) { return {dice.between(-1, 1), dice.between(-0.3, 0.3), dice.between(1.2, 1.8)}; }

// He_i, the probabilists' Hermite polynomial
double hermite(int i, double x) {
    double before = 0, now = 1;
    for (int k = 0; k < i; ++k) before = std::exchange(now, x * now - k * before);
    return now;
}

// The i-th derivative of the Gaussian bell of the given width.
double bell(int i, double width, double t) {
    const double x = t / width, pi = std::acos(-1.0);
    const double top = std::exp(-x * x / 2) / (width * std::sqrt(2 * pi));
    return (i % 2 == 0 ? 1 : -1) * hermite(i, x) * top / std::pow(width, i);
}

double smooth_step(double width, double t) { return std::erfc(-t / (width * std::sqrt(2.0))) / 2; }

// A germ with bells for impulses and smooth steps for jumps.
Function mollified(const G& u, double width) {
    return [=](double t) {
        const double left = value_at(u.left, t), right = value_at(u.right, t);
        double y = left + (right - left) * smooth_step(width, t);
        for (int i = 0; i <= impulse_order(u); ++i) y += u.impulses[i] * bell(i, width, t);
        return y;
    };
}

template <class F>
double cell(const F& f, double a, double b) {
    return boost::math::quadrature::gauss<double, 10>::integrate(f, a, b);
}

// The integral of f from -reach to reach, over cells as wide as a bell; 0 is an edge of cells.
template <class F>
double integrate(const F& f, double width) {
    double sum = 0;
    const int n = static_cast<int>(std::ceil(reach / width));
    for (int j = -n; j < n; ++j) sum += cell(f, j * reach / n, (j + 1) * reach / n);
    return sum;
}

double pair(const Function& f, const Bump& phi, double width) {
    return integrate([&](double t) { return f(t) * phi(t); }, width);
}

// <u, phi> = integral of {left, right} phi + sum_i (-1)^i a[i] phi^(i)(0)  (003:10, 11)
double pair(const G& u, const Bump& phi) {
    const auto regular = [&](double t) { return value_at(t < 0 ? u.left : u.right, t) * phi(t); };
    double sum = integrate(regular, 0.05), factorial = 1;
    const auto at_0 = phi.germ(0).left;
    for (int i = 0; i <= impulse_order(u); ++i, factorial *= -i) sum += u.impulses[i] * factorial * at_0[i];
    return sum;
}

// The step shrinks with the bell, so this error is of order 2 as well.
Function difference_quotient(const Function& f, double width) {
    const double h = width / 16;
    return [=](double t) { return (f(t + h) - f(t - h)) / (2 * h); };
}

// <integral of f from -reach on, phi>; `start` is its value at -reach.
double pair_integral(const Function& f, double start, const Bump& phi, double width) {
    double sum = 0, running = start;
    const int n = static_cast<int>(std::ceil(reach / width));
    for (int j = -n; j < n; ++j) {
        const double a = j * reach / n, b = (j + 1) * reach / n;
        sum += cell([&](double t) { return phi(t) == 0 ? 0 : (running + cell(f, a, t)) * phi(t); }, a, b);
        running += cell(f, a, b);
    }
    return sum;
}

// One try: what the rule says, and what bells of a given width give.
struct Experiment {
    double exact;
    std::function<double(double width)> mollified;
};

constexpr double width = 0.04;
// A symmetric bell leaves an error of order 2; the next term, of order 4, is below a percent of it here.
constexpr double order_margin = 0.01;
// What two extrapolations leave is width^6 times high derivatives of the bump, and rounding of the
// highest bells (2e7) times 1e-16 over the step of the difference quotient.
constexpr double extrapolated_margin = 1e-7;

// Three widths: the error shrinks with order 2, and two extrapolations give the value of the rule.
void check_convergence(const std::function<Experiment(Dice&)>& draw) {
    Dice dice;
    double coarse = 0, fine = 0;
    for (int i = 0; i < 12; ++i) {
        const Experiment e = draw(dice);
        const double y1 = e.mollified(width), y2 = e.mollified(width / 2), y4 = e.mollified(width / 4);
        coarse += std::abs(y2 - e.exact);
        fine += std::abs(y4 - e.exact);
        const double second = (4 * y2 - y1) / 3, fourth = (16 * ((4 * y4 - y2) / 3) - second) / 15;
        CAPTURE(i, e.exact, y1, y2, y4);
        CHECK(fourth ==
              Approx(e.exact).epsilon(0).margin(extrapolated_margin * std::max(1.0, std::abs(e.exact))));
    }
    CHECK(std::log2(coarse / fine) == Approx(2).epsilon(0).margin(order_margin));
}

}  // namespace

TEST_CASE("a germ is the limit of its mollified functions") {
    check_convergence([](Dice& dice) -> Experiment {
        const G u = draw_germ(dice);
        const Bump phi = bump(dice);
        return {pair(u, phi), [=](double w) { return pair(mollified(u, w), phi, w); }};
    });
}

TEST_CASE("sum, negation and gain are the limit of sums and multiples (003:18, 19)") {
    check_convergence([](Dice& dice) -> Experiment {
        const G u = draw_germ(dice), v = draw_germ(dice);
        const double c = dice.between(-3, 3);
        const Bump phi = bump(dice);
        const auto combine = [=](double w) -> Function {
            return [f = mollified(u, w), g = mollified(v, w), c](double t) { return -f(t) + c * g(t); };
        };
        return {pair(-u + c * v, phi), [=](double w) { return pair(combine(w), phi, w); }};
    });
}

TEST_CASE("the product with a smooth factor is the limit of products (003:31)") {
    check_convergence([](Dice& dice) -> Experiment {
        const G u = draw_germ(dice), factor = smooth_germ(polynomial(dice));
        const Bump phi = bump(dice);
        const auto multiply = [=](double w) -> Function {
            return [f = mollified(u, w), p = factor.left](double t) { return f(t) * value_at(p, t); };
        };
        return {pair(u * factor, phi), [=](double w) { return pair(multiply(w), phi, w); }};
    });
}

TEST_CASE("the derivative is the limit of difference quotients (003:29)") {
    check_convergence([](Dice& dice) -> Experiment {
        const G u = draw_germ(dice);
        const Bump phi = bump(dice);
        return {pair(derivative(u), phi),
                [=](double w) { return pair(difference_quotient(mollified(u, w), w), phi, w); }};
    });
}

TEST_CASE("the integral is the limit of running integrals (003:30)") {
    check_convergence([](Dice& dice) -> Experiment {
        const G u = draw_germ(dice), y = integral(u, dice.between(-2, 2));
        const Bump phi = bump(dice);
        const double start = value_at(y.left, -reach);
        return {pair(y, phi), [=](double w) { return pair_integral(mollified(u, w), start, phi, w); }};
    });
}

// phi(x) = (1 + x) exp(-1 / (1 - ((x - 1.2) / 1.5)^2)), paired with u delta^(n)(t - 1); computed to 30
// digits.
TEST_CASE("products paired with a test function give the reference values") {
    struct Row {
        G u;
        std::vector<double> exact;  // n = 0, ..., 4
    };
    const G t = G::time(1, known);
    const std::vector<Row> rows{
        {t * t * t,
         {0.7225617706423337, -2.662113674486165, 6.745687981994967, -7.553696444222261,
          -17.437291390810486}},
        {exp(-t),
         {0.26581562039574963, 0.08392559067817319, -0.30259841458613645, -0.6453975447061009,
          -1.1291653466321037}},
        {sin(t),
         {0.608014764726942, -0.806448911969834, -0.5418038018755387, 3.108262123894111,
          -0.1017219844713967}},
    };
    constexpr double rounding = 1e-13;  // sums of terms up to 100, each good to 1e-16 of itself
    const auto phi = Bump{1, 1.2, 1.5}.germ(1).left;
    for (const Row& row : rows)
        for (int n = 0; n < static_cast<int>(row.exact.size()); ++n) {
            const auto y = row.u * G::delta(n, known);
            double sum = 0, factorial = 1;
            for (int i = 0; i <= impulse_order(y); ++i, factorial *= -i)
                sum += y.impulses[i] * factorial * phi[i];
            CAPTURE(n, row.u);
            CHECK(sum == Approx(row.exact[n]).epsilon(0).margin(rounding));
        }
}
