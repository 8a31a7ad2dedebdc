// Dots, characters, colours.
#include "report/plot/canvas.hpp"

#include "report/text/glyphs.hpp"

#include <algorithm>
#include <cmath>

namespace deltaflow::report {

namespace {

// Bits of a Braille pattern, by row and column of its dots.
constexpr unsigned braille_bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};

// U+2800 and the 256 characters from there on, in UTF-8.
std::string braille(unsigned dots) {
    return {static_cast<char>(0xE2), static_cast<char>(0xA0 | (dots >> 6)),
            static_cast<char>(0x80 | (dots & 0x3F))};
}

std::vector<std::string> characters(const std::string& words) {
    std::vector<std::string> result;
    for (const char c : words)
        if ((c & 0xC0) == 0x80 && !result.empty())
            result.back() += c;
        else
            result.emplace_back(1, c);
    return result;
}

}  // namespace

Canvas::Canvas(std::size_t columns, std::size_t rows, bool unicode)
    : columns_(columns), rows_(rows), unicode_(unicode), cells_(columns * rows) {}

void Canvas::dot(long x, long y, Ink ink, char mark) {
    const long column = x / static_cast<long>(across()), row = y / static_cast<long>(down());
    if (x < 0 || y < 0 || column >= static_cast<long>(columns_) || row >= static_cast<long>(rows_)) return;
    Cell& c = cell(static_cast<std::size_t>(column), static_cast<std::size_t>(row));
    if (unicode_)
        c.dots |= braille_bits[y % 4][x % 2];
    else
        c.dots = static_cast<unsigned char>(mark);
    c.ink = ink;
}

void Canvas::draw_line(double x1, double y1, double x2, double y2, Ink ink, char mark) {
    const double length = std::max(std::abs(x2 - x1), std::abs(y2 - y1));
    const auto steps = static_cast<long>(std::min(std::ceil(length), 1e5));
    for (long i = 0; i <= steps; ++i) {
        const double share = steps == 0 ? 0 : static_cast<double>(i) / static_cast<double>(steps);
        dot(std::lround(x1 + share * (x2 - x1)), std::lround(y1 + share * (y2 - y1)), ink, mark);
    }
}

void Canvas::put_behind(std::size_t column, std::size_t row, std::string_view glyph) {
    if (column < columns_ && row < rows_) cell(column, row).back = glyph;
}

void Canvas::put(std::size_t column, std::size_t row, std::string_view glyph, Ink ink) {
    if (column >= columns_ || row >= rows_) return;
    cell(column, row).front = glyph;
    cell(column, row).ink = ink;
}

bool Canvas::put_words(long column, long row, const std::string& words, Ink ink) {
    const std::vector<std::string> letters = characters(words);
    const long end = column + static_cast<long>(letters.size());
    if (column < 0 || row < 0 || end > static_cast<long>(columns_) || row >= static_cast<long>(rows_))
        return false;
    const auto first = static_cast<std::size_t>(column), line = static_cast<std::size_t>(row);
    for (std::size_t i = 0; i < letters.size(); ++i)
        if (!cell(first + i, line).front.empty()) return false;
    for (std::size_t i = 0; i < letters.size(); ++i) put(first + i, line, letters[i], ink);
    return true;
}

void Canvas::write_row(Output& out, std::size_t row, bool colour) const {
    Ink current = Ink::none;
    const auto change = [&](Ink ink) {
        if (colour && ink != current) out.print("\033[{}m", static_cast<int>(ink));
        current = ink;
    };
    std::size_t end = columns_;
    const auto blank = [&](const Cell& c) { return c.dots == 0 && c.back.empty() && c.front.empty(); };
    while (end > 0 && blank(cells_[row * columns_ + end - 1])) --end;
    for (std::size_t column = 0; column < end; ++column) {
        const Cell& c = cells_[row * columns_ + column];
        if (!c.front.empty() && c.front != " ") {
            change(c.ink);
            out.write(c.front);
        } else if (c.front.empty() && c.dots != 0) {
            change(c.ink);
            out.write(unicode_ ? braille(c.dots) : std::string(1, static_cast<char>(c.dots)));
        } else {
            change(c.back.empty() ? Ink::none : Ink::faint);
            out.write(c.back.empty() || !c.front.empty() ? " " : c.back);
        }
    }
    change(Ink::none);
}

}  // namespace deltaflow::report
