#include "engine/modes/memory.hpp"

#include <algorithm>

namespace deltaflow {

namespace {

bool remembers(const bonds::Transition& t) { return t.after || t.once || !t.set.empty(); }

bool remembers(const bonds::Automaton& a) {
    return std::any_of(a.transitions.begin(), a.transitions.end(),
                       [](const bonds::Transition& t) { return remembers(t); });
}

}  // namespace

void AutomataMemory::begin(const bonds::Graph& graph, const Rational& start) {
    const auto& automata = graph.automata;
    if (std::none_of(automata.begin(), automata.end(), [](const auto& a) { return remembers(a); })) return;
    entered.assign(automata.size(), start);
    fresh.assign(automata.size(), 1);
    alone.assign(automata.size(), NAN);
    for (const auto& a : automata) held_back.emplace_back(a.transitions.size(), 0);
}

// Where a timer led here its own time counts, and not the double that is nearest to it.
void AutomataMemory::enter(std::size_t a, const bonds::Transition& by, double t, double near) {
    const auto is_now = [&](const Rational& time) { return std::abs(to_double(time) - t) <= near; };
    if (by.after && is_now(due(a, by)))
        entered[a] = due(a, by);
    else if (!is_now(entered[a]))
        entered[a] = exact(t);
    fresh[a] = 1;
    if (by.once) alone[a] = t;
}

void AutomataMemory::archive(Archive& a) {
    std::vector<std::pair<Integer, Integer>> times;
    for (const Rational& t : entered) times.emplace_back(t.numerator(), t.denominator());
    a(times, fresh, alone, held_back);
    entered.clear();
    for (const auto& [numerator, denominator] : times) {
        if (denominator <= 0) throw BadArchive();
        entered.emplace_back(numerator, denominator);
    }
}

}  // namespace deltaflow
