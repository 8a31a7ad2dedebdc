// `deltaflow completion`: scripts that complete words in a shell, made of what --help says.
#include "app/commands/commands.hpp"
#include "app/files.hpp"
#include "engine/front/outline.hpp"

#include <algorithm>

namespace deltaflow::app {

namespace {

bool takes_file(const Argument& argument) { return argument.value == "FILE" || argument.name == "FILE"; }
bool takes_model(const Argument& argument) { return argument.name == "MODEL" || argument.value == "MODEL"; }

// The argument without a dash; a command has one at most.
const Argument* positional(const CommandHelp& command) {
    for (const Argument& argument : command.arguments)
        if (!argument.is_option()) return &argument;
    return nullptr;
}

std::vector<std::string> option_names(const CommandHelp& command) {
    std::vector<std::string> names;
    for (const Argument& argument : command.arguments)
        if (argument.is_option()) names.push_back(argument.name);
    return names;
}

std::vector<std::string> command_names(const CommandLineHelp& help) {
    std::vector<std::string> names;
    for (const CommandHelp& command : help.commands) names.push_back(command.name);
    return names;
}

// Text between single quotes of a shell.
std::string quoted(const std::string& text, const std::string& quote = "'\\''") {
    std::string result = "'";
    for (const char c : text) result += c == '\'' ? quote : std::string(1, c);
    return result + "'";
}

// bash: a case a command, in it a case an option that takes a value.

std::string bash_action(const Argument& argument) {
    if (!argument.words.empty())
        return fmt::format("words={}", quoted(fmt::format("{}", fmt::join(argument.words, " "))));
    if (!argument.names.empty()) return "names=" + argument.names;
    if (takes_model(argument)) return "files=model";
    return takes_file(argument) ? "files=any" : ":";
}

void write_bash_command(Output& out, const CommandHelp& command) {
    out.print("    {})\n        case $previous in\n", command.name);
    for (const Argument& argument : command.arguments)
        if (argument.is_option() && !argument.value.empty())
            out.print("        {}) {} ;;\n", argument.name, bash_action(argument));
    const Argument* argument = positional(command);
    out.print("        *) {}; options={} ;;\n        esac ;;\n", argument ? bash_action(*argument) : ":",
              quoted(fmt::format("{}", fmt::join(option_names(command), " "))));
}

constexpr std::string_view bash_begin =
    R"(# Completes words of deltaflow in bash: source <(deltaflow completion bash)

# Names of the model on the line; of a list it is the last one that is not complete.
_deltaflow_names() {
    local word model='' before=''
    for word in "${COMP_WORDS[@]:2}"; do [[ $word == *.toml && -f $word ]] && { model=$word; break; }; done
    [[ $model ]] || return
    compopt -o nospace 2>/dev/null
    local found
    found=$("${COMP_WORDS[0]}" completion "--$1" "$model" 2>/dev/null)
    if [[ $1 == parameters ]]; then
        COMPREPLY=($(compgen -S = -W "$found" -- "$2"))
    else
        [[ $2 == *[,\;]* ]] && before=${2%"${2##*[,;]}"}
        COMPREPLY=($(compgen -P "$before" -W "$found" -- "${2#"$before"}"))
    fi
}

_deltaflow() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
    local command=${COMP_WORDS[1]} words='' options='' files='' names=''
    ((COMP_CWORD > 1)) || command=''
    case $command in
)";

constexpr std::string_view bash_end = R"(    esac
    [[ $current == -* ]] && words=$options files='' names=''
    [[ $names ]] && { _deltaflow_names "$names" "$current"; return; }
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    [[ $files ]] && compopt -o filenames 2>/dev/null
    local IFS=$'\n'
    case $files in
    any) COMPREPLY+=($(compgen -f -- "$current")) ;;
    model) COMPREPLY+=($(compgen -d -- "$current") $(compgen -f -X '!*.toml' -- "$current")) ;;
    esac
}
complete -F _deltaflow deltaflow
)";

void write_bash(Output& out, const CommandLineHelp& help) {
    out.write(bash_begin);
    out.print("    '') words={}; options={} ;;\n",
              quoted(fmt::format("{}", fmt::join(command_names(help), " "))),
              quoted(fmt::format("{}", fmt::join(option_names(help.all), " "))));
    for (const CommandHelp& command : help.commands) write_bash_command(out, command);
    out.write(bash_end);
}

// zsh: _arguments with a specification an argument, such as '--svg[draw it]:FILE:_files'.

std::string zsh_text(const std::string& text) {
    std::string result;
    for (const char c : text) {
        if (c == '[' || c == ']' || c == ':' || c == '\\') result += '\\';
        result += c;
    }
    return result;
}

std::string zsh_action(const Argument& argument) {
    if (!argument.names.empty()) return "_deltaflow_names " + argument.names;
    if (!argument.words.empty()) return fmt::format("({})", fmt::join(argument.words, " "));
    if (takes_model(argument)) return "_files -g \"*.toml\"";
    return takes_file(argument) ? "_files" : "";
}

std::string zsh_specification(const Argument& argument) {
    if (!argument.is_option())
        return fmt::format("{}:{}:{}", argument.required ? "1" : "1:", zsh_text(argument.name),
                           zsh_action(argument));
    const std::string about =
        fmt::format("{}{}[{}]", argument.repeatable ? "*" : "", argument.name, zsh_text(argument.about));
    if (argument.value.empty()) return about;
    return fmt::format("{}:{}:{}", about, zsh_text(argument.value), zsh_action(argument));
}

