// Linear diagrams at rest before their sources act, solved independently: Laplace transforms at infinity.
//
// The transform of a response is expanded in powers of s about infinity. The coefficient of s^i, i >= 0, is
// the strength of the i-th derivative of delta; that of s^(-1-j) is the j-th derivative just after the
// instant, so the whole response afterwards is sum_j c_j t^j / j!.
#pragma once

#include "tests/engine/draw.hpp"

#include <fmt/format.h>
#include <Eigen/Dense>

#include <cmath>
#include <string>
#include <vector>

namespace deltaflow::engine_test {

using Real = long double;

// sum_k c[k] s^(top - k)
struct Expansion {
    int top = 0;
    std::vector<Real> c;

    Real of_power(int power) const {
        const int k = top - power;
        return k < 0 || k >= static_cast<int>(c.size()) ? 0 : c[static_cast<std::size_t>(k)];
    }
    std::vector<double> impulses() const {
        std::vector<double> list;
        for (int i = 0; i <= top; ++i) list.push_back(static_cast<double>(of_power(i)));
        return list;
    }
    // The value a time t after the instant, and the size of what is added up for it.
    struct Value {
        Real value = 0, size = 0, last = 0;
    };
    Value after(Real t) const {
        Value v;
        Real power = 1;
        for (int j = 0; top + 1 + j < static_cast<int>(c.size()); ++j) {
            const Real term = of_power(-1 - j) * power;
            v.value += term;
            v.size += std::abs(term);
            v.last = std::abs(term);
            power *= t / (j + 1);
        }
        return v;
    }
};

// Numerator over denominator, highest power first.
inline Expansion quotient(const std::vector<double>& numerator, const std::vector<double>& denominator,
                          int terms) {
    Expansion q{static_cast<int>(numerator.size()) - static_cast<int>(denominator.size()), {}};
    for (int k = 0; k < terms; ++k) {
        const auto n = static_cast<std::size_t>(k);
        Real sum = n < numerator.size() ? numerator[n] : 0;
        for (std::size_t j = 1; j < denominator.size() && j <= n; ++j) sum -= denominator[j] * q.c[n - j];
        q.c.push_back(sum / denominator[0]);
    }
    return q;
}

inline Expansion times_power(Expansion e, Real gain, int power) {
    e.top += power;
    for (Real& c : e.c) c *= gain;
    return e;
}

// gain s^power times signal `from` goes into signal `to`: a gain, an integrator (-1) or a derivative (1).
struct Edge {
    int to, from, power;
    double gain;
};

// y_i = sum of edges + source. Every edge has power <= level[to] - level[from], so that no loop has more
// derivatives than integrators.
struct LinearDiagram {
    std::vector<int> level;
    std::vector<Edge> edges;

    int size() const { return static_cast<int>(level.size()); }
    int lag(const Edge& e) const { return level[e.to] - level[e.from] - e.power; }

    // I - G at s = infinity, on y_i / s^level
    Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic> at_infinity() const {
        Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic> m;
        m.setIdentity(size(), size());
        for (const Edge& e : edges)
            if (lag(e) == 0) m(e.to, e.from) -= e.gain;
        return m;
    }

    // The responses of all signals to gain s^power at one of them, coefficient by coefficient.
    std::vector<Expansion> respond(int at, Real gain, int power, int terms) const {
        const auto lu = at_infinity().fullPivLu();
        const int top = power - level[at];
        std::vector<Eigen::Matrix<Real, Eigen::Dynamic, 1>> z;
        for (int m = 0; m < terms; ++m) {
            Eigen::Matrix<Real, Eigen::Dynamic, 1> right;
            right.setZero(size());
            if (m == 0) right(at) = gain;
            for (const Edge& e : edges)
                if (const int q = lag(e); q > 0 && q <= m)
                    right(e.to) += e.gain * z[static_cast<std::size_t>(m - q)](e.from);
            z.push_back(lu.solve(right));
        }
        std::vector<Expansion> y;
        for (int i = 0; i < size(); ++i) {
            y.push_back({top + level[i], {}});
            for (const auto& zm : z) y.back().c.push_back(zm(i));
        }
        return y;
    }

    std::string blocks() const {
        std::vector<std::string> sums;
        for (int i = 0; i < size(); ++i) sums.push_back(fmt::format("y{} = \"0", i));
        std::string integrators;
        for (std::size_t n = 0; n < edges.size(); ++n) {
            const Edge& e = edges[n];
            std::string from = fmt::format("y{}", e.from);
            if (e.power == 1) from = "der(" + from + ")";
            if (e.power == -1) {
                integrators += fmt::format("x{} = {{ type = \"integrator\", in = \"{}\" }}\n", n, from);
                from = fmt::format("x{}", n);
            }
            sums[static_cast<std::size_t>(e.to)] += fmt::format(" + ({})*{}", e.gain, from);
        }
        std::string text = integrators;
        for (int i = 0; i < size(); ++i)
            text += fmt::format("{} + in{}\"\n", sums[static_cast<std::size_t>(i)], i);
        return text;
    }

    static LinearDiagram draw(Draw& draw) {
        LinearDiagram d;
        const int n = draw.integer(2, 6);
        for (int i = 0; i < n; ++i) d.level.push_back(draw.integer(0, 2));
        const int wanted = draw.integer(n, 2 * n + 2);
        while (static_cast<int>(d.edges.size()) < wanted) {
            const int to = draw.integer(0, n - 1), from = draw.integer(0, n - 1), power = draw.integer(-1, 1);
            if (power <= d.level[to] - d.level[from]) d.edges.push_back({to, from, power, draw.quarter(1)});
        }
        return d;
    }
};

}  // namespace deltaflow::engine_test
