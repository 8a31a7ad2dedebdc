#include "bonds/field.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace deltaflow::bonds {

namespace {

// A coupling of 1 leaves rounding where there should be nothing: k sqrt(L1 L2) squared is not L1 L2.
constexpr double rounding = 1e-12;

void check_symmetry(const Matrix& a) {
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const double x = a[j][i].value, y = a[i][j].value;
            if (std::abs(x - y) <= rounding * std::max(std::abs(x), std::abs(y))) continue;
            throw std::invalid_argument(
                fmt::format("must be symmetric: [{}][{}] is {} and [{}][{}] is {}", j, i, x, i, j, y));
        }
}

// What is left of the diagonal where others have taken their part.
bool is_nothing(const Number& left, const Number& whole) {
    return left.exact ? is_zero(left) : std::abs(left.value) <= rounding * std::abs(whole.value);
}

[[noreturn]] void refuse(std::size_t port) {
    throw std::invalid_argument(
        port == 0 ? "holds less than nothing: [0][0] must not be negative"
                  : fmt::format("holds less than nothing: what couples port {} with those before it is too "
                                "large (of two ports, |M| is at most sqrt(L1 L2))",
                                port));
}

}  // namespace

std::vector<Number> Factors::inside(std::vector<Number> p) const {
    for (std::size_t j = 0; j < p.size(); ++j)
        for (std::size_t k = j + 1; k < p.size(); ++k) p[k] = p[k] - ratios[j][k] * p[j];
    return p;
}

Factors factors_of(Matrix a) {
    check_symmetry(a);
    const Matrix whole = a;
    const std::size_t n = a.size();
    Factors result{{}, Matrix(n, std::vector<Number>(n, number_from_double(0)))};
    for (std::size_t j = 0; j < n; ++j) {
        result.ratios[j][j] = number_from_double(1);
        const bool nothing = is_nothing(a[j][j], whole[j][j]);
        if (!nothing && a[j][j].value < 0) refuse(j);
        result.pivots.push_back(nothing ? number_from_double(0) : a[j][j]);
        for (std::size_t k = j + 1; k < n; ++k) {
            const double size = std::sqrt(std::abs(whole[j][j].value * whole[k][k].value));
            if (nothing && std::abs(a[j][k].value) > rounding * size) refuse(k);
            if (!nothing) result.ratios[j][k] = a[j][k] / a[j][j];
        }
        for (std::size_t i = j + 1; i < n && !nothing; ++i)
            for (std::size_t k = i; k < n; ++k)
                a[i][k] = a[i][k] - result.ratios[j][i] * result.ratios[j][k] * a[j][j];
    }
    return result;
}

}  // namespace deltaflow::bonds
