// Products and quotients of germs, where they are defined.
#pragma once

#include "signal/germ.hpp"
#include "signal/leibniz.hpp"
#include "signal/taylor.hpp"

namespace deltaflow {

// A list of rungs as the callable that taylor.hpp and leibniz.hpp read.
template <class S>
auto series(const std::vector<S>& u) {
    return [&u](int k) -> const S& { return u[k]; };
}

// The first n rungs of y, from y[k] = rule(y, k), which reads y below rung k.
template <class S, class Rule>
std::vector<S> unfold(int n, const Rule& rule) {
    std::vector<S> y;
    for (int k = 0; k < n; ++k) y.push_back(rule(series(y), k));
    return y;
}

template <class S>
std::vector<S> convolved(const std::vector<S>& u, const std::vector<S>& v) {
    const int n = static_cast<int>(std::min(u.size(), v.size()));
    return unfold<S>(n, [&](const auto&, int k) { return taylor::product(series(u), series(v), k); });
}

// The impulses of a times u: u must be known, and must not jump, on rungs 0..n (003:31).
template <class S>
std::vector<S> impulses_times(const std::vector<S>& a, const Germ<S>& u) {
    const int n = static_cast<int>(a.size()) - 1;
    if (n < 0) return {};
    if (is_impulsive(u)) throw impulse_meets_impulse(n, impulse_order(u));
    if (rungs(u) <= n) throw rung_not_known(delta_name(n), n);
    if (first_jump(u) <= n) throw impulse_meets_jump(n, first_jump(u));
    std::vector<S> y;
    for (int i = 0; i <= n; ++i) y.push_back(leibniz<S>(i, series(a), n, series(u.left)));
    return y;
}

template <class S>
Germ<S> operator*(const Germ<S>& u, const Germ<S>& v) {
    auto impulses = is_impulsive(u) ? impulses_times(u.impulses, v) : impulses_times(v.impulses, u);
    return make_germ(convolved(u.left, v.left), convolved(u.right, v.right), std::move(impulses));
}

// f on each side of a germ; functions of impulses are not defined (003:34).
template <class S, class F>
Germ<S> on_each_side(std::string_view what, const Germ<S>& u, const F& f) {
    if (is_impulsive(u)) throw function_of_impulse(what, impulse_order(u));
    return {f(u.left), f(u.right), {}};
}

template <class S>
std::vector<S> inverted(const std::vector<S>& u) {
    if (!u.empty() && is_zero(u[0])) throw outside_domain("the inverse", "a value that is not zero");
    return unfold<S>(static_cast<int>(u.size()),
                     [&](const auto& y, int k) { return taylor::inverse(series(u), y, k); });
}

template <class S>
Germ<S> inverse(const Germ<S>& u) {
    return on_each_side("the inverse", u, inverted<S>);
}

template <class S>
Germ<S> operator/(const Germ<S>& u, const Germ<S>& v) {
    return u * inverse(v);
}

// u^n for whole n, by repeated squaring.
template <class S>
Germ<S> power(const Germ<S>& u, int n) {
    if (n < 0) return power(inverse(u), -n);
    if (n == 0) return Germ<S>::constant(S(1), rungs(u));
    if (n % 2 != 0) return n == 1 ? u : u * power(u, n - 1);
    const Germ<S> half = power(u, n / 2);
    return half * half;
}

}  // namespace deltaflow
