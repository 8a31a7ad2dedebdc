// Reads the command line, and what it takes.
#include "app/options.hpp"

#include "app/arguments.hpp"
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

// What the parser says of an option, in the words of this program.
std::string plain_words(const CLI::App& command, const CLI::ParseError& error) {
    const std::string text = error.what(), name = text.substr(0, text.find_first_of(": "));
    const CLI::Option* option = command.get_option_no_throw(name);
    const auto says = [&](const char* words) { return text.find(words) != std::string::npos; };
    if (option && says("required but received")) return name + " is given twice";
    if (option && says(" missing")) return fmt::format("{} needs a value: {}", name, option->get_type_name());
    if (const std::size_t at = text.find(" excludes "); option && at != std::string::npos)
        return fmt::format("{} and {} do not go together", name, text.substr(at + 10));
    if (says("subcommand is required")) return "a command is wanted, such as run";
    if (says("flag override"))
        return fmt::format("--{} takes no value",
                           name.substr(std::min(name.find_first_not_of('-'), name.size())));
    return text;
}

Message message_of(const CLI::App& app, const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {
        std::ostringstream text;
        app.exit(error, text, text);
        return {0, text.str()};
    }
    if (app.get_subcommands().empty() && app.remaining().empty()) return {0, greeting};
    const std::vector<std::string> rest = app.remaining(true);
    if (rest.empty() || rest.front().empty())
        return wrong_usage(app, plain_words(parsed_command(app), error));
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

std::vector<std::string> command_names() {
    CLI::App app("", "deltaflow");
    Commands commands;
    std::vector<std::string> names;
    for (const Commands::Entry& entry : commands.declare(app)) names.push_back(entry.command.get_name());
    return names;
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
    if (argument == "COMMAND") return command_names();
    const auto is_letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '|'; };
    if (type.find('|') != std::string::npos && std::all_of(type.begin(), type.end(), is_letter))
        words = CLI::detail::split(type, '|');
    return words;
}

// The options that take names of the model at hand.
std::string names_of(const std::string& option) {
    if (option == "--set" || option == "--over") return "parameters";
    return option == "--record" || option == "--signal" || option == "--plot" ? "signals" : "";
}

CommandHelp help_of(const CLI::App& command) {
    CommandHelp help{command.get_name(), command.get_description(), command.get_footer(), {}};
    for (const CLI::Option* option : command.get_options()) {
        const std::string name = option->get_name(), type = option->get_type_name();
        help.arguments.push_back({name, option->get_expected_max() == 0 ? "" : type,
                                  option->get_description(), words_of(help.name, name, type), names_of(name),
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

namespace {

// "help run" is "run --help", "sweep merge" is "merge".
std::vector<std::string> words_of(int argc, const char* const* argv) {
    std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
    if (words.size() > 1 && words[0] == "sweep" && words[1] == "merge") words.erase(words.begin());
    if (words.empty() || words.front() != "help" || (words.size() > 1 && words[1].starts_with("-")))
        return words;
    words.erase(words.begin());
    const std::vector<std::string> known = command_names();
    if (words.empty())
        words.push_back("--help");
    else if (std::count(known.begin(), known.end(), words.front()) > 0)
        words.insert(words.begin() + 1, "--help");
    return words;
}

}  // namespace

Command parse_command_line(int argc, const char* const* argv) {
    CLI::App app("", "deltaflow");
    set_up(app);
    Commands commands;
    const auto entries = commands.declare(app);
    try {
        std::vector<std::string> words = words_of(argc, argv);
        std::reverse(words.begin(), words.end());  // as the parser takes them
        app.parse(std::move(words));
    } catch (const CLI::ParseError& error) {
        return message_of(app, error);
    }
    if (const std::string complaint = commands.complaint(); !complaint.empty())
        return wrong_usage(app, complaint);
    if (app.got_subcommand("explain") && !commands.explain.at && commands.explain.event == 0)
        return wrong_usage(app, "which instant? give --at T or --event N");
    const CompletionOptions& completion = commands.completion;
    if (app.got_subcommand("completion") && completion.shell.empty() && completion.parameters.empty() &&
        completion.signals.empty())
        return wrong_usage(app, "for which shell? bash, zsh or fish");
    for (const Commands::Entry& entry : entries)
        if (entry.command.parsed()) return entry.options();
    return Message{0, greeting};
}

// --stop 1 is read as --set simulation.stop=1; what is wrong with it stands in --stop.
void name_options(ModelError& error, int argc, const char* const* argv) {
    constexpr std::string_view prefix = "simulation.";
    for (std::uint32_t i = 0; i < error.sources.files.size(); ++i) {
        auto& [path, text] = error.sources.files[i];
        const std::size_t end = text.find('=');
        if (path != "--set" || !text.starts_with(prefix) || end == std::string::npos) continue;
        const std::string option = "--" + text.substr(prefix.size(), end - prefix.size());
        const auto is_it = [&](std::string_view word) { return word.substr(0, word.find('=')) == option; };
        if (std::none_of(argv, argv + argc, is_it)) continue;
        path = option;
        text.erase(0, end + 1);
        for (Diagnostic& wrong : error.diagnostics)
            if (wrong.place.file == i && wrong.place.column > end + 1)
                wrong.place.column -= static_cast<std::uint32_t>(end + 1);
    }
}

std::string Commands::complaint() const {
    std::vector<std::string> outputs_of_run = run.outputs();
    if (run.draws_here()) outputs_of_run.emplace_back("-");
    for (const std::string& found :
         {run.view.from < run.view.to ? std::string() : std::string("--from is not before --to"),
          !run.also.empty() && run.svg.empty() && !run.draws_here()
              ? std::string("--also is for pictures: add --svg FILE or --plot -")
              : std::string(),
          complaint_about_outputs(outputs_of_run), complaint_about_outputs({explain.json, explain.svg}),
          complaint_about_outputs({compare.json, compare.svg}), complaint_about_outputs({show.svg, show.dot}),
          complaint_about_outputs({sweep.csv, sweep.jsonl, sweep.json, sweep.svg, sweep.plot ? "-" : ""}),
          complaint_about_axes(sweep.over, sweep.draws.runs, sweep.only_appends()),
          complaint_about_resuming(sweep)})
        if (!found.empty()) return found;
    return {};
}

}  // namespace deltaflow::app
