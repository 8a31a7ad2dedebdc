// Conditions by guesses.
#include "engine/solve/guessed_branches.hpp"

#include "engine/solve/decide.hpp"

#include <algorithm>
#include <cmath>

namespace deltaflow {

namespace {

class Guesses {
public:
    explicit Guesses(const Diagram& d) : d_(d), value_(d.nodes.size(), NAN), known_(d.nodes.size(), 0) {
        for (const auto& [n, guess] : d.guesses) set(n, guess);
    }
    // NaN: nothing follows for it. (What is asked for while it is looked up stands in a circle.)
    double of(NodeId n) {
        if (known_[n] || depth_ == deepest) return value_[n];
        known_[n] = 1;
        ++depth_;
        value_[n] = follow(n);
        --depth_;
        return value_[n];
    }

private:
    void set(NodeId n, double value) {
        value_[n] = value;
        known_[n] = 1;
    }
    double follow(NodeId n) {
        const auto in = d_.inputs_of(n);
        const auto p = d_.parameters_of(n);
        switch (d_.nodes[n].op) {
            case Primitive::constant:
            case Primitive::integrator:
                return p[0];
            case Primitive::product:
                return of(in[0]) * of(in[1]);
            case Primitive::affine: {
                double sum = p[0];
                for (std::size_t i = 0; i < in.size(); ++i) sum += p[i + 1] * of(in[i]);
                return sum;
            }
            default:
                return NAN;
        }
    }

    const Diagram& d_;
    std::vector<double> value_;
    std::vector<std::uint8_t> known_;
    static constexpr int deepest = 1000;  // of the stack
    int depth_ = 0;
};

}  // namespace

void take_guessed_branches(const System& s, std::vector<std::int32_t>& branch) {
    if (s.d.guesses.empty()) return;
    Guesses guesses(s.d);
    for (const NodeId n : s.branchers) {
        const Primitive op = s.d.nodes[n].op;
        const double condition = guesses.of(s.d.inputs_of(n)[0]);
        if (op == Primitive::hysteresis || !(std::abs(condition) < limits::largest_whole)) continue;
        branch[n] = decide(op, s.d.parameters_of(n), branch[n],
                           [&](double x) { return (condition > x) - (condition < x); });
    }
}

}  // namespace deltaflow
