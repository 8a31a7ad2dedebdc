// The checks of an instant, on numbers with bounds.
#include "engine/solve/instant_checks.hpp"

#include "engine/solve/instant_solver.hpp"

namespace deltaflow {

// What the checks ask of a solve.
struct SolvedInstant {
    const InstantSolver& solver;
    const InstantInput& in;
    int highest_impulse(NodeId n) const { return solver.highest_impulse(n); }
    bool agrees(NodeId n, int k) const {
        return is_zero(solver.right(n, k) - in.left[std::size_t{n} * in.left_stride + k]);
    }
    bool flips(NodeId n) const { return in.before->branch[n] != in.after->branch[n]; }
    bool ticking(NodeId n) const { return solver.is_ticking(n); }
};

void InstantSolver::check(const InstantInput& in, const std::vector<std::uint8_t>& active) const {
    const SolvedInstant solved{*this, in};
    for (const NodeId n : p_.products)
        if (active.empty() || active[n]) check_product(s_.d, n, solved);
    for (const NodeId n : p_.refusing)
        if (active.empty() || active[n]) check_refusing(s_.d, n, solved);
}

}  // namespace deltaflow
