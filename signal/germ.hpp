// The germ of a distribution at an instant, and what acts on it rung by rung.
//
//   order    ...  -3     -2     -1   |   0       1        2     ...
//   means        delta'' delta' delta | value  slope  curvature ...
#pragma once

#include "signal/rational.hpp"
#include "signal/regularity.hpp"
#include "signal/undefined.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>
#include <vector>

namespace deltaflow {

inline bool is_zero(double x) { return x == 0; }
inline int sign(double x) { return (x > 0) - (x < 0); }

// u = {left, right} + sum_i impulses[i] delta^(i) around the instant (003:16, 17).
// left and right hold the Taylor rungs u^(k)/k! just before and just after, equally many of them; rungs
// beyond are not known (they need not be zero). The last impulse is not zero.
template <class S>
struct Germ {
    std::vector<S> left, right;
    std::vector<S> impulses;

    static Germ constant(S c, int rungs);
    static Germ time(S t, int rungs);         // t, 1, 0, 0, ...
    static Germ step(int rungs);              // Heaviside's 0 | 1
    static Germ delta(int order, int rungs);  // 0 + delta^(order)

    friend bool operator==(const Germ&, const Germ&) = default;
};

template <class S>
int rungs(const Germ<S>& u) {
    return static_cast<int>(u.left.size());
}

template <class S>
bool is_impulsive(const Germ<S>& u) {
    return !u.impulses.empty();
}

// The highest derivative of delta that u carries; -1 if none.
template <class S>
int impulse_order(const Germ<S>& u) {
    return static_cast<int>(u.impulses.size()) - 1;
}

// Makes a germ of its parts: drops the trailing zeros of the impulses.
template <class S>
Germ<S> make_germ(std::vector<S> left, std::vector<S> right, std::vector<S> impulses) {
    while (!impulses.empty() && is_zero(impulses.back())) impulses.pop_back();
    return {std::move(left), std::move(right), std::move(impulses)};
}

template <class S>
Germ<S> smooth_germ(std::vector<S> taylor) {
    return {taylor, taylor, {}};
}

template <class S>
Germ<S> Germ<S>::constant(S c, int rungs) {
    std::vector<S> taylor(rungs, S(0));
    if (rungs > 0) taylor[0] = c;
    return smooth_germ(taylor);
}

template <class S>
Germ<S> Germ<S>::time(S t, int rungs) {
    Germ u = constant(t, rungs);
    if (rungs > 1) u.left[1] = u.right[1] = S(1);
    return u;
}

template <class S>
Germ<S> Germ<S>::step(int rungs) {
    return {constant(S(0), rungs).left, constant(S(1), rungs).right, {}};
}

template <class S>
Germ<S> Germ<S>::delta(int order, int rungs) {
    Germ u = constant(S(0), rungs);
    u.impulses.assign(order + 1, S(0));
    u.impulses[order] = S(1);
    return u;
}

// The first n rungs of a sum; what a list does not have is zero.
template <class S>
std::vector<S> sum(const std::vector<S>& u, const std::vector<S>& v, std::size_t n) {
    std::vector<S> y(n, S(0));
    for (std::size_t k = 0; k < n; ++k) {
        if (k < u.size()) y[k] = u[k];
        if (k < v.size()) y[k] = y[k] + v[k];
    }
    return y;
}

// y[k] = u[k] + v[k] (003:18)
template <class S>
Germ<S> operator+(const Germ<S>& u, const Germ<S>& v) {
    const std::size_t n = std::min(rungs(u), rungs(v));
    return make_germ(sum(u.left, v.left, n), sum(u.right, v.right, n),
                     sum(u.impulses, v.impulses, std::max(u.impulses.size(), v.impulses.size())));
}

template <class S>
std::vector<S> scaled(const S& c, std::vector<S> u) {
    for (S& rung : u) rung = c * rung;
    return u;
}

// y[k] = c u[k] (003:19 for c = -1)
template <class S>
Germ<S> operator*(const std::type_identity_t<S>& c, const Germ<S>& u) {
    return make_germ(scaled(c, u.left), scaled(c, u.right), scaled(c, u.impulses));
}

template <class S>
Germ<S> operator-(const Germ<S>& u) {
    return S(-1) * u;
}

template <class S>
Germ<S> operator-(const Germ<S>& u, const Germ<S>& v) {
    return u + -v;
}

// y[k] = (k+1) u[k+1]
template <class S>
std::vector<S> differentiated(const std::vector<S>& u) {
    std::vector<S> y;
    for (std::size_t k = 1; k < u.size(); ++k) y.push_back(S(static_cast<int>(k)) * u[k]);
    return y;
}

// Every rung moves down; what falls across the bar is the jump: y[-1] = u_right[0] - u_left[0] (003:29).
template <class S>
Germ<S> derivative(const Germ<S>& u) {
    if (rungs(u) == 0) throw rung_not_known("a derivative", 0);
    std::vector<S> impulses{u.right[0] - u.left[0]};
    impulses.insert(impulses.end(), u.impulses.begin(), u.impulses.end());
    return make_germ(differentiated(u.left), differentiated(u.right), std::move(impulses));
}

template <class S>
Germ<S> derivative(Germ<S> u, int n) {
    for (; n > 0; --n) u = derivative(u);
    return u;
}

// y[0] is given, y[k] = u[k-1] / k
template <class S>
std::vector<S> integrated(const std::vector<S>& u, const S& value) {
    std::vector<S> y{value};
    for (const S& rung : u) y.push_back(rung / S(static_cast<int>(y.size())));
    return y;
}

// Every rung moves up, from the value before the instant; what climbs across the bar is a jump:
// y_right[0] = y_left[0] + u[-1] (003:30).
template <class S>
Germ<S> integral(const Germ<S>& u, const std::type_identity_t<S>& before) {
    if (!is_impulsive(u)) return {integrated(u.left, before), integrated(u.right, before), {}};
    return {integrated(u.left, before), integrated(u.right, S(before + u.impulses[0])),
            std::vector<S>(u.impulses.begin() + 1, u.impulses.end())};
}

// The n-fold integral; before[j] is the value of the (j+1)-fold one just before the instant.
template <class S>
Germ<S> repeated_integral(Germ<S> u, const std::vector<S>& before) {
    for (const S& value : before) u = integral(u, value);
    return u;
}

// The left limit on both sides. Impulses do not pass.
template <class S>
Germ<S> pre(const Germ<S>& u) {
    return smooth_germ(u.left);
}

// The sign of u just after the instant: the first rung that is not zero decides (003:20-23).
template <class S>
int sign_after(const Germ<S>& u) {
    if (is_impulsive(u)) throw function_of_impulse("the sign", impulse_order(u));
    for (const S& rung : u.right)
        if (!is_zero(rung)) return sign(rung);
    return 0;
}

// The sign of u just before the instant: rungs of odd order have the other sign there.
template <class S>
int sign_before(const Germ<S>& u) {
    if (is_impulsive(u)) throw function_of_impulse("the sign", impulse_order(u));
    for (std::size_t k = 0; k < u.left.size(); ++k)
        if (!is_zero(u.left[k])) return k % 2 == 0 ? sign(u.left[k]) : -sign(u.left[k]);
    return 0;
}

// The lowest rung on which left and right differ; as many as are known if they agree on all.
template <class S>
int first_jump(const Germ<S>& u) {
    const auto agree = [](const S& left, const S& right) { return is_zero(S(right - left)); };
    return static_cast<int>(std::mismatch(u.left.begin(), u.left.end(), u.right.begin(), agree).first -
                            u.left.begin());
}

// Smooth as far as is known, if no rung jumps.
template <class S>
Regularity regularity(const Germ<S>& u) {
    if (is_impulsive(u)) return Regularity::delta(impulse_order(u));
    const int k = first_jump(u);
    return k == rungs(u) ? Regularity::smooth : Regularity::C(k - 1);
}

}  // namespace deltaflow
