// q[i]' = (v[i-1] - v[i]) / R - (v[i] - v[i+1]) / R, by plain loops over arrays. Compiled at -O2.
#include "bench/ladder_by_hand.hpp"

#include <cstddef>

namespace deltaflow::bench {

namespace {

void slopes(const Ladder& p, const double* q, double* dq) {
    const std::size_t n = p.q.size();
    for (std::size_t i = 0; i < n; ++i) {
        const double before = i > 0 ? q[i - 1] / p.capacity : p.source, here = q[i] / p.capacity;
        const double out = i + 1 < n ? (here - q[i + 1] / p.capacity) / p.resistance : 0;
        dq[i] = (before - here) / p.resistance - out;
    }
}

}  // namespace

void advance_by_hand(Ladder& p, double h, int steps) {
    const std::size_t n = p.q.size();
    std::vector<double> q(n), room(4 * n);
    double* d[4] = {room.data(), room.data() + n, room.data() + 2 * n, room.data() + 3 * n};
    for (int step = 0; step < steps; ++step) {
        slopes(p, p.q.data(), d[0]);
        for (int s = 1; s < 4; ++s) {
            const double part = s < 3 ? h / 2 : h;
            for (std::size_t i = 0; i < n; ++i) q[i] = p.q[i] + part * d[s - 1][i];
            slopes(p, q.data(), d[s]);
        }
        for (std::size_t i = 0; i < n; ++i) p.q[i] += h / 6 * (d[0][i] + 2 * d[1][i] + 2 * d[2][i] + d[3][i]);
    }
}

}  // namespace deltaflow::bench
