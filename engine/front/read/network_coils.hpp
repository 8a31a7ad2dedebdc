// Coils that share their flux: inductors joined by couplings become one field, an I with a matrix.
#pragma once

#include "engine/front/read/network.hpp"

namespace deltaflow::front {

// Inductors that couplings hold together, in the order of the file.
struct CoilGroup {
    std::string name;  // of the field: "l1:l2"
    std::vector<const PoleDraft*> coils;
    Value field;  // { type = "I", value = [[...]], momentum = [...] }
};

// Reports couplings of what is no inductor of this network, and pairs that are coupled twice.
std::vector<CoilGroup> coil_groups(const std::vector<PoleDraft>& drafts, Report& report);

}  // namespace deltaflow::front
