// Piecewise polynomials of t with impulses at the breaks, over fractions: exact answers for the engine.
//
// Pieces are polynomials of t itself, not Taylor rungs at an instant: this is another road to the same place.
#pragma once

#include "signal/rational.hpp"

#include <optional>
#include <vector>

namespace deltaflow::engine_test {

using Polynomial = std::vector<Rational>;  // c0 + c1 t + ...

inline Rational whole(int n) { return Rational(Integer(n)); }

inline Rational value_at(const Polynomial& p, const Rational& t) {
    Rational sum = whole(0);
    for (std::size_t k = p.size(); k-- > 0;) sum = sum * t + p[k];
    return sum;
}

inline Polynomial differentiate(const Polynomial& p) {
    Polynomial y;
    for (std::size_t k = 1; k < p.size(); ++k) y.push_back(whole(static_cast<int>(k)) * p[k]);
    return y;
}

inline Polynomial differentiate(Polynomial p, int n) {
    for (; n > 0; --n) p = differentiate(p);
    return p;
}

inline Polynomial add(const Polynomial& p, const Polynomial& q) {
    Polynomial y = p.size() > q.size() ? p : q;
    const Polynomial& shorter = p.size() > q.size() ? q : p;
    for (std::size_t k = 0; k < shorter.size(); ++k) y[k] += shorter[k];
    return y;
}

inline Polynomial multiply(const Polynomial& p, const Polynomial& q) {
    if (p.empty() || q.empty()) return {};
    Polynomial y(p.size() + q.size() - 1, whole(0));
    for (std::size_t i = 0; i < p.size(); ++i)
        for (std::size_t j = 0; j < q.size(); ++j) y[i + j] += p[i] * q[j];
    return y;
}

// The antiderivative that has the given value at t.
inline Polynomial integrate(const Polynomial& p, const Rational& t, const Rational& value) {
    Polynomial y{whole(0)};
    for (std::size_t k = 0; k < p.size(); ++k) y.push_back(p[k] / whole(static_cast<int>(k) + 1));
    y[0] = value - value_at(y, t);
    return y;
}

// A distribution on [0, oo): piece[i] between break[i-1] and break[i], impulses[i] at break[i].
struct Distribution {
    std::vector<Polynomial> piece;
    std::vector<std::vector<Rational>> impulses;
};

// All distributions of a case share their breaks.
struct Line {
    std::vector<Rational> breaks;

    Distribution polynomial(const Polynomial& p) const {
        return {std::vector<Polynomial>(breaks.size() + 1, p),
                std::vector<std::vector<Rational>>(breaks.size())};
    }
    // p from break b on
    Distribution from(std::size_t b, const Polynomial& p) const {
        Distribution y = polynomial({});
        for (std::size_t i = b + 1; i < y.piece.size(); ++i) y.piece[i] = p;
        return y;
    }
    Distribution impulse(std::size_t b, int order, const Rational& size) const {
        Distribution y = polynomial({});
        y.impulses[b].assign(static_cast<std::size_t>(order) + 1, whole(0));
        y.impulses[b].back() = size;
        return y;
    }
    Rational left(const Distribution& u, std::size_t b, int derivative = 0) const {
        return value_at(differentiate(u.piece[b], derivative), breaks[b]);
    }
    Rational right(const Distribution& u, std::size_t b, int derivative = 0) const {
        return value_at(differentiate(u.piece[b + 1], derivative), breaks[b]);
    }
    Distribution sum(const Rational& c, const Distribution& u, const Distribution& v) const {
        Distribution y;
        for (std::size_t i = 0; i < u.piece.size(); ++i)
            y.piece.push_back(add(multiply({c}, u.piece[i]), v.piece[i]));
        for (std::size_t b = 0; b < breaks.size(); ++b)
            y.impulses.push_back(add(multiply({c}, u.impulses[b]), v.impulses[b]));
        return trimmed(y);
    }
    Distribution derivative(const Distribution& u) const {
        Distribution y;
        for (const Polynomial& p : u.piece) y.piece.push_back(differentiate(p));
        for (std::size_t b = 0; b < breaks.size(); ++b) {
            y.impulses.push_back({right(u, b) - left(u, b)});
            y.impulses[b].insert(y.impulses[b].end(), u.impulses[b].begin(), u.impulses[b].end());
        }
        return trimmed(y);
    }
    Distribution integral(const Distribution& u, const Rational& initial) const {
        Distribution y;
        y.piece.push_back(integrate(u.piece[0], whole(0), initial));
        for (std::size_t b = 0; b < breaks.size(); ++b) {
            const auto& d = u.impulses[b];
            const Rational jump = d.empty() ? whole(0) : d[0];
            y.piece.push_back(integrate(u.piece[b + 1], breaks[b], value_at(y.piece[b], breaks[b]) + jump));
            y.impulses.emplace_back(d.empty() ? d.begin() : d.begin() + 1, d.end());
        }
        return y;
    }
    // The product, up to the first break at which it is not defined.
    struct Product {
        Distribution y;
        std::optional<std::size_t> undefined_at;
    };
    Product product(const Distribution& u, const Distribution& v) const {
        Product result{{}, {}};
        for (std::size_t i = 0; i < u.piece.size(); ++i)
            result.y.piece.push_back(multiply(u.piece[i], v.piece[i]));
        for (std::size_t b = 0; b < breaks.size(); ++b) {
            result.y.impulses.emplace_back();
            const bool swap = u.impulses[b].empty();
            const auto& d = swap ? v.impulses[b] : u.impulses[b];
            const Distribution& f = swap ? u : v;
            bool defined = d.empty() || f.impulses[b].empty();
            for (int j = 0; j < static_cast<int>(d.size()) && defined; ++j)
                defined = left(f, b, j) == right(f, b, j);
            if (!defined && !result.undefined_at) result.undefined_at = b;
            if (defined) result.y.impulses[b] = sift(f, d, b);
        }
        result.y = trimmed(result.y);
        return result;
    }

private:
    // f delta^(n) = sum_k (-1)^(n-k) (n over k) f^(n-k) delta^(k)
    std::vector<Rational> sift(const Distribution& f, const std::vector<Rational>& d, std::size_t b) const {
        std::vector<Rational> y(d.size(), whole(0));
        for (int n = 0; n < static_cast<int>(d.size()); ++n) {
            int binomial = 1;
            for (int k = n; k >= 0; --k) {
                const Rational term = d[static_cast<std::size_t>(n)] * whole(binomial) * left(f, b, n - k);
                y[static_cast<std::size_t>(k)] += (n - k) % 2 == 0 ? term : -term;
                binomial = binomial * k / (n - k + 1);
            }
        }
        return y;
    }
    static Distribution trimmed(Distribution y) {
        for (auto& d : y.impulses)
            while (!d.empty() && is_zero(d.back())) d.pop_back();
        return y;
    }
};

}  // namespace deltaflow::engine_test
