// Elementary functions of germs: each side by the recurrence of its differential equation.
#pragma once

#include "signal/product.hpp"

#include <cmath>

namespace deltaflow {

template <class S>
int length(const std::vector<S>& u) {
    return static_cast<int>(u.size());
}

// Throws unless the value of u is positive where the function reads it.
template <class S>
void require_positive(std::string_view what, std::string_view need, const S& value) {
    if (sign(value) <= 0) throw outside_domain(what, need);
}

// c + b u^2
template <class S>
std::vector<S> square_plus(const S& c, const S& b, const std::vector<S>& u) {
    auto y = scaled(b, convolved(u, u));
    if (!y.empty()) y[0] = c + y[0];
    return y;
}

template <class S>
Germ<S> exp(const Germ<S>& u) {
    return on_each_side("exp", u, [](const auto& u) {
        return unfold<S>(length(u),
                         [&](const auto& y, int k) { return taylor::exponential(series(u), y, k); });
    });
}

template <class S>
Germ<S> log(const Germ<S>& u) {
    return on_each_side("log", u, [](const auto& u) {
        if (!u.empty()) require_positive("log", "a positive value", u[0]);
        return unfold<S>(length(u), [&](const auto& y, int k) { return taylor::logarithm(series(u), y, k); });
    });
}

template <class S>
std::vector<S> rooted(std::string_view what, std::string_view need, const std::vector<S>& u) {
    if (!u.empty()) require_positive(what, need, u[0]);
    return unfold<S>(length(u), [&](const auto& y, int k) { return taylor::square_root(series(u), y, k); });
}

template <class S>
Germ<S> sqrt(const Germ<S>& u) {
    return on_each_side("sqrt", u, [](const auto& u) { return rooted<S>("sqrt", "a positive value", u); });
}

// u^c for a c that need not be whole.
template <class S>
Germ<S> pow(const Germ<S>& u, double c) {
    return on_each_side("a power", u, [c](const auto& u) {
        if (!u.empty()) require_positive("a power that is not whole", "a positive value", u[0]);
        return unfold<S>(length(u), [&](const auto& y, int k) { return taylor::power(series(u), y, c, k); });
    });
}

// s' = c u' and c' = turn s u': the circular functions for turn = -1, the hyperbolic ones for turn = +1.
template <class S>
struct Partners {
    std::vector<S> s, c;
};

template <class S>
Partners<S> partners(const std::vector<S>& u, int turn, const S& s0, const S& c0) {
    Partners<S> y;
    for (int k = 0; k < length(u); ++k) {
        const S s = k == 0 ? s0 : taylor::chain(series(u), series(y.c), k);
        const S c = k == 0 ? c0 : S(S(turn) * taylor::chain(series(u), series(y.s), k));
        y.s.push_back(s);
        y.c.push_back(c);
    }
    return y;
}

template <class S>
Partners<S> circular(const std::vector<S>& u) {
    using std::cos, std::sin;
    return u.empty() ? Partners<S>{} : partners(u, -1, S(sin(u[0])), S(cos(u[0])));
}

template <class S>
Partners<S> hyperbolic(const std::vector<S>& u) {
    using std::cosh, std::sinh;
    return u.empty() ? Partners<S>{} : partners(u, +1, S(sinh(u[0])), S(cosh(u[0])));
}

template <class S>
Germ<S> sin(const Germ<S>& u) {
    return on_each_side("sin", u, [](const auto& u) { return circular<S>(u).s; });
}

template <class S>
Germ<S> cos(const Germ<S>& u) {
    return on_each_side("cos", u, [](const auto& u) { return circular<S>(u).c; });
}

template <class S>
Germ<S> sinh(const Germ<S>& u) {
    return on_each_side("sinh", u, [](const auto& u) { return hyperbolic<S>(u).s; });
}

template <class S>
Germ<S> cosh(const Germ<S>& u) {
    return on_each_side("cosh", u, [](const auto& u) { return hyperbolic<S>(u).c; });
}

// y' = (1 + turn y^2) u': tan for turn = +1, tanh for turn = -1
template <class S>
std::vector<S> tangent(const std::vector<S>& u, int turn, const S& y0) {
    return unfold<S>(length(u), [&](const auto& y, int k) {
        const auto w = [&](int j) { return S(S(j == 0) + S(turn) * taylor::product(y, y, j)); };
        return k == 0 ? y0 : S(taylor::chain(series(u), w, k));
    });
}

template <class S>
Germ<S> tan(const Germ<S>& u) {
    using std::tan;
    return on_each_side("tan", u, [](const auto& u) { return u.empty() ? u : tangent(u, +1, S(tan(u[0]))); });
}

template <class S>
Germ<S> tanh(const Germ<S>& u) {
    using std::tanh;
    return on_each_side("tanh", u,
                        [](const auto& u) { return u.empty() ? u : tangent(u, -1, S(tanh(u[0]))); });
}

// y' = u' / w
template <class S>
std::vector<S> integrated_quotient(const std::vector<S>& u, const std::vector<S>& w, const S& y0) {
    return unfold<S>(length(u), [&](const auto& y, int k) {
        return k == 0 ? y0 : S(taylor::quotient_chain(series(u), series(w), y, k));
    });
}

template <class S>
Germ<S> atan(const Germ<S>& u) {
    using std::atan;
    return on_each_side("atan", u, [](const auto& u) {
        return u.empty() ? u : integrated_quotient(u, square_plus(S(1), S(1), u), S(atan(u[0])));
    });
}

template <class S>
Germ<S> asin(const Germ<S>& u) {
    using std::asin;
    return on_each_side("asin", u, [](const auto& u) {
        if (u.empty()) return u;
        const auto w = rooted<S>("asin", "a value between -1 and 1", square_plus(S(1), S(-1), u));
        return integrated_quotient(u, w, S(asin(u[0])));
    });
}

template <class S>
Germ<S> acos(const Germ<S>& u) {
    return Germ<S>::constant(S(std::acos(0.0)), rungs(u)) - asin(u);
}

// The angle of (x, y) on one side: y' = (x y' - y x') / (x^2 + y^2); `above` decides on the cut.
template <class S>
std::vector<S> angle(const std::vector<S>& y, const std::vector<S>& x, bool above) {
    using std::atan2;
    const auto r2 = sum(convolved(x, x), convolved(y, y), std::min(x.size(), y.size()));
    if (r2.empty()) return r2;
    require_positive("atan2", "a point that is not the origin", r2[0]);
    const auto z = unfold<S>(length(r2), [&](const auto&, int k) {
        return k == 0 ? S(0)
                      : S(taylor::chain(series(y), series(x), k) - taylor::chain(series(x), series(y), k));
    });
    const S magnitude = atan2(is_zero(y[0]) ? S(0.0) : y[0], x[0]);
    const bool on_cut = is_zero(y[0]) && sign(x[0]) < 0;
    return integrated_quotient(z, r2, on_cut && !above ? S(-magnitude) : magnitude);
}

// On the cut, where y = 0 and x < 0, the sign of the germ of y tells from which side it is seen.
template <class S>
Germ<S> atan2(const Germ<S>& y, const Germ<S>& x) {
    if (is_impulsive(x)) throw function_of_impulse("atan2", impulse_order(x));
    if (is_impulsive(y)) throw function_of_impulse("atan2", impulse_order(y));
    return {angle(y.left, x.left, sign_before(y) >= 0), angle(y.right, x.right, sign_after(y) >= 0), {}};
}

}  // namespace deltaflow
