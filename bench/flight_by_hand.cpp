// An event loop with the root in closed form. Compiled at -O2.
#include "bench/flight_by_hand.hpp"

#include <cmath>

namespace deltaflow::bench {

std::vector<Bounce> bounces_by_hand(double g, double y, double stop) {
    std::vector<Bounce> bounces;
    double t = 0, v = 0;
    for (;;) {
        const double flight = (v + std::sqrt(v * v + 2 * g * y)) / g;
        if (t + flight > stop) return bounces;
        t += flight;
        const double before = v - g * flight, impulse = -2 * before;
        v = before + impulse;
        y = 0;
        bounces.push_back({t, before, v, impulse});
    }
}

}  // namespace deltaflow::bench
