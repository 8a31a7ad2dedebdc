#include "blocks/types/realization.hpp"

#include <algorithm>

namespace deltaflow {

namespace {

const Number one{1, Rational(1)};

void strip(Polynomial& p) {
    while (!p.empty() && is_zero(p.back())) p.pop_back();
}

Polynomial divided(Polynomial p, const Number& k) {
    for (Number& c : p) c = c / k;
    return p;
}

// A sum that grows term by term; zeros are left out.
struct Sum {
    std::vector<std::pair<double, Ref>> terms;
    void add(double coefficient, Ref signal) {
        if (coefficient != 0) terms.emplace_back(coefficient, signal);
    }
};

// x_i' = x_(i+1), x_n' = u - sum a_i x_i: the chain, x_1 first.
std::vector<Ref> state_chain(const Polynomial& monic, Ref u, Builder& b) {
    const std::size_t n = monic.size() - 1;
    std::vector<Ref> x(n);
    for (std::size_t i = n; i-- > 0;) x[i] = b.node(Primitive::integrator, {i + 1 < n ? x[i + 1] : u}, {0});
    Sum top{{{1, u}}};
    for (std::size_t i = 0; i < n; ++i) top.add(-monic[i].value, x[i]);
    if (top.terms.size() > 1) b.set_input(x.back(), 0, b.affine(0, std::move(top.terms)));
    return x;
}

// u, u', u'', ...
std::vector<Ref> derivative_chain(std::size_t count, Ref u, Builder& b) {
    std::vector<Ref> chain;
    for (std::size_t i = 0; i < count; ++i)
        chain.push_back(i == 0 ? u : b.node(Primitive::derivative, {chain.back()}));
    return chain;
}

void add_all(Sum& y, const Polynomial& p, const std::vector<Ref>& signals) {
    for (std::size_t i = 0; i < p.size(); ++i) y.add(p[i].value, signals[i]);
}

}  // namespace

Polynomial polynomial_from_highest(const std::vector<Number>& coefficients) {
    Polynomial p(coefficients.rbegin(), coefficients.rend());
    strip(p);
    return p;
}

Division divide(Polynomial dividend, const Polynomial& divisor) {
    const std::size_t n = divisor.size() - 1;
    if (dividend.size() <= n) return {{}, std::move(dividend)};
    Polynomial quotient(dividend.size() - n);
    for (std::size_t i = quotient.size(); i-- > 0;) {
        quotient[i] = dividend[i + n] / divisor[n];
        for (std::size_t j = 0; j <= n; ++j) dividend[i + j] = dividend[i + j] - quotient[i] * divisor[j];
    }
    dividend.resize(n);
    strip(dividend);
    return {std::move(quotient), std::move(dividend)};
}

Ref realize(const Polynomial& numerator, const Polynomial& denominator, Ref u, Builder& b) {
    const Polynomial monic = divided(denominator, denominator.back());
    const auto [quotient, rest] = divide(divided(numerator, denominator.back()), monic);
    Sum y;
    if (!rest.empty()) add_all(y, rest, state_chain(monic, u, b));
    add_all(y, quotient, derivative_chain(quotient.size(), u, b));
    return b.affine(0, std::move(y.terms));
}

}  // namespace deltaflow
