// Elements told apart by their surroundings.
#include "bonds/ranks.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <numeric>
#include <tuple>

namespace deltaflow::bonds {

namespace {

// So far around an element one looks; farther away it makes no difference that matters.
constexpr int rounds = 16;

std::uint64_t mix(std::uint64_t hash, std::uint64_t x) {
    hash = (hash ^ x) * 0x9e3779b97f4a7c15u;
    hash = (hash ^ (hash >> 29)) * 0xbf58476d1ce4e5b9u;
    return hash ^ (hash >> 32);
}

std::uint64_t colour_of(const Graph& g, const Element& e) {
    std::uint64_t hash = mix(1, static_cast<std::uint64_t>(e.type));
    for (const double x : {e.value, e.initial_momentum, e.initial_displacement})
        hash = mix(hash, std::bit_cast<std::uint64_t>(x));
    for (const std::string* text : {&e.parameter_text, &e.law_text})
        for (const char c : *text) hash = mix(hash, static_cast<unsigned char>(c));
    hash = mix(hash, (e.parameter != no_node) + 2 * (e.law != no_node) + 4 * (e.off == Off::flow));
    if (e.automaton >= 0)
        for (const auto on : g.automata[static_cast<std::size_t>(e.automaton)].on) hash = mix(hash, on);
    return hash;
}

std::vector<std::uint64_t> colours(const Graph& g, const Ports& ports) {
    std::vector<std::uint64_t> colour, next(g.elements.size());
    for (const Element& e : g.elements) colour.push_back(colour_of(g, e));
    for (int round = 0; round < rounds; ++round) {
        for (std::uint32_t x = 0; x < g.elements.size(); ++x) {
            std::uint64_t around = 0;
            for (const std::uint32_t b : ports.of(x)) {
                const bool out = g.bonds[b].from == x;
                around += mix(out ? 3 : 5, colour[out ? g.bonds[b].to : g.bonds[b].from]);
            }
            next[x] = mix(colour[x], around);
        }
        colour.swap(next);
    }
    return colour;
}

// The storages of a field (field.hpp), "coils:I0", "coils:I1": the last one goes first, and so no ratio has
// to be divided by.
int turn_of(const Element& e) {
    const std::size_t colon = e.name.rfind(':');
    int place = 0;
    if (e.is_storage() && colon != std::string::npos)
        std::from_chars(e.name.data() + colon + 2, e.name.data() + e.name.size(), place);
    return -place;
}

template <class Key>
std::vector<std::uint32_t> places(std::size_t count, const Key& key) {
    std::vector<std::uint32_t> order(count), place(count);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return key(a) < key(b); });
    for (std::uint32_t i = 0; i < count; ++i) place[order[i]] = i;
    return place;
}

}  // namespace

Ranks ranks_of(const Graph& g, const Ports& ports) {
    const std::vector<std::uint64_t> colour = colours(g, ports);
    Ranks ranks;
    ranks.element = places(g.elements.size(), [&](std::uint32_t x) {
        const Element& e = g.elements[x];
        return std::tuple(e.type, turn_of(e), -e.value, -e.initial_momentum, -e.initial_displacement,
                          colour[x]);
    });
    ranks.bond = places(g.bonds.size(), [&](std::uint32_t b) {
        return std::tuple(ranks.element[g.bonds[b].from], ranks.element[g.bonds[b].to]);
    });
    return ranks;
}

}  // namespace deltaflow::bonds
