// Rung k of a function of Taylor series, from rungs 0..k of its arguments and 0..k-1 of itself.
//
// A series is any callable that gives its rung k, u(k) = u^(k)/k!. The same formulas serve doubles,
// numbers with a rounding bound, intervals, dual numbers and fractions.
#pragma once

#include "signal/interval.hpp"

#include <cmath>
#include <type_traits>

namespace deltaflow::taylor {

using std::asin;
using std::atan;
using std::atan2;
using std::cos;
using std::cosh;
using std::exp;
using std::log;
using std::pow;
using std::sin;
using std::sinh;
using std::sqrt;
using std::tan;
using std::tanh;

// (u v)[k] = sum_j u[j] v[k-j]
template <class U, class V>
auto product(const U& u, const V& v, int k) {
    if constexpr (std::is_same_v<decltype(u(0) * v(0)), Interval>) {
        SumOfProducts all;
        for (int j = 0; j <= k; ++j) all.add(u(j), v(k - j));
        return all.sum();
    }
    auto sum = u(0) * v(k);
    for (int j = 1; j <= k; ++j) sum = sum + u(j) * v(k - j);
    return sum;
}

// The same of one signal, for intervals, which forget that both factors are one: each pair once.
template <class U>
Interval squared(const U& u, int k) {
    SumOfProducts pairs;
    for (int j = 0; 2 * j < k; ++j) pairs.add(u(j), u(k - j), 2);
    return k % 2 == 0 ? pairs.sum() + square(u(k / 2)) : pairs.sum();
}

// y = 1/u:  y[k] = -(sum_{j>=1} u[j] y[k-j]) / u[0]
template <class U, class Y>
auto inverse(const U& u, const Y& y, int k) {
    using S = decltype(u(0) * y(0));
    if (k == 0) return S(1) / u(0);
    if constexpr (std::is_same_v<S, Interval>) {
        SumOfProducts all;
        for (int j = 1; j <= k; ++j) all.add(u(j), y(k - j));
        return S(-all.sum() / u(0));
    }
    S sum = u(1) * y(k - 1);
    for (int j = 2; j <= k; ++j) sum = sum + u(j) * y(k - j);
    return S(-sum / u(0));
}

// sum_{j=1..last} j a[j] b[k-j]: what y' = a' b gives for k y[k]
template <class A, class B>
auto weighted(const A& a, const B& b, int k, int last) {
    using S = decltype(a(0) * b(0));
    if constexpr (std::is_same_v<S, Interval>) {
        SumOfProducts all;
        for (int j = 1; j <= last; ++j) all.add(a(j), b(k - j), j);
        return all.sum();
    }
    S sum = S(0);
    for (int j = 1; j <= last; ++j) sum = sum + S(j) * (a(j) * b(k - j));
    return sum;
}

// y' = w u':  y[k] = (1/k) sum_{j=1..k} j u[j] w[k-j]; w is read below rung k only.
template <class U, class W>
auto chain(const U& u, const W& w, int k) {
    auto sum = weighted(u, w, k, k);
    return decltype(sum)(sum / decltype(sum)(k));
}

// y' = u' / w:  y[k] = (u[k] - (1/k) sum_{j=1..k-1} j y[j] w[k-j]) / w[0]
template <class U, class W, class Y>
auto quotient_chain(const U& u, const W& w, const Y& y, int k) {
    auto sum = weighted(y, w, k, k - 1);
    using S = decltype(sum);
    return S((u(k) - sum / S(k)) / w(0));
}

template <class U, class Y>
auto exponential(const U& u, const Y& y, int k) {
    using S = decltype(u(0) * u(0));
    return k == 0 ? S(exp(u(0))) : chain(u, y, k);
}

template <class U, class Y>
auto logarithm(const U& u, const Y& y, int k) {
    using S = decltype(u(0) * u(0));
    return k == 0 ? S(log(u(0))) : quotient_chain(u, u, y, k);
}

// y^2 = u
template <class U, class Y>
auto square_root(const U& u, const Y& y, int k) {
    using S = decltype(u(0) * u(0));
    if (k == 0) return S(sqrt(u(0)));
    S sum = u(k);
    for (int j = 1; j < k; ++j) sum = sum - y(j) * y(k - j);
    return S(sum / (S(2) * y(0)));
}

// y = u^c:  u y' = c u' y
template <class U, class Y, class C>
auto power(const U& u, const Y& y, const C& c, int k) {
    using S = decltype(u(0) * u(0));
    if (k == 0) return S(pow(u(0), c));
    S sum = S(0);
    for (int j = 1; j <= k; ++j) sum = sum + (S(c) * S(j) - S(k - j)) * (u(j) * y(k - j));
    return S(sum / (S(k) * u(0)));
}

}  // namespace deltaflow::taylor
