// `deltaflow man`: the manual page, made of what --help says.
#include "app/commands/commands.hpp"
#include "app/files.hpp"
#include "app/help_text.hpp"

#include <sstream>

namespace deltaflow::app {

namespace {

// troff reads backslashes, and dots and quotes that begin a line; a plain dash is a hyphen to it.
std::string troff(const std::string& text) {
    std::string result;
    for (const char c : text)
        if (c == '\\')
            result += "\\e";
        else if (c == '-')
            result += "\\-";
        else
            result += c;
    return !result.empty() && (result.front() == '.' || result.front() == '\'') ? "\\&" + result : result;
}

// Indented lines stay as they are; others are paragraphs, and headings where a colon ends them.
void write_footer(Output& out, const std::string& footer) {
    std::istringstream lines(footer);
    bool inside = false, fresh = true;
    for (std::string line; std::getline(lines, line);) {
        const bool listing = line.rfind("  ", 0) == 0;
        if (listing != inside) out.write(listing ? ".RS 4\n.nf\n" : ".fi\n.RE\n");
        inside = listing;
        if (!listing && fresh) out.write(".PP\n");
        fresh = line.empty();
        if (!line.empty()) out.print("{}\n", troff(listing ? line.substr(2) : line));
    }
    if (inside) out.write(".fi\n.RE\n");
}

void write_argument(Output& out, const Argument& argument) {
    out.print(".TP\n.B {}", troff(argument.name));
    if (!argument.value.empty()) out.print(" \\fI{}\\fR", troff(argument.value));
    out.print("\n{}\n", troff(argument.about));
}

std::string synopsis(const CommandHelp& command) {
    std::string text = ".B deltaflow " + troff(command.name) + "\n";
    for (const Argument& argument : command.arguments)
        if (!argument.is_option())
            text += fmt::format("{}\\fI{}\\fR{}\n", argument.required ? "" : "[", argument.name,
                                argument.required ? "" : "]");
    return text + "[\\fIoptions\\fR]\n";
}

void write_command(Output& out, const CommandHelp& command) {
    out.print(".SS {}\n{}.PP\n{}\n", command.name, synopsis(command), troff(command.about));
    for (const Argument& argument : command.arguments)
        if (argument.name != "--help") write_argument(out, argument);
    write_footer(out, command.footer);
}

void write_page(Output& out, const CommandLineHelp& help) {
    out.print(".TH DELTAFLOW 1 \"\" \"deltaflow {}\"\n", DELTAFLOW_VERSION);
    out.write(".SH NAME\ndeltaflow \\- simulate diagrams whose wires carry distributions\n.SH SYNOPSIS\n");
    for (const CommandHelp& command : help.commands) out.print("{}.br\n", synopsis(command));
    out.print(".SH DESCRIPTION\n{}\n", troff(help.all.about));
    for (const Argument& argument : help.all.arguments) write_argument(out, argument);
    out.write(".SH COMMANDS\n");
    for (const CommandHelp& command : help.commands) write_command(out, command);
    out.write(".SH MODEL FORMAT\n");
    write_footer(out, model_words);
    out.write(".SH FILES\n");
    write_footer(out, files_words);
    out.write(".SH EXAMPLES AND EXIT STATUS\n");
    write_footer(out, help.all.footer);
}

}  // namespace

int man(const ManOptions&) {
    write_file("-", [](Output& output) { write_page(output, describe_command_line()); });
    return 0;
}

}  // namespace deltaflow::app
