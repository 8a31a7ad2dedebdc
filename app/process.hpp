// Other programs that help where they are installed.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace deltaflow::app {

struct Answer {
    bool good = false;  // it ended without an error
    std::string text;
};

// Runs a program with `given` as its standard input. Nothing if it is not installed; OutputError if it takes
// too long (`advice` says what to do then) or there is no room.
std::optional<Answer> answer_of(const std::vector<std::string>& words, const std::string& given,
                                const std::string& advice);

}  // namespace deltaflow::app
