#include "engine/modes/switch_log.hpp"

#include <fmt/format.h>

namespace deltaflow {

namespace {

std::string text_of(const GuardReading& reading) {
    std::string text = fmt::format("{:.6g}", reading.value);
    if (reading.impulse >= 0) text += " delta" + std::string(static_cast<std::size_t>(reading.impulse), '\'');
    return text;
}

}  // namespace

std::vector<std::string> SwitchLog::back_to(const bonds::Graph& graph, const bonds::Mode& mode) const {
    bonds::Mode earlier = mode;
    std::size_t first = taken_.size();
    while (first > 0 && (first == taken_.size() || earlier != mode)) {
        const std::uint32_t round = taken_[first - 1].round;
        for (; first > 0 && taken_[first - 1].round == round; --first)
            earlier[taken_[first - 1].automaton] = taken_[first - 1].transition->from;
    }
    std::vector<std::string> lines;
    for (; first < taken_.size(); ++first) lines.push_back(describe(graph, first));
    return lines;
}

// "touch: apart -> together when x >= 1 and v > 0 (left minus right: 0, 2.5)"
std::string SwitchLog::describe(const bonds::Graph& graph, std::size_t i) const {
    const auto& automaton = graph.automata[taken_[i].automaton];
    const bonds::Transition& t = *taken_[i].transition;
    const std::size_t end = i + 1 < taken_.size() ? taken_[i + 1].first_reading : readings_.size();
    std::string values;
    for (std::size_t r = taken_[i].first_reading; r < end; ++r)
        values += (values.empty() ? "" : ", ") + text_of(readings_[r]);
    return fmt::format("{}: {} -> {} when {}{}", automaton.name, automaton.states[t.from],
                       automaton.states[t.to], t.when.text,
                       values.empty() ? "" : fmt::format(" (left minus right: {})", values));
}

}  // namespace deltaflow
