// Boxes of text with tall brackets, and their LaTeX.
#include "report/hypa/layout.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace deltaflow::report::hypa {

std::size_t width(const std::string& text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t to) {
    return text + std::string(to - std::min(to, width(text)), ' ');
}

namespace {

constexpr std::size_t page_width = 100;

// Lines of equal width; its neighbours stand beside its middle.
class Box {
public:
    explicit Box(Lines lines) : lines_(std::move(lines)) {
        for (const std::string& line : lines_) width_ = std::max(width_, hypa::width(line));
        for (std::string& line : lines_) line = padded(line, width_);
    }
    explicit Box(const std::string& line) : Box(Lines{line}) {}

    std::size_t height() const { return lines_.size(); }
    std::size_t width() const { return width_; }
    const Lines& lines() const { return lines_; }

    // top, between and bottom; a single line takes `plain`.
    struct Bracket {
        const char *plain, *top, *between, *bottom;
    };
    Box inside(const Bracket& left, const Bracket& right) const {
        Lines lines;
        for (std::size_t i = 0; i < height(); ++i)
            lines.push_back(piece(left, i) + std::string(" ") + lines_[i] + " " + piece(right, i));
        return Box(std::move(lines));
    }

    Box operator+(const Box& right) const {
        const std::size_t middle = std::max((height() - 1) / 2, (right.height() - 1) / 2);
        const std::size_t a = middle - (height() - 1) / 2, b = middle - (right.height() - 1) / 2;
        Lines lines;
        for (std::size_t i = 0; i < std::max(a + height(), b + right.height()); ++i)
            lines.push_back(line_or_blank(i, a) + right.line_or_blank(i, b));
        return Box(std::move(lines));
    }

    std::string text() const {
        std::string text;
        for (const std::string& line : lines_) text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
        return text;
    }

private:
    const char* piece(const Bracket& b, std::size_t i) const {
        if (height() == 1) return b.plain;
        return i == 0 ? b.top : i + 1 == height() ? b.bottom : b.between;
    }
    std::string line_or_blank(std::size_t i, std::size_t shift) const {
        return i >= shift && i - shift < height() ? lines_[i - shift] : std::string(width_, ' ');
    }

    Lines lines_;
    std::size_t width_ = 0;
};

constexpr Box::Bracket square_open{"[", "⎡", "⎢", "⎣"}, square_close{"]", "⎤", "⎥", "⎦"};
constexpr Box::Bracket round_open{"(", "⎛", "⎜", "⎝"}, round_close{")", "⎞", "⎟", "⎠"};

Lines or_true(const Lines& lines) { return lines.empty() ? Lines{"true"} : lines; }

Box clause_box(const Lines& lines, bool jump) {
    const Box box(or_true(lines));
    return jump ? box.inside(square_open, square_close) : box.inside(round_open, round_close);
}

Box alternative_box(const Alternative& a, std::size_t jump_width = 0) {
    const Box jump = clause_box(a.jump, true);
    const std::size_t blanks = jump_width - std::min(jump_width, jump.width());
    return jump + Box(std::string(blanks, ' ') + " ≫ ") + clause_box(a.flow, false);
}

Box stacked(const std::vector<Alternative>& alternatives) {
    if (alternatives.size() == 1) return alternative_box(alternatives[0]);
    Lines lines;
    std::size_t jump_width = 0;
    for (const Alternative& a : alternatives)
        jump_width = std::max(jump_width, clause_box(a.jump, true).width());
    for (const Alternative& a : alternatives) {
        const Box box = Box(lines.empty() ? "  " : "⊕ ") + alternative_box(a, jump_width);
        lines.insert(lines.end(), box.lines().begin(), box.lines().end());
    }
    return Box(std::move(lines));
}

std::string column(const Lines& lines, bool jump) {
    std::string text;
    for (const std::string& line : or_true(lines))
        text += (text.empty() ? "" : " \\\\ ") + (line == "true" ? "\\mathit{true}" : line);
    return fmt::format("\\left{}\\begin{{array}}{{l}} {} \\end{{array}}\\right{}", jump ? '[' : '(', text,
                       jump ? ']' : ')');
}

std::string alternative_latex(const Alternative& a) {
    return column(a.jump, true) + " \\gg " + column(a.flow, false);
}

}  // namespace

std::string process_text(const Process& process) {
    const Box body = stacked(process.alternatives).inside(round_open, round_close);
    const Box left(process.name + " ≈ "), right(" ▶ " + process.name);
    if (left.width() + body.width() + right.width() <= page_width) return (left + body + right).text();
    return (Box(process.name + " ≈")).text() + (Box("  ") + body + right).text();
}

std::string process_latex(const Process& process) {
    std::string body;
    if (process.alternatives.size() == 1) {
        body = alternative_latex(process.alternatives[0]);
    } else {
        for (const Alternative& a : process.alternatives)
            body += (body.empty() ? "" : " \\\\\n\\oplus ") + std::string("& ") + alternative_latex(a);
        body = "\\begin{array}{rl}\n" + body + "\n\\end{array}";
    }
    return fmt::format("\\[\n{} \\approx \\left( {} \\right) \\blacktriangleright {}\n\\]\n", process.name,
                       body, process.name);
}

std::string definition_text(const std::string& name, const Lines& lines, bool jump) {
    return (Box(name + " = ") + clause_box(lines, jump)).text();
}

std::string definition_latex(const std::string& name, const Lines& lines, bool jump) {
    return fmt::format("\\[\n{} = {}\n\\]\n", name, column(lines, jump));
}

}  // namespace deltaflow::report::hypa
