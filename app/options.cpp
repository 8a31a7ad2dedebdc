// Reads the command line, and what it takes.
#include "app/options.hpp"

#include "app/declare.hpp"
#include "app/help_text.hpp"
#include "blocks/catalogue.hpp"
#include "bonds/poles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>

namespace deltaflow::app {

namespace {

// The nearest word that the user may have meant, as a sentence.
std::string advice(const CLI::App& app, const std::string& word) {
    std::vector<std::string> known;
    for (const CLI::Option* option : app.get_options()) known.push_back(option->get_name());
    for (const CLI::App* command : app.get_subcommands({})) known.push_back(command->get_name());
    const std::string found = nearest(word, std::vector<std::string_view>(known.begin(), known.end()));
    if (!found.empty()) return fmt::format("; did you mean {}?", found);
    return word.ends_with(".toml") ? fmt::format("; did you mean run {}?", word) : "";
}

const CLI::App& parsed_command(const CLI::App& app) {
    const auto parsed = app.get_subcommands();
    return parsed.empty() ? app : *parsed.front();
}

Message wrong_usage(const CLI::App& app, const std::string& what) {
    const CLI::App& command = parsed_command(app);
    const std::string name = &command == &app ? "deltaflow" : "deltaflow " + command.get_name();
    return {2, fmt::format("{}: {}\nTry \"{} --help\".\n", name, what, name)};
}

Message message_of(const CLI::App& app, const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {
        std::ostringstream text;
        app.exit(error, text, text);
        return {0, text.str()};
    }
    if (app.get_subcommands().empty() && app.remaining().empty()) return {0, greeting};
    const std::vector<std::string> rest = app.remaining(true);
    if (rest.empty() || rest.front().empty()) return wrong_usage(app, error.what());
    const CLI::App& command = parsed_command(app);
    const char* kind = &command == &app && rest.front().front() != '-' ? "command" : "argument";
    return wrong_usage(app,
                       fmt::format("unknown {} {}{}", kind, rest.front(), advice(command, rest.front())));
}

void set_up(CLI::App& app) {
    app.description(
        "Simulates block diagrams whose wires carry distributions: functions that jump, impulses and "
        "their derivatives.");
    app.footer(main_examples);
    app.set_version_flag("--version", "deltaflow " DELTAFLOW_VERSION);
    app.require_subcommand(1);
}

// Types such as "symbolic|numeric" say all there is; block types are in the catalogue.
std::vector<std::string> words_of(const std::string& command, const std::string& argument,
                                  const std::string& type) {
    std::vector<std::string> words;
    if (command == "blocks" && argument == "NAME") {
        for (const BlockType& type : catalogue()) words.emplace_back(type.type);
        for (const auto& type : bonds::elements()) words.emplace_back(type.type);
        for (const auto& type : bonds::poles()) words.emplace_back(type.type);
    }
    if (argument == "SHELL") return {"bash", "zsh", "fish"};
    const auto is_letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '|'; };
    if (type.find('|') != std::string::npos && std::all_of(type.begin(), type.end(), is_letter))
        words = CLI::detail::split(type, '|');
    return words;
}

CommandHelp help_of(const CLI::App& command) {
    CommandHelp help{command.get_name(), command.get_description(), command.get_footer(), {}};
    for (const CLI::Option* option : command.get_options()) {
        const std::string name = option->get_name(), type = option->get_type_name();
        help.arguments.push_back({name, option->get_expected_max() == 0 ? "" : type,
                                  option->get_description(), words_of(help.name, name, type),
                                  option->get_required(), option->get_expected_max() > 1});
    }
    return help;
}

}  // namespace

CommandLineHelp describe_command_line() {
    CLI::App app("", "deltaflow");
    set_up(app);
    Commands commands;
    commands.declare(app);
    CommandLineHelp help{help_of(app), {}};
    for (const CLI::App* command : app.get_subcommands({})) help.commands.push_back(help_of(*command));
    return help;
}

Command parse_command_line(int argc, const char* const* argv) {
    CLI::App app("", "deltaflow");
    set_up(app);
    Commands commands;
    const auto entries = commands.declare(app);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return message_of(app, error);
    }
    if (const std::string complaint = commands.complaint(); !complaint.empty())
        return wrong_usage(app, complaint);
    if (app.got_subcommand("explain") && !commands.explain.at && commands.explain.event == 0)
        return wrong_usage(app, "which instant? give --at T or --event N");
    for (const Commands::Entry& entry : entries)
        if (entry.command.parsed()) return entry.options();
    return Message{0, greeting};
}

}  // namespace deltaflow::app
