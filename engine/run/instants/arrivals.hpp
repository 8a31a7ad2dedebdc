// What comes from outside at an instant.
#pragma once

#include "blocks/diagram.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace deltaflow {

struct Arrivals {
    struct Impulses {
        NodeId node;
        std::uint32_t first, count;  // in coefficients
    };
    std::vector<Impulses> impulses;
    std::vector<double> coefficients;
    std::vector<NodeId> ticking;

    void add(NodeId n, std::span<const double> c) {
        impulses.push_back(
            {n, static_cast<std::uint32_t>(coefficients.size()), static_cast<std::uint32_t>(c.size())});
        coefficients.insert(coefficients.end(), c.begin(), c.end());
    }
    std::span<const double> of(const Impulses& i) const { return {coefficients.data() + i.first, i.count}; }
    bool empty() const { return impulses.empty() && ticking.empty(); }
    void clear() {
        impulses.clear();
        coefficients.clear();
        ticking.clear();
    }
};

}  // namespace deltaflow
