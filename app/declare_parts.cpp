// Options that several commands take.
#include "app/declare_parts.hpp"

#include "report/text/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace deltaflow::app {

namespace {

// Options whose value the loader takes as a key of [simulation].
struct Setting {
    const char *option, *key, *value, *about;
    std::string (*complaint)(const std::string&);
};
constexpr Setting settings[] = {
    {"--stop", "stop", "T", "end of the run", complaint_about_number},
    {"--step", "step", "H", "step of fixed-step methods and numeric impulses", complaint_about_positive},
    {"--every", "every", "DT", "distance of the samples", complaint_about_positive},
};

template <class E>
std::vector<std::string> words_of() {
    std::vector<std::string> words;
    for (const auto& choice : choices<E>) words.emplace_back(choice.name);
    return words;
}
const std::vector<WordOption>& word_options() {
    static const std::vector<WordOption> all = {
        {"--method", "method", "how smooth flow is integrated", words_of<Method>()},
        {"--impulses", "impulses", "exact impulses, or samples of height 1/h", words_of<ImpulseKind>()},
    };
    return all;
}

CLI::Option* add_setting(CLI::App& command, LoadOptions& load, const char* option, const char* key,
                         const char* about) {
    const auto keep = [&load, name = std::string("simulation.") + key](const std::string& value) {
        load.set.emplace_back(name, value);
    };
    return command.add_option_function<std::string>(option, keep, about);
}

}  // namespace

std::string complaint_about_choice(const WordOption& choice, const std::string& word) {
    if (std::count(choice.words.begin(), choice.words.end(), word) > 0) return {};
    return fmt::format("\"{}\" is none of {}", word, fmt::join(choice.words, ", "));
}

CLI::Option* add_flag(CLI::App& command, const char* option, bool& flag, const char* about) {
    return command.add_flag(option, flag, about)->disable_flag_override();
}

void add_model_options(CLI::App& command, std::string& model, LoadOptions& load) {
    command.add_option("MODEL", model, "the model file (TOML); - is standard input")
        ->required()
        ->type_name("");
    const auto set = [&load](const std::vector<std::string>& settings) {
        for (const std::string& text : settings) {
            const std::size_t equals = text.find('=');
            load.set.emplace_back(text.substr(0, equals), text.substr(equals + 1));
        }
    };
    command
        .add_option_function<std::vector<std::string>>("--set", set,
                                                       "a parameter, or simulation.KEY; repeatable")
        ->allow_extra_args(false)
        ->type_name("NAME=VALUE")
        ->check(complaint_about_setting);
    const auto record = [&load](const std::string& names) { load.record = split(names); };
    command.add_option_function<std::string>("--record", record, "what to record")->type_name("A,B,...");
    add_count(command, "--max-blocks", load.max_blocks, "refuse models with more blocks", {1});
    command.add_option("--allow", load.allow, "let the model read files below this folder, too; repeatable")
        ->allow_extra_args(false)
        ->type_name("PATH");
    const auto add_limit = [&](const char* option, double& limit, const char* about, const char* unit) {
        command
            .add_option_function<std::string>(
                option, [&limit](const std::string& text) { limit = report::number_of(text); }, about)
            ->type_name(unit)
            ->check(complaint_about_positive);
    };
    add_limit("--limit-seconds", load.limits.seconds, "end after so many seconds, with what there is", "S");
    add_limit("--limit-memory", load.limits.megabytes, "end where it takes more megabytes", "MB");
}

void add_output(CLI::App& command, const char* option, std::string& path, const char* about) {
    command.add_option(option, path, about)->type_name("FILE")->check([](const std::string& text) {
        return text.empty() ? std::string("the name of the file is empty") : std::string();
    });
}

void add_settings(CLI::App& command, LoadOptions& load, std::string_view key) {
    for (const Setting& s : settings)
        if (key.empty() || key == s.key)
            add_setting(command, load, s.option, s.key, s.about)->type_name(s.value)->check(s.complaint);
}

void add_choices(CLI::App& command, LoadOptions& load, std::string_view key, const char* about) {
    for (const WordOption& c : word_options())
        if (key.empty() || key == c.key)
            add_setting(command, load, c.option, c.key, about ? about : c.about)
                ->type_name(fmt::format("{}", fmt::join(c.words, "|")))
                ->check([&c](const std::string& word) { return complaint_about_choice(c, word); });
}

void add_view(CLI::App& command, report::View& view) {
    const auto add_time = [&](const char* name, double& time, const char* about) {
        const auto keep = [&time](const std::string& text) { time = report::number_of(text); };
        command.add_option_function<std::string>(name, keep, about)
            ->type_name("T")
            ->check(complaint_about_number);
    };
    add_time("--from", view.from, "pictures begin here");
    add_time("--to", view.to, "pictures end here");
    const auto logarithm = [&view](const std::string& axes) {
        view.log_time = axes.find('t') != std::string::npos;
        view.log_values = axes.find('y') != std::string::npos;
    };
    command.add_option_function<std::string>("--log", logarithm, "logarithmic axes of pictures")
        ->type_name("t|y|ty")
        ->check([](const std::string& axes) {
            return axes == "t" || axes == "y" || axes == "ty" ? "" : "axes are t, y or ty";
        });
    const auto size = [&view](const std::string& text) {
        const auto parts = split(text, 'x');
        view.width = report::number_of(parts[0]);
        if (parts.size() > 1) view.height = report::number_of(parts[1]);
    };
    command.add_option_function<std::string>("--size", size, "of pictures, in pixels")
        ->type_name("WIDTHxHEIGHT|WIDTH")
        ->check(complaint_about_size);
}

}  // namespace deltaflow::app
