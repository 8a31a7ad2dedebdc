// Coupled coils, masses, springs: the matrix of a field as storages of one port behind transformers.
//
// A symmetric matrix without negative values is T' D T, with D diagonal and T upper triangular with ones on
// its diagonal. So a field with p = L f, an I, is one inertia D_j for each flow g = T f, and e = T' (D g');
// and a field with q = C e, a C, one capacity D_j for each effort T e. Where D_j is zero nothing is stored.
#pragma once

#include "blocks/number.hpp"

#include <stdexcept>
#include <vector>

namespace deltaflow::bonds {

using Matrix = std::vector<std::vector<Number>>;

struct Factors {
    std::vector<Number> pivots;  // D
    Matrix ratios;               // T; above the diagonal

    // P of p = T' P: what the storages hold where the ports hold p.
    std::vector<Number> inside(std::vector<Number> p) const;
};

// Throws std::invalid_argument, with what is wrong with the matrix.
Factors factors_of(Matrix matrix);

}  // namespace deltaflow::bonds
