// Which slopes depend on which states, known before anything runs.
#pragma once

#include "engine/compile/system.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace deltaflow {

// The pattern of the Jacobian, column by column, diagonal included: what may differ from zero under some
// branch. Columns of one group share no row, so one evaluation shows all of them (Curtis, Powell and Reid
// 1974).
struct Sparsity {
    std::vector<std::uint32_t> first, rows;  // column c has rows[first[c]] ... rows[first[c + 1] - 1], sorted
    std::vector<std::uint32_t> diagonal;     // per column: where its diagonal stands in `rows`
    std::vector<std::vector<std::uint32_t>> groups;

    std::size_t size() const { return diagonal.size(); }
    std::size_t entries() const { return rows.size(); }
};

// Of the slopes that s.derivative computes. Nothing where that would have more entries.
std::optional<Sparsity> sparsity_of(const System& s, std::size_t most);

}  // namespace deltaflow
