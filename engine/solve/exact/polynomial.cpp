#include "engine/solve/exact/polynomial.hpp"

#include "engine/limits.hpp"
#include "engine/solve/exact/bounds.hpp"

#include <algorithm>

namespace deltaflow::closed_form {

Polynomial trimmed(Polynomial p) {
    while (!p.empty() && is_zero(p.back())) p.pop_back();
    return p;
}

Quadratic evaluate(const Polynomial& p, const Quadratic& x) {
    Quadratic sum;
    check_interrupt();
    for (std::size_t k = p.size(); k-- > 0;) sum = sum * x + p[k];
    return sum;
}

// Repeated synthetic division by x - by
Polynomial shifted(const Polynomial& p, const Quadratic& by) {
    Polynomial q = p;
    if (is_zero(by)) return q;
    for (std::size_t i = 0; i + 1 < q.size(); ++i) {
        check_interrupt();
        for (std::size_t k = q.size() - 1; k-- > i;) q[k] = q[k] + by * q[k + 1];
    }
    return q;
}

Polynomial derivative(const Polynomial& p) {
    Polynomial q;
    for (std::size_t k = 1; k < p.size(); ++k) q.push_back(Quadratic(static_cast<int>(k)) * p[k]);
    return q;
}

Polynomial monic(const Polynomial& p) {
    Polynomial q;
    for (const Quadratic& c : p) q.push_back(c / p.back());
    return q;
}

Polynomial conjugate(const Polynomial& p) {
    Polynomial q;
    for (const Quadratic& c : p) q.push_back(conjugate(c));
    return q;
}

bool is_rational(const Polynomial& p) {
    return std::all_of(p.begin(), p.end(), [](const Quadratic& c) { return c.is_rational(); });
}

Quotient divide(Polynomial u, const Polynomial& v) {
    if (u.size() < v.size()) return {{}, std::move(u)};
    Polynomial quotient(u.size() - v.size() + 1);
    for (std::size_t i = quotient.size(); i-- > 0;) {
        check_interrupt();
        quotient[i] = u[i + v.size() - 1] / v.back();
        for (std::size_t j = 0; j < v.size(); ++j) u[i + j] = u[i + j] - quotient[i] * v[j];
    }
    return {std::move(quotient), trimmed(std::move(u))};
}

Polynomial greatest_divisor(Polynomial u, Polynomial v) {
    while (!v.empty()) {
        u = divide(std::move(u), v).rest;
        std::swap(u, v);
        check_length(v, limits::exact_work_bits);
        if (!v.empty()) v = monic(v);
    }
    return u.empty() ? u : monic(u);
}

Polynomial square_free(const Polynomial& p) {
    const Polynomial repeated = greatest_divisor(p, derivative(p));
    return degree(repeated) < 1 ? monic(p) : monic(divide(p, repeated).quotient);
}

}  // namespace deltaflow::closed_form
