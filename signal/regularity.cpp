#include "signal/regularity.hpp"

#include <fmt/format.h>

#include <ostream>

namespace deltaflow {

std::string to_string(Regularity u) {
    if (u == Regularity::smooth) return "smooth";
    if (u == Regularity::jump) return "jump";
    if (u == Regularity::delta()) return "delta";
    return is_impulsive(u) ? fmt::format("delta{}", -2 - u.r) : fmt::format("C{}", u.r);
}

std::ostream& operator<<(std::ostream& out, Regularity u) { return out << to_string(u); }

}  // namespace deltaflow
