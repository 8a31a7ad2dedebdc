// The catalogue of two-poles: what may stand under [circuit] and [mechanics], and the element each becomes.
#pragma once

#include "bonds/catalogue.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace deltaflow::bonds {

// Voltage and current between nodes, or force and velocity between points.
enum class Domain : std::uint8_t { circuit, mechanics };
std::string_view table_of(Domain domain);  // "circuit"

// Where the number that a key gives goes.
struct PoleParameter {
    ElementParameter key;
    std::string_view becomes{};  // the parameter of the element; empty: it is worked out with others
};

struct PoleType {
    std::string_view type;  // as in model files
    Domain domain = Domain::circuit;
    std::string_view element;  // the type that it becomes
    std::string_view about;    // one line
    std::string_view rule;
    std::string_view ends = "between";  // the key that names its nodes or points: "between", or "at" for one
    std::vector<PoleParameter> parameters{};
    std::vector<std::string_view> signals{};
    std::string_view example{};
};

// All types, in the order in which they are printed.
std::span<const PoleType> poles();
const PoleType* find_pole_type(std::string_view type, Domain domain);

// What `deltaflow blocks` prints of them, all or one, the pages of the manual, and parts of the JSON schema.
std::string describe_poles();
std::string describe_pole_type(const PoleType& type);

}  // namespace deltaflow::bonds