void write_zsh_command(Output& out, const CommandHelp& command) {
    out.print("    {})\n        _arguments", command.name);
    for (const Argument& argument : command.arguments)
        out.print(" \\\n            {}", quoted(zsh_specification(argument)));
    out.write(" ;;\n");
}

constexpr std::string_view zsh_names = R"zsh(
# Names of the model on the line; of a list it is the last one that is not complete.
_deltaflow_names() {
    local kind=$1 model=${words[(r)*.toml]}
    [[ -f $model ]] || return 1
    local -a found=(${(f)"$(deltaflow completion --$kind $model 2>/dev/null)"})
    if [[ $kind == parameters ]]; then
        compset -P 1 '*=' && return 1
        compadd -S = -- $found
    else
        compset -P '*[,;]'
        compadd -S '' -- $found
    fi
}

)zsh";

void write_zsh(Output& out, const CommandLineHelp& help) {
    out.write(
        "#compdef deltaflow\n# Completes words of deltaflow in zsh: put it into a folder of $fpath as "
        "_deltaflow.\n");
    out.write(zsh_names);
    out.write("_deltaflow() {\n    local -a commands=(\n");
    for (const CommandHelp& command : help.commands)
        out.print("        {}\n", quoted(command.name + ":" + zsh_text(command.about)));
    out.write("    )\n    if ((CURRENT == 2)); then\n");
    out.print("        [[ $words[2] == -* ]] && compadd -- {} || _describe command commands\n",
              fmt::join(option_names(help.all), " "));
    out.write(
        "        return\n    fi\n    local command=$words[2]\n    shift words\n    ((CURRENT--))\n    case "
        "$command in\n");
    for (const CommandHelp& command : help.commands) write_zsh_command(out, command);
    out.write(
        "    esac\n}\nif [[ $funcstack[1] == _deltaflow ]]; then _deltaflow \"$@\"; else compdef _deltaflow "
        "deltaflow; fi\n");
}

// fish: a line a command and a line an option.

std::string fish_text(const std::string& text) { return quoted(text, "\\'"); }

std::string fish_value(const Argument& argument) {
    if (!argument.names.empty()) return " -x -a " + fish_text("(__deltaflow_names " + argument.names + ")");
    if (!argument.words.empty())
        return fmt::format(" -x -a {}", fish_text(fmt::format("{}", fmt::join(argument.words, " "))));
    return takes_file(argument) ? " -r -F" : " -x";
}

constexpr std::string_view fish_names = R"(
# Names of the model on the line; of a list it is the last one that is not complete.
function __deltaflow_names
    set -l model (string match -- '*.toml' (commandline -opc))[1]
    test -f "$model"; or return
    set -l found (deltaflow completion --$argv[1] $model 2>/dev/null)
    if test $argv[1] = parameters
        string join \n -- $found=
    else
        string join \n -- (string replace -r '[^,;]*$' '' -- (commandline -ct))$found
    end
end

)";

void write_fish_argument(Output& out, const std::string& when, const Argument& argument) {
    if (argument.is_option()) {
        out.print("complete -c deltaflow -n {} -l {}{} -d {}\n", fish_text(when), argument.name.substr(2),
                  argument.value.empty() ? "" : fish_value(argument), fish_text(argument.about));
    } else if (takes_model(argument)) {
        out.print("complete -c deltaflow -n {} -k -a '(__fish_complete_suffix .toml)'\n", fish_text(when));
    } else {
        out.print("complete -c deltaflow -n {}{}\n", fish_text(when),
                  takes_file(argument) ? " -F" : fish_value(argument));
    }
}

void write_fish(Output& out, const CommandLineHelp& help) {
    out.write(
        "# Completes words of deltaflow in fish: put it into ~/.config/fish/completions/deltaflow.fish.\n");
    out.write(fish_names);
    out.write("complete -c deltaflow -f\n");
    for (const CommandHelp& command : help.commands)
        out.print("complete -c deltaflow -n __fish_use_subcommand -a {} -d {}\n", command.name,
                  fish_text(command.about));
    for (const Argument& argument : help.all.arguments)
        write_fish_argument(out, "__fish_use_subcommand", argument);
    for (const CommandHelp& command : help.commands)
        for (const Argument& argument : command.arguments)
            write_fish_argument(out, "__fish_seen_subcommand_from " + command.name, argument);
}

// What somebody could set or record. A model that cannot be read has no names: whoever presses a key wants no
// message.
std::vector<std::string> names_of(const CompletionOptions& options) try {
    const bool parameters = !options.parameters.empty();
    const FlatModel model = load_model(parameters ? options.parameters : options.signals);
    return parameters ? parameter_names(model) : signal_names(model);
} catch (const ModelError&) {
    return {};
}

int write_names(const CompletionOptions& options) {
    write_file("-", [&](Output& output) {
        for (const std::string& name : names_of(options)) output.print("{}\n", name);
    });
    return 0;
}

}  // namespace

int completion(const CompletionOptions& options) {
    if (options.shell.empty()) return write_names(options);
    const auto write = options.shell == "bash" ? write_bash : options.shell == "zsh" ? write_zsh : write_fish;
    write_file("-", [&](Output& output) { write(output, describe_command_line()); });
    return 0;
}

}  // namespace deltaflow::app
