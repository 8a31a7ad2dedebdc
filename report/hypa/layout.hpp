// Processes on the page: brackets around columns of lines, as plain text or in LaTeX.
#pragma once

#include <string>
#include <vector>

namespace deltaflow::report::hypa {

using Lines = std::vector<std::string>;

// [jump] >> (flow)
struct Alternative {
    Lines jump, flow;
};

// name = (alternative + alternative + ...) |> name
struct Process {
    std::string name;
    std::vector<Alternative> alternatives;
};

// Each ends with a line break.
std::string process_text(const Process& process);
std::string process_latex(const Process& process);

// "d_a = [...]" and "c_a = (...)", to be set side by side or below each other.
std::string definition_text(const std::string& name, const Lines& lines, bool jump);
std::string definition_latex(const std::string& name, const Lines& lines, bool jump);

// Letters on the screen.
std::size_t width(const std::string& text);
std::string padded(const std::string& text, std::size_t to);

}  // namespace deltaflow::report::hypa
