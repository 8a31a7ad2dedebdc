// The mode that a picture is drawn for.
#include "report/scheme/scheme.hpp"
#include "report/text/notation.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace deltaflow::report::scheme {

namespace {

using bonds::Automaton;
using bonds::Graph;
using bonds::Mode;

[[noreturn]] void fail(const std::string& what, const std::string& word,
                       const std::vector<std::string>& known) {
    const std::string near = nearest(word, {known.begin(), known.end()});
    const std::string hint = near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near);
    const std::string list = known.empty() ? "none" : list_text(known, 12, ", ");
    throw std::invalid_argument(fmt::format("{}{} (known: {})", what, hint, list));
}

// A state by its name; or "on" and "off", which mean the first state that is, the initial one before all
// others.
std::uint32_t find_state(const Automaton& automaton, const std::string& word) {
    for (std::uint32_t s = 0; s < automaton.states.size(); ++s)
        if (automaton.states[s] == word) return s;
    if (word == "on" || word == "off") {
        if ((automaton.on[automaton.initial] != 0) == (word == "on")) return automaton.initial;
        for (std::uint32_t s = 0; s < automaton.states.size(); ++s)
            if ((automaton.on[s] != 0) == (word == "on")) return s;
    }
    fail(fmt::format("the automaton \"{}\" has no state \"{}\"", automaton.name, word), word,
         automaton.states);
}

std::uint32_t find_automaton(const Graph& graph, const std::string& name) {
    for (std::uint32_t a = 0; a < graph.automata.size(); ++a)
        if (graph.automata[a].name == name) return a;
    for (const auto& element : graph.elements)
        if (element.automaton >= 0 && element.name == name)
            return static_cast<std::uint32_t>(element.automaton);
    std::vector<std::string> known;
    for (const auto& automaton : graph.automata) known.push_back(automaton.name);
    for (const auto& element : graph.elements)
        if (element.automaton >= 0) known.push_back(element.name);
    fail(fmt::format("there is no automaton or controlled element \"{}\"", name), name, known);
}

std::string trimmed(const std::string& text) {
    const std::size_t first = text.find_first_not_of(' ');
    if (first == std::string::npos) return "";
    return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

void set(const Graph& graph, const std::string& setting, Mode& mode) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos)
        throw std::invalid_argument(
            fmt::format("\"{}\" is not of the form automaton=state or element=on", setting));
    const std::uint32_t a = find_automaton(graph, trimmed(setting.substr(0, equals)));
    mode[a] = find_state(graph.automata[a], trimmed(setting.substr(equals + 1)));
}

}  // namespace

Mode read_mode(const Graph& graph, const std::string& text) {
    Mode mode = bonds::initial_mode(graph);
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(',', at), text.size());
        set(graph, trimmed(text.substr(at, end - at)), mode);
        at = end + 1;
    }
    return mode;
}

std::string mode_text(const Graph& graph, const Mode& mode) {
    std::vector<std::string> words;
    for (std::size_t a = 0; a < mode.size(); ++a)
        words.push_back(fmt::format("{} = {}", graph.automata[a].name, graph.automata[a].states[mode[a]]));
    return list_text(words, 8, ", ");
}

}  // namespace deltaflow::report::scheme
