// Which modulated ratios a mode divides by, and which it had better not.
//
// Two masses on a rod, x vx + y vy = 0: vy follows from vx by x / y, or vx from vy by y / x. Either chart of
// the motion fails where its ratio comes to zero, and the other does not. A mode may therefore have one entry
// more than there are automata: the chart, a bit for each modulated two-port that must not be divided by.
#pragma once

#include "bonds/causality.hpp"

#include <map>

namespace deltaflow::bonds {

// Transformers and gyrators whose ratio is a signal; of very many the first ones.
std::vector<std::uint32_t> modulated_two_ports(const Graph& g);

inline std::uint32_t chart_of(const Graph& g, const Mode& mode) {
    return mode.size() > g.automata.size() ? mode[g.automata.size()] : 0;
}

class Charts {
public:
    Charts(const Graph& g, const Ports& ports);
    Charts(Charts&&) = delete;

    const std::vector<std::uint32_t>& two_ports() const { return two_ports_; }
    bool empty() const { return two_ports_.empty(); }
    // The least weight of all ratios that the mode, with its chart, divides by; endless if there are none.
    double worth(const Mode& mode, const std::vector<double>& weights);
    // The chart for this mode that avoids the ratios of the least weight.
    std::uint32_t best(Mode mode, const std::vector<double>& weights);

private:
    std::uint32_t divided(const Mode& mode);

    const Graph& g_;
    const Ports& ports_;
    std::vector<std::uint32_t> two_ports_;
    CausalityOfModes causality_;
    std::map<Mode, std::uint32_t> known_;  // with a chart: which ratios are divided by, as bits
};

}  // namespace deltaflow::bonds
