// Pairs (`complement`) at an instant: modes that are tried, and what is said of them.
#include "engine/modes/guards.hpp"
#include "engine/run/island.hpp"
#include "engine/run/pairs.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace deltaflow {

namespace {

// Of so many pairs all others are looked at whenever one switches; of more, at a few instants.
constexpr std::size_t few_pairs = 4;
constexpr std::uint64_t few_instants = 8;

}  // namespace

const bonds::Graph* IslandGerms::pair_graph() const { return modes_ ? modes_->pair_graph() : nullptr; }

bool IslandGerms::looks_for_pairs() const {
    if (trying_) return false;
    const auto& automata = modes_->graph().automata;
    std::size_t pairs = 0;
    bool switches = starting_;
    for (std::size_t a = 0; a < automata.size(); ++a) {
        if (!automata[a].is_pair()) continue;
        ++pairs;
        switches = switches || state_.mode[a] != state_.after_mode[a];
    }
    return switches && (pairs <= few_pairs || state_.instants <= few_instants);
}

void Island::try_mode(const bonds::Mode& mode) {
    for (std::size_t a = 0; a < mode.size(); ++a)
        if (mode[a] != state_.mode[a] && mode[a] != state_.after_mode[a])
            note_cause(modes_->graph().automata[a].signals[0]);
    state_.after_mode = mode;
    solve_mode(false);
}

void Island::warn_of_others(std::size_t pair) {
    const std::string text = fmt::format(
        "at t = {}: the pair \"{}\" has several solutions; the one that pivoting reaches is taken", state_.t,
        modes_->graph().automata[pair].name);
    if (std::none_of(warnings_.begin(), warnings_.end(), [&](const std::string& w) {
            return w.substr(w.find(':')) == text.substr(text.find(':'));
        }))
        warnings_.push_back(text);
}

}  // namespace deltaflow
