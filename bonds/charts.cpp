#include "bonds/charts.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace deltaflow::bonds {

namespace {

constexpr std::size_t most_two_ports = 32, most_known = 10000;
constexpr std::uint32_t all = ~std::uint32_t{0};

std::uint32_t bit(std::size_t i) { return std::uint32_t{1} << i; }

}  // namespace

std::vector<std::uint32_t> modulated_two_ports(const Graph& g) {
    std::vector<std::uint32_t> list;
    for (std::uint32_t x = 0; x < g.elements.size() && list.size() < most_two_ports; ++x) {
        const Element& e = g.elements[x];
        if (e.parameter != no_node && e.is_two_port()) list.push_back(x);
    }
    return list;
}

Charts::Charts(const Graph& g, const Ports& ports)
    : g_(g), ports_(ports), two_ports_(modulated_two_ports(g)), causality_(g, ports) {}

// All of them where the mode has no causality at all.
std::uint32_t Charts::divided(const Mode& mode) {
    if (known_.size() >= most_known) known_.clear();
    const auto [at, is_new] = known_.try_emplace(mode, all);
    if (!is_new) return at->second;
    try {
        causality_.move_to(mode);
    } catch (const CausalConflict&) {
        return all;
    }
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < two_ports_.size(); ++i) {
        const auto bonds = ports_.of(two_ports_[i]);
        const std::uint32_t in = g_.bonds[bonds[0]].to == two_ports_[i] ? bonds[0] : bonds[1];
        if (!causality_.now().sets_effort(g_, two_ports_[i], in)) bits |= bit(i);
    }
    return at->second = bits;
}

double Charts::worth(const Mode& mode, const std::vector<double>& weights) {
    const std::uint32_t bits = divided(mode);
    double least = HUGE_VAL;
    for (std::size_t i = 0; i < two_ports_.size(); ++i)
        if (bits & bit(i)) least = std::min(least, weights[i]);
    return least;
}

std::uint32_t Charts::best(Mode mode, const std::vector<double>& weights) {
    std::vector<std::size_t> order(two_ports_.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return weights[a] < weights[b]; });
    const auto avoids = [&](std::uint32_t bits) {
        mode[g_.automata.size()] = bits;
        return (divided(mode) & bits) == 0;
    };
    std::uint32_t chart = 0;
    for (const std::size_t i : order) chart |= bit(i);
    if (avoids(chart)) return chart;
    chart = 0;
    for (const std::size_t i : order)
        if (avoids(chart | bit(i))) chart |= bit(i);
    return chart;
}

}  // namespace deltaflow::bonds
