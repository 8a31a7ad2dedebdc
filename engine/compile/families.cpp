#include "engine/compile/families.hpp"

#include <string>
#include <unordered_map>

namespace deltaflow {

namespace {

// "stage[12].v" and "stage[7].v" are "stage[].v".
std::string without_indices(const std::string& name) {
    std::string all;
    bool inside = false;
    for (const char c : name) {
        inside = inside && c != ']';
        if (!inside) all += c;
        inside = inside || c == '[';
    }
    return all;
}

}  // namespace

void find_families(System& s, const FlatModel& model, const Settings& settings) {
    if (!settings.absolute || !model.naming) return;
    std::unordered_map<std::string, std::uint32_t> numbers;
    for (const NodeId n : s.states) {
        const auto number = static_cast<std::uint32_t>(numbers.size());
        const std::string name = without_indices(model.naming->name(s.origin[n]));
        s.families.push_back(numbers.emplace(name, number).first->second);
    }
    if (numbers.size() == s.states.size()) s.families.clear();
}

}  // namespace deltaflow
