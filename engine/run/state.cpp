// Arrays of rungs, and delayed signals in them.
#include "engine/run/state.hpp"

#include <cmath>

namespace deltaflow {

template <class S>
void Rungs<S>::resize(const Diagram& d, std::uint32_t stride_) {
    stride = stride_;
    a.assign(d.nodes.size() * std::size_t{stride}, S(0));
    fill_constants(d, a.data(), stride);
}
template struct Rungs<double>;
template struct Rungs<Bounded>;

void fill_delayed(const State& state, const std::vector<NodeId>& delays, Rungs<double>& rungs, double t,
                  int count) {
    for (std::size_t i = 0; i < delays.size(); ++i)
        state.histories[i].rungs_in_step(state.t, t, {rungs.at(delays[i]), static_cast<std::size_t>(count)});
}

void fill_delayed(const State& state, const std::vector<NodeId>& delays, Rungs<Bounded>& rungs, double t,
                  bool before, int count) {
    std::vector<double> row(static_cast<std::size_t>(count) + 1);
    for (std::size_t i = 0; i < delays.size(); ++i) {
        state.histories[i].rungs(t, before, row);
        for (int k = 0; k < count; ++k) {
            // The time at which the past is looked up is rounded, too.
            const double bound =
                4 * rounding::unit * (std::abs(row[k]) + std::abs(t) * (k + 1) * std::abs(row[k + 1]));
            rungs.at(delays[i])[k] = Bounded(row[k], bound);
        }
    }
}

}  // namespace deltaflow
