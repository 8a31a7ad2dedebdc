// The rules of blocks (blocks/kernels.hpp) in exact numbers, and exact elimination for loops.
#pragma once

#include "blocks/kernels.hpp"
#include "engine/model/run_failure.hpp"
#include "signal/quadratic.hpp"

#include <cstdint>
#include <vector>

namespace deltaflow::closed_form {

namespace rules {

// c0 + sum ci ui (003:18, 19)
template <class V>
Quadratic affine(const V& v, int k) {
    Quadratic sum = k == 0 ? Quadratic(v.p(0)) : Quadratic(0);
    for (int j = 0; j < v.input_count(); ++j) sum = sum + v.p(j + 1) * v.u(j)(k);
    return sum;
}

template <class V>
Quadratic schedule(const V& v, int k) {
    const auto& piece = v.piece();
    if (k == 0) return piece.value + piece.slope * (v.t() - piece.since);
    return k == 1 ? piece.slope : Quadratic(0);
}

// sum_j C(j,k) c_j t^(j-k), by Horner
template <class V>
Quadratic polynomial(const V& v, int k) {
    Quadratic sum;
    for (int j = v.parameter_count() - 1; j >= k; --j) {
        Integer binomial = 1;
        for (int i = 1; i <= k; ++i) binomial = binomial * (j - k + i) / i;
        sum = sum * v.t() + Quadratic(Rational(binomial)) * v.p(j);
    }
    return sum;
}

// Branch b is y_b + s_b (u - x_b).
template <class V>
Quadratic piecewise(const V& v, int k) {
    const int at = 1 + static_cast<int>(v.p(0)) + 3 * v.branch();
    if (is_zero(v.p(at + 1))) return k == 0 ? Quadratic(v.p(at)) : Quadratic(0);
    if (k > 0) return v.p(at + 1) * v.u(0)(k);
    return v.p(at) + v.p(at + 1) * (v.u(0)(0) - v.p(at + 2));
}

// The weight of a side that slides: c^(r) = 0.
template <class V>
Quadratic held(const V& v, int k) {
    const int order = static_cast<int>(to_double(v.p(0)));
    Integer factor = 1;
    for (int i = 1; i <= order; ++i) factor = factor * (k + i);
    return v.u(1)(k) + Quadratic(Rational(factor)) * v.u(0)(k + order);
}

template <class V>
Quadratic inverse(const V& v, int k) {
    if (k == 0 && is_zero(v.u(0)(0)))
        throw RunFailure{.kind = ErrorKind::not_finite,
                         .node = v.id,
                         .what = "a pole: the value is not finite",
                         .advice = "keep the input away from the singular point",
                         .show_inputs = true};
    return Rule<Primitive::inverse>::rung(v, k);
}

template <class V>
Quadratic square_root(const V& v, int k) {
    if (k > 0) {
        if (!is_zero(v.y()(0))) return Rule<Primitive::sqrt>::rung(v, k);
        for (int j = 1; j <= k; ++j)
            if (!is_zero(v.u(0)(j)))
                throw RunFailure{.kind = ErrorKind::not_finite,
                                 .node = v.id,
                                 .what = "a branch point: the root of a signal that is zero"};
        return Quadratic(0);
    }
    if (sign(v.u(0)(0)) < 0)
        throw RunFailure{.kind = ErrorKind::not_finite,
                         .node = v.id,
                         .what = "the root of a negative number",
                         .advice = "keep the input away from the singular point",
                         .show_inputs = true};
    try {
        return Rule<Primitive::sqrt>::rung(v, 0);
    } catch (const std::domain_error&) {
        throw RunFailure{.kind = ErrorKind::model,
                         .node = v.id,
                         .what = "this square root is no fraction",
                         .advice = "square roots come in by themselves, as times of events"};
    }
}

}  // namespace rules

// Rung k of a block of any kind that has a closed form.
template <class V>
Quadratic exact_rung(Primitive op, const V& v, int k) {
    switch (op) {
        case Primitive::affine:
            return rules::affine(v, k);
        case Primitive::schedule:
            return rules::schedule(v, k);
        case Primitive::polynomial:
            return rules::polynomial(v, k);
        case Primitive::piecewise:
            return rules::piecewise(v, k);
        case Primitive::inverse:
            return rules::inverse(v, k);
        case Primitive::sqrt:
            return rules::square_root(v, k);
        case Primitive::constant:
            return Rule<Primitive::constant>::rung(v, k);
        case Primitive::time:
            return Rule<Primitive::time>::rung(v, k);
        case Primitive::product:
            return Rule<Primitive::product>::rung(v, k);
        case Primitive::held:
            return rules::held(v, k);
        case Primitive::integrator:
            return Rule<Primitive::integrator>::rung(v, k);
        case Primitive::derivative:
            return Rule<Primitive::derivative>::rung(v, k);
        case Primitive::delay:
            return Rule<Primitive::delay>::rung(v, k);
        case Primitive::decision:
            return Rule<Primitive::decision>::rung(v, k);
        case Primitive::floor:
            return Rule<Primitive::floor>::rung(v, k);
        case Primitive::sign:
            return Rule<Primitive::sign>::rung(v, k);
        case Primitive::hysteresis:
            return Rule<Primitive::hysteresis>::rung(v, k);
        case Primitive::pre:
            return Rule<Primitive::pre>::rung(v, k);
        case Primitive::hold:
            return Rule<Primitive::hold>::rung(v, k);
        case Primitive::unit_delay:
            return Rule<Primitive::unit_delay>::rung(v, k);
        case Primitive::assertion:
            return Rule<Primitive::assertion>::rung(v, k);
        default:
            return Quadratic(0);  // crossing, strength, free; functions are refused before
    }
}

// a x = b by elimination; false if a is singular.
bool eliminate(std::vector<std::vector<Quadratic>>& a, std::vector<Quadratic>& b);

enum class Outcome : std::uint8_t { solved, singular, nonlinear };

// Sets what depends on no other unknown, and gives the others.
template <class E>
std::vector<std::size_t> peel(E& e) {
    const std::size_t n = e.size();
    std::vector<std::size_t> reads(n, 0), free, rest;
    for (std::size_t j = 0; j < n; ++j)
        for (const std::size_t i : e.readers(j)) ++reads[i];
    for (std::size_t i = 0; i < n; ++i)
        if (reads[i] == 0) free.push_back(i);
    for (std::size_t k = 0; k < free.size(); ++k) {
        e.cell(free[k]) = e.evaluate(free[k]);
        for (const std::size_t i : e.readers(free[k]))
            if (--reads[i] == 0) free.push_back(i);
    }
    for (std::size_t i = 0; i < n; ++i)
        if (reads[i] > 0) rest.push_back(i);
    return rest;
}

// One step of Newton's method on the unknowns `rest`; F along each axis tells its slope where F is affine.
template <class E>
bool improve(E& e, const std::vector<std::size_t>& rest, std::vector<Quadratic> misfit) {
    const std::size_t n = rest.size();
    std::vector<std::size_t> place(e.size(), n);
    for (std::size_t i = 0; i < n; ++i) place[rest[i]] = i;
    std::vector<std::vector<Quadratic>> matrix(n, std::vector<Quadratic>(n));
    for (std::size_t j = 0; j < n; ++j) {
        const Quadratic here = e.cell(rest[j]);
        e.cell(rest[j]) = here + Quadratic(1);
        for (const std::size_t i : e.readers(rest[j]))
            if (place[i] < n && i != rest[j])
                matrix[place[i]][j] = misfit[place[i]] - (e.evaluate(i) - e.cell(i));
            else if (i == rest[j])
                matrix[j][j] = misfit[j] - (e.evaluate(i) - here);
        e.cell(rest[j]) = here;
        matrix[j][j] = matrix[j][j] + Quadratic(1);
    }
    if (!eliminate(matrix, misfit)) return false;
    for (std::size_t j = 0; j < n; ++j) e.cell(rest[j]) = e.cell(rest[j]) + misfit[j];
    return true;
}

// Is F straight along every axis? x = x^2 is not, and has more solutions than one.
template <class E>
bool is_straight(E& e, const std::vector<std::size_t>& rest) {
    for (const std::size_t j : rest)
        for (const std::size_t i : e.readers(j)) {
            const Quadratic here = e.cell(j);
            std::vector<Quadratic> values;
            for (int step = 0; step <= 2; ++step) {
                e.cell(j) = here + Quadratic(step);
                values.push_back(e.evaluate(i));
            }
            e.cell(j) = here;
            if (!(values[2] - values[1] == values[1] - values[0])) return false;
        }
    return true;
}

// A step solves what is affine, another one what is affine once that is known, and so on; that the result
// fits is verified.
template <class E>
Outcome solve_rest(E& e, const std::vector<std::size_t>& rest) {
    constexpr int steps = 6;
    for (int step = 0; step <= steps; ++step) {
        std::vector<Quadratic> misfit;
        bool fits = true;
        for (const std::size_t i : rest) {
            misfit.push_back(e.evaluate(i) - e.cell(i));
            fits = fits && is_zero(misfit.back());
        }
        if (fits && step > 0) return Outcome::solved;
        if (step < steps && !improve(e, rest, std::move(misfit)))
            return is_straight(e, rest) ? Outcome::singular : Outcome::nonlinear;
    }
    return Outcome::nonlinear;
}

// Unknowns x_i = F_i(x): evaluate(i) gives F_i for what is in the cells, readers(j) the i that read x_j.
// Where F has a pole it is not affine: no more is known of the solution than that.
template <class E>
Outcome solve_affine(E& e) {
    for (std::size_t i = 0; i < e.size(); ++i) e.cell(i) = Quadratic(0);
    const std::vector<std::size_t> rest = peel(e);
    if (rest.empty()) return Outcome::solved;
    try {
        return solve_rest(e, rest);
    } catch (const RunFailure& failure) {
        if (failure.kind != ErrorKind::not_finite) throw;
        return Outcome::nonlinear;
    }
}

}  // namespace deltaflow::closed_form
