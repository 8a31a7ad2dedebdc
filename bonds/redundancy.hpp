// What a mode imposes more often than is needed: constraints that follow from others, found by rank.
//
// Sources, switches, ideal elements and inactive junctions impose an effort or a flow each, c = v. Where a
// sum of them is zero by the laws of junctions alone, sum y c = 0, one of them is too many. With an
// infinitesimal leak eps in everything ideal, c = v + eps d (d: the other variable), the sum says
//
//     eps^0:  sum y v = 0, or else d is infinite:  d = - Y' (Y Y')^-1 (sum y v) / eps
//     eps^1:  sum y d = 0, which settles what the constraint that is too many does not
//
// (Junctions, transformers and gyrators are their own orthogonal complement in power, so the same y tells
// both.)
#pragma once

#include "bonds/causality.hpp"

#include <optional>

namespace deltaflow::bonds {

// Storages hold their efforts (C) or flows (I) at an instant, so they are constraints, too, and the first to
// be given up: `storages` are all of them, the one that is held longest first. Nothing if sources alone
// contradict each other.
std::optional<Redundancy> find_redundancy(const Graph& g, const Ports& ports, const Mode& mode,
                                          const std::vector<std::uint32_t>& storages);

// Is there more than one way between some elements? (Else the structure tells which storages are
// independent.)
bool has_loops(const Graph& g);

}  // namespace deltaflow::bonds
