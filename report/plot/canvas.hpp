// A rectangle of characters to draw on. Lines are made of Braille dots, two across and four up in a
// character, or of one mark a character where there is no Unicode.
#pragma once

#include "report/text/output.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace deltaflow::report {

// Colours of a terminal; none is that of plain text.
enum class Ink : unsigned char {
    none = 0,
    faint = 90,
    red = 31,
    green = 32,
    yellow = 33,
    blue = 34,
    purple = 35,
    cyan = 36
};

class Canvas {
public:
    Canvas(std::size_t columns, std::size_t rows, bool unicode);

    std::size_t columns() const { return columns_; }
    std::size_t rows() const { return rows_; }
    // Dots in a character.
    std::size_t across() const { return unicode_ ? 2 : 1; }
    std::size_t down() const { return unicode_ ? 4 : 1; }

    // From dot to dot, counted from the upper left; what lies outside is cut off.
    void draw_line(double x1, double y1, double x2, double y2, Ink ink, char mark);

    // A character behind all lines, or before them.
    void put_behind(std::size_t column, std::size_t row, std::string_view glyph);
    void put(std::size_t column, std::size_t row, std::string_view glyph, Ink ink);

    // Puts words unless something was put there before.
    bool put_words(long column, long row, const std::string& words, Ink ink);

    void write_row(Output& out, std::size_t row, bool colour) const;

private:
    struct Cell {
        unsigned dots = 0;  // of Braille
        std::string back, front;
        Ink ink = Ink::none;
    };
    Cell& cell(std::size_t column, std::size_t row) { return cells_[row * columns_ + column]; }
    void dot(long x, long y, Ink ink, char mark);

    std::size_t columns_, rows_;
    bool unicode_;
    std::vector<Cell> cells_;
};

}  // namespace deltaflow::report
