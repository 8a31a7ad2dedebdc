// Every model in tests/bad begins with the error that it must give, word for word.
#include "engine/model/model.hpp"
#include "report/text/exit_code.hpp"
#include "tests/paths.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace deltaflow;

namespace {

const std::string folder = test::project_folder() + "/tests/bad/";

std::vector<std::string> models() {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.path().extension() == ".toml") names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

// The comment at the top: "exit code 3", then the message as it is printed.
std::string expected(const std::string& name) {
    std::ifstream file(folder + name);
    std::string line, text;
    while (std::getline(file, line) && line.substr(0, 1) == "#")
        text += line.substr(std::min<std::size_t>(2, line.size())) + "\n";
    return text;
}

std::string without_folder(std::string text) {
    for (auto at = text.find(folder); at != std::string::npos; at = text.find(folder))
        text.erase(at, folder.size());
    return text;
}

// Trailing blanks cannot be seen in a comment.
std::string trimmed(const std::string& text) {
    std::istringstream lines(text);
    std::string line, result;
    while (std::getline(lines, line)) result += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    return result;
}

std::string error_of(const std::string& name) {
    try {
        load_model(folder + name);
        return "no error";
    } catch (const ModelError& e) {
        return trimmed("exit code " + std::to_string(exit_code(e.kind)) + "\n" + without_folder(e.what()));
    }
}

}  // namespace

TEST_CASE("a wrong model gives exactly the error that it begins with") {
    REQUIRE(models().size() > 100);
    for (const auto& name : models()) DYNAMIC_SECTION(name) {
            CHECK(error_of(name) == expected(name));
        }
}
