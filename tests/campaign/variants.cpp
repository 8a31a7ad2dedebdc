// Permuting, renaming, wrapping, recording less.
#include "tests/campaign/variants.hpp"

#include <algorithm>
#include <cctype>
#include <map>

namespace deltaflow::campaign {

namespace {

bool begins_with(const std::string& s, const char* prefix) { return s.rfind(prefix, 0) == 0; }

bool holds_names(const std::string& header) {
    for (const char* const part : {"blocks", "elements", "bonds", "circuit", "mechanics", "parameters"})
        if (header == part || (begins_with(header, "diagrams.") && header.ends_with(std::string(".") + part)))
            return true;
    return false;
}

// Names of the generator are letters followed by digits; nothing that a model file means by itself looks so.
bool is_plain_name(const std::string& s) {
    return !s.empty() && std::isdigit(static_cast<unsigned char>(s.back())) != 0 && s != "atan2";
}

std::vector<std::string> names_of(const Draft& draft) {
    std::vector<std::string> names;
    const auto add = [&](const std::string& name) {
        if (is_plain_name(name) && std::find(names.begin(), names.end(), name) == names.end())
            names.push_back(name);
    };
    for (const Section& section : draft.sections) {
        if (holds_names(section.header))
            for (const std::string& line : section.lines) add(key_of(line));
        for (const Word& word : words_of(section.header)) add(section.header.substr(word.at, word.length));
        const bool all = begins_with(section.header, "diagrams.") || section.header == "circuit" ||
                         section.header == "mechanics";  // inputs and parameters, nodes and points
        for (const std::string& line : section.lines)
            if (all)
                for (const Word& word : words_of(line)) add(line.substr(word.at, word.length));
    }
    return names;
}

}  // namespace

Draft permuted(const Draft& draft, Random random) {
    Draft other = draft;
    for (Section& section : other.sections) random.shuffle(section.lines);
    random.shuffle(other.sections);
    return other;
}

// The last name in alphabetical order comes first, in a shuffle of its own. The names are unlike each other:
// a node at which nothing else is counts as misspelt if another one looks like it.
Draft renamed(const Draft& draft, Random random) {
    std::vector<std::string> names = names_of(draft);
    std::vector<std::size_t> places(names.size());
    for (std::size_t i = 0; i < places.size(); ++i) places[i] = i;
    random.shuffle(places);
    std::vector<std::pair<std::string, std::string>> by;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const char letter = static_cast<char>('a' + places[i] % 26);
        by.emplace_back(names[i], std::string(6, letter) + "_" + std::to_string(places[i]) + "_x");
    }
    Draft other = draft;
    for (Section& section : other.sections) {
        section.header = replace_words(section.header, by);
        for (std::string& line : section.lines) line = replace_words(line, by);
    }
    return other;
}

Draft wrapped(const Draft& draft) {
    Draft other;
    for (Section section : draft.sections) {
        const std::string& h = section.header;
        if ((holds_names(h) && h != "parameters" && !begins_with(h, "diagrams.")) ||
            begins_with(h, "automata."))
            section.header = "diagrams.whole." + h;
        other.sections.push_back(std::move(section));
    }
    other["blocks"] = {"inside = { type = \"whole\" }"};
    std::vector<std::string> record = strings_of(draft.value("simulation", "record"));
    for (std::string& name : record) name = "inside." + name;
    other.set("simulation", "record", list_of(record));
    return other;
}

Draft without_idle_helpers(Draft draft) {
    for (bool dropped = true; dropped;) {
        dropped = false;
        std::map<std::string, int> uses;
        for (const Section& section : draft.sections)
            for (const std::string& line : section.lines)
                for (const Word& word : words_of(line)) ++uses[line.substr(word.at, word.length)];
        for (Section& section : draft.sections)
            dropped |= std::erase_if(section.lines, [&](const std::string& line) {
                           const std::string key = key_of(line);
                           return key.size() > 1 && key[0] == 'h' && is_plain_name(key) && uses[key] == 1;
                       }) > 0;
    }
    return draft;
}

Draft recording(const Draft& draft, std::size_t signal) {
    return recording_only(draft, strings_of(draft.value("simulation", "record")).at(signal));
}

Draft recording_only(Draft draft, const std::string& name) {
    draft.set("simulation", "record", list_of({name}));
    return draft;
}

Draft recording_all(Draft draft) {
    for (Section& section : draft.sections)
        std::erase_if(section.lines, [](const std::string& line) { return key_of(line) == "record"; });
    return draft;
}

}  // namespace deltaflow::campaign
