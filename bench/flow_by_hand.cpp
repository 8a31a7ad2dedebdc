// m x[i]'' = k (x[i-1] - 2 x[i] + x[i+1]) - c x[i]', by plain loops over arrays. Compiled at -O2.
#include "bench/flow_by_hand.hpp"

#include <cstddef>

namespace deltaflow::bench {

namespace {

void slopes(const Chain& p, const double* x, const double* v, double* dx, double* dv) {
    const std::size_t n = p.x.size();
    for (std::size_t i = 0; i < n; ++i) {
        const double left = i > 0 ? x[i - 1] : 0, right = i + 1 < n ? x[i + 1] : 0;
        dx[i] = v[i];
        dv[i] = (p.k * (left - 2 * x[i] + right) - p.c * v[i]) / p.m;
    }
}

}  // namespace

void advance_by_hand(Chain& p, double h, int steps) {
    const std::size_t n = p.x.size();
    std::vector<double> x(n), v(n), room(8 * n);
    double *dx[4], *dv[4];
    for (std::size_t s = 0; s < 4; ++s) {
        dx[s] = room.data() + 2 * s * n;
        dv[s] = dx[s] + n;
    }
    for (int step = 0; step < steps; ++step) {
        slopes(p, p.x.data(), p.v.data(), dx[0], dv[0]);
        for (int s = 1; s < 4; ++s) {
            const double part = s < 3 ? h / 2 : h;
            for (std::size_t i = 0; i < n; ++i) {
                x[i] = p.x[i] + part * dx[s - 1][i];
                v[i] = p.v[i] + part * dv[s - 1][i];
            }
            slopes(p, x.data(), v.data(), dx[s], dv[s]);
        }
        for (std::size_t i = 0; i < n; ++i) {
            p.x[i] += h / 6 * (dx[0][i] + 2 * dx[1][i] + 2 * dx[2][i] + dx[3][i]);
            p.v[i] += h / 6 * (dv[0][i] + 2 * dv[1][i] + 2 * dv[2][i] + dv[3][i]);
        }
    }
}

}  // namespace deltaflow::bench
