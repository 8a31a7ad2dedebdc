#include "engine/modes/other_modes.hpp"

#include <algorithm>

namespace deltaflow {

namespace {

using bonds::Mode;

constexpr std::size_t most = 256;

struct StateChoice {
    std::size_t automaton;
    std::vector<std::uint32_t> states;
};

std::vector<StateChoice> places_of(const bonds::Graph& g, const MayBe& may_be) {
    std::vector<StateChoice> places;
    for (std::size_t a = 0; a < g.automata.size(); ++a) {
        const bonds::Automaton& automaton = g.automata[a];
        if (!automaton.ideal || automaton.is_pair()) continue;
        places.push_back({a, {}});
        for (std::uint32_t s = 0; s < automaton.states.size(); ++s)
            if (!automaton.passes(s) && may_be(a, s)) places.back().states.push_back(s);
    }
    return places;
}

std::vector<Mode> all_modes(const std::vector<StateChoice>& places, const Mode& tried) {
    std::vector<Mode> modes{tried};
    for (const StateChoice& place : places) {
        const std::size_t count = modes.size();
        for (std::size_t i = 0; i < count; ++i)
            for (const std::uint32_t state : place.states) {
                if (state == tried[place.automaton]) continue;
                modes.push_back(modes[i]);
                modes.back()[place.automaton] = state;
            }
    }
    return modes;
}

// By a fixed sequence of chances.
std::vector<Mode> some_modes(const std::vector<StateChoice>& places, const Mode& tried) {
    std::vector<Mode> modes;
    std::uint64_t chance = 1;
    for (std::size_t i = 0; i < most; ++i) {
        modes.push_back(tried);
        for (const StateChoice& place : places) {
            chance = chance * 6364136223846793005u + 1442695040888963407u;
            const bool stays = i < most / 2 && (chance >> 60) > 3;
            if (!stays) modes.back()[place.automaton] = place.states[(chance >> 33) % place.states.size()];
        }
    }
    return modes;
}

std::size_t changes(const Mode& a, const Mode& b) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < a.size(); ++i) count += a[i] != b[i];
    return count;
}

}  // namespace

std::vector<Mode> other_modes(const bonds::Graph& g, const Mode& tried, const MayBe& may_be) {
    const std::vector<StateChoice> places = places_of(g, may_be);
    std::size_t product = 1;
    for (const StateChoice& place : places) product = std::min(product * place.states.size(), most + 1);
    std::vector<Mode> modes = product <= most ? all_modes(places, tried) : some_modes(places, tried);
    modes.erase(std::remove(modes.begin(), modes.end(), tried), modes.end());
    std::stable_sort(modes.begin(), modes.end(),
                     [&](const Mode& a, const Mode& b) { return changes(a, tried) < changes(b, tried); });
    return modes;
}

}  // namespace deltaflow
