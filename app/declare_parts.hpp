// What several commands take, as CLI11 takes it.
#pragma once

#include "app/arguments.hpp"
#include "app/options.hpp"

#include <CLI/CLI.hpp>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace deltaflow::app {

struct WordOption {
    const char *option, *key, *about;
    std::vector<std::string> words;
};
std::string complaint_about_choice(const WordOption& choice, const std::string& word);

// A whole number within a range.
struct Range {
    std::uint64_t least = 0, most = std::numeric_limits<std::int64_t>::max();
};
template <class Number>
void put(Number& to, std::uint64_t n) {
    to = static_cast<Number>(n);
}
template <class Number>
void put(std::optional<Number>& to, std::uint64_t n) {
    to = static_cast<Number>(n);
}
template <class Count>
CLI::Option* add_count(CLI::App& command, const char* option, Count& count, const char* about, Range range) {
    const auto keep = [&count](const std::string& text) { put(count, whole_number(text).value_or(0)); };
    return command.add_option_function<std::string>(option, keep, about)
        ->type_name("N")
        ->check([range](const std::string& text) {
            return complaint_about_count(text, range.least, range.most);
        });
}

template <class Keep, class Complaint>
void add_text(CLI::App& command, const char* option, const Keep& keep, const char* about, const char* type,
              const Complaint& complaint) {
    command.add_option_function<std::string>(option, keep, about)->type_name(type)->check(complaint);
}

CLI::Option* add_flag(CLI::App& command, const char* option, bool& flag, const char* about);
// What every command that reads a model takes.
void add_model_options(CLI::App& command, std::string& model, LoadOptions& load);
void add_output(CLI::App& command, const char* option, std::string& path, const char* about);
// The settings, or those of one key, with a value to be checked.
void add_settings(CLI::App& command, LoadOptions& load, std::string_view key = "");
void add_choices(CLI::App& command, LoadOptions& load, std::string_view key = "",
                 const char* about = nullptr);
// What pictures of runs show.
void add_view(CLI::App& command, report::View& view);

}  // namespace deltaflow::app
