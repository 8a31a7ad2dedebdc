// One instant as a picture: a row for each point of hyperdense time, a column for each signal that does
// something.
#include "report/explain/lesson.hpp"
#include "report/plot/drawing.hpp"
#include "report/text/glyphs.hpp"
#include "report/text/notation.hpp"

#include <algorithm>
#include <cmath>

namespace deltaflow::report {

namespace {

constexpr double margin = 24, top = 84, words_width = 262, cell_height = 84, line_height = 16, row_gap = 18,
                 bar_width = 18, head = 8;
constexpr double least_column = 100, most_column = 190;
constexpr std::size_t most_columns = 10, side_by_side = 5, most_letters = 60;

constexpr std::string_view style = R"(<style>
  .bar { fill: #0969da; stroke: #0969da; } .bar.mythical { fill: none; stroke-width: 1.4; stroke-dasharray: 3 2; } .bar.before { fill: #8c959f; stroke: #8c959f; }
  .rule { stroke: #d8dee4; stroke-width: 0.8; } .why { font-size: 12px; } .mark { font-size: 12px; font-weight: 600; fill: #9a6700; }
  .mythical-head { fill: #ffffff; stroke: #cf222e; stroke-width: 1.3; } .mythical-line { stroke-dasharray: 3 2; }
  @media screen and (prefers-color-scheme: dark) {
    .bar { fill: #58a6ff; stroke: #58a6ff; } .bar.mythical { fill: none; } .bar.before { fill: #656c76; stroke: #656c76; }
    .rule { stroke: #262c36; } .mark { fill: #e3b341; } .mythical-head { fill: #0d1117; stroke: #ff7b72; }
  }
</style>
)";

// What a signal is in one row.
struct Cell {
    double value = 0;
    std::vector<double> impulses;
    bool happens = false;
};

struct PageRow {
    std::string time, kind;          // "<1 + eps, 0>", "mythical"
    std::vector<std::string> words;  // who switched, and why
    std::vector<Cell> cells;
    bool mythical = false, before = false;
    double height() const;
};

// Orders of impulses that a cell has, each on a line of its own.
std::size_t lines_of(const Cell& cell) {
    return static_cast<std::size_t>(
        std::count_if(cell.impulses.begin(), cell.impulses.end(), [](double x) { return x != 0; }));
}

double PageRow::height() const {
    std::size_t lines = 1;
    for (const Cell& cell : cells) lines = std::max(lines, lines_of(cell));
    return std::max(cell_height + line_height * static_cast<double>(lines),
                    line_height * (static_cast<double>(words.size()) + 2.5));
}

// As many letters as there is room for.
std::size_t fitting(const std::string& text, std::size_t at) {
    std::size_t end = std::min(at + most_letters, text.size());
    while (end > at + 1 && text_width(text.substr(at, end - at), 12) > words_width - 10) --end;
    return end;
}

// Broken at blanks.
void add_lines(std::vector<std::string>& lines, const std::string& text) {
    std::size_t at = 0;
    while (at < text.size()) {
        std::size_t end = fitting(text, at);
        if (end < text.size())
            if (const std::size_t blank = text.rfind(' ', end); blank != std::string::npos && blank > at)
                end = blank;
        while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) ++end;
        lines.push_back(text.substr(at, end - at));
        at = std::min(text.find_first_not_of(' ', end), text.size());
    }
}

const WorkedBlock* block_of(const WorkedSolve& solve, const std::string& name) {
    for (const WorkedBlock& b : solve.blocks)
        if (b.named && (b.name == name || std::count(b.also.begin(), b.also.end(), name) > 0)) return &b;
    return nullptr;
}

bool acts(const WorkedBlock& b) { return b.named && (b.changes || b.jumps || !b.impulses.empty()); }

// Signals that some solve changes: those that the model records, or all of them where it records none. Where
// none does, those that are recorded, to show that they stay.
std::vector<std::string> columns_of(const InstantLesson& lesson) {
    std::vector<std::string> recorded, all, still;
    const auto add = [](std::vector<std::string>& list, const std::string& name) {
        if (std::count(list.begin(), list.end(), name) == 0) list.push_back(name);
    };
    for (const WorkedSolve& solve : lesson.instant->solves)
        for (const WorkedBlock& b : solve.blocks) {
            const std::string& name = b.also.empty() ? b.name : b.also.front();
            if (b.named && b.recorded) add(still, name);
            if (!acts(b)) continue;
            add(all, b.name);
            if (b.recorded) add(recorded, name);
        }
    if (!recorded.empty()) return recorded;
    return all.empty() ? still : all;
}

void add_why(PageRow& row, const WorkedSolve& solve) {
    std::vector<std::string> causes = solve.causes;
    for (const WorkedSwitch& s : solve.because) {
        add_lines(row.words, fmt::format("{}: {} → {}, since {}", s.automaton, s.from, s.to, s.when));
        std::erase(causes, s.automaton);
    }
    if (!causes.empty()) add_lines(row.words, list_text(causes, 6, ", "));
    for (const WorkedSwitch& s : solve.left_by)
        add_lines(row.words, fmt::format("left at once: {} holds", s.when));
}

std::vector<PageRow> rows_of(const InstantLesson& lesson, const std::vector<std::string>& names) {
    const auto& solves = lesson.instant->solves;
    std::vector<PageRow> rows;
    std::vector<Cell> last(names.size());
    for (std::size_t i = 0; i < solves.size(); ++i) {
        const WorkedSolve& solve = solves[i];
        if (i == 0) {
            PageRow before{"before", "left limits", {}, {}, false, true};
            for (std::size_t c = 0; c < names.size(); ++c) {
                const WorkedBlock* block = block_of(solve, names[c]);
                if (block && !block->left.empty()) last[c].value = block->left[0];
                before.cells.push_back(last[c]);
            }
            rows.push_back(std::move(before));
        }
        PageRow row{lesson.solves[i].time,
                    solve.committed ? "committed" : "mythical",
                    {},
                    last,
                    !solve.committed,
                    false};
        for (std::size_t c = 0; c < names.size(); ++c)
            if (const WorkedBlock* block = block_of(solve, names[c]); block && !block->right.empty())
                row.cells[c] = {solve.committed ? block->after : block->right[0], block->impulses,
                                acts(*block)};
        add_why(row, solve);
        if (solve.committed)
            for (std::size_t c = 0; c < names.size(); ++c) last[c].value = row.cells[c].value;
        rows.push_back(std::move(row));
    }
    return rows;
}

// The largest number of a column: bars of all rows share a scale, and so do arrows of one order.
struct Scale {
    double values = 0;
    std::vector<double> impulses;
    bool negative = false, positive = false;
    void include(const Cell& cell) {
        const auto side = [&](double x) {
            if (!std::isfinite(x)) return;
            negative = negative || x < 0;
            positive = positive || x > 0;
        };
        if (std::isfinite(cell.value)) values = std::max(values, std::abs(cell.value));
        side(cell.value);
        if (impulses.size() < cell.impulses.size()) impulses.resize(cell.impulses.size());
        for (std::size_t i = 0; i < cell.impulses.size(); ++i) {
            if (std::isfinite(cell.impulses[i]))
                impulses[i] = std::max(impulses[i], std::abs(cell.impulses[i]));
            side(cell.impulses[i]);
        }
    }
};

class Sheet {
public:
    Sheet(Output& out, double column) : out_(out), column_(column) {}

    void draw(const PageRow& row, const Cell& cell, const Scale& scale, double x, double y) {
        const double room = cell_height - 28, both = scale.negative && scale.positive ? 0.5 : 1;
        const double zero = scale.negative ? (scale.positive ? y + 14 + room / 2 : y + 14) : y + 14 + room;
        line(out_, "zero", x + 6, zero, x + column_ - 10, zero);
        draw_bar(row, cell, scale, x + 14, zero, room * both);
        double arrow = x + 14 + bar_width + 14;
        for (std::size_t i = 0; i < cell.impulses.size(); ++i)
            if (cell.impulses[i] != 0 && scale.impulses[i] > 0) {
                draw_arrow(row, cell.impulses[i], i, arrow, zero,
                           room * both * cell.impulses[i] / scale.impulses[i]);
                arrow += 13;
            }
        const double low = y + cell_height + 2;
        text(out_, "small", x + 6, low, number_text(cell.value));
        double below = low - 2;
        for (std::size_t i = 0; i < cell.impulses.size(); ++i)
            if (cell.impulses[i] != 0)
                text(out_, "small delta", x + 6, below += line_height,
                     fitted(impulse_label(cell.impulses[i], i), column_ - 10, 12));
    }

private:
    void draw_bar(const PageRow& row, const Cell& cell, const Scale& scale, double x, double zero,
                  double room) {
        const double height =
            scale.values > 0 && std::isfinite(cell.value) ? room * cell.value / scale.values : 0;
        out_.print(
            "<rect class=\"bar{}\" x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" "
            "height=\"{:.2f}\"/>\n",
            row.mythical ? " mythical"
            : row.before ? " before"
                         : "",
            x, std::min(zero, zero - height), bar_width, std::max(std::abs(height), 0.8));
    }

    // delta has one head, its n-th derivative n + 1 of them.
    void draw_arrow(const PageRow& row, double coefficient, std::size_t order, double x, double zero,
                    double height) {
        const double tip = zero - height, sign = coefficient > 0 ? 1 : -1;
        const double size = std::min(head, std::abs(height));
        line(out_, row.mythical ? "delta mythical-line" : "delta", x, zero, x, tip + sign * size * 0.6);
        for (std::size_t k = 0; k <= std::min<std::size_t>(order, 3); ++k)
            out_.print("<path class=\"{}\" d=\"M{:.2f} {:.2f}l{:.2f} {:.2f}h{:.2f}z\"/>\n",
                       row.mythical ? "mythical-head" : "head", x,
                       tip + sign * size * 0.8 * static_cast<double>(k), -size * 0.45, sign * size,
                       size * 0.9);
    }

    Output& out_;
    double column_;
};

// Columns that stand side by side. What happened is told beside the first ones of an island.
struct Strip {
    std::vector<std::string> names;
    std::vector<PageRow> rows;
    double height() const {
        double sum = 44;
        for (const PageRow& row : rows) sum += row.height() + row_gap;
        return sum;
    }
};

std::vector<Strip> strips_of(const InstantLesson& lesson, const std::vector<std::string>& names) {
    std::vector<Strip> strips;
    const std::size_t count = std::max<std::size_t>(1, (names.size() + side_by_side - 1) / side_by_side);
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t first = i * names.size() / count, last = (i + 1) * names.size() / count;
        Strip strip{{names.begin() + static_cast<std::ptrdiff_t>(first),
                     names.begin() + static_cast<std::ptrdiff_t>(last)},
                    {}};
        strip.rows = rows_of(lesson, strip.names);
        if (i > 0)
            for (PageRow& row : strip.rows) row.words.clear();
        strips.push_back(std::move(strip));
    }
    return strips;
}

// Below what is there.
double draw_strip(Output& out, const Strip& strip, double column, double y) {
    const auto& [names, rows] = strip;
    std::vector<Scale> scales(names.size());
    for (const PageRow& row : rows)
        for (std::size_t c = 0; c < names.size(); ++c) scales[c].include(row.cells[c]);
    const auto place = [&](std::size_t c) { return margin + words_width + column * static_cast<double>(c); };
    for (std::size_t c = 0; c < names.size(); ++c)
        text(out, "name", place(c) + 6, y, fitted(names[c], column - 10, 13, true));
    if (names.empty()) text(out, "why", margin, y, "no signal jumps, and none has an impulse");
    const double end = place(names.size());
    y += 10;
    Sheet sheet(out, column);
    for (const PageRow& row : rows) {
        line(out, "rule", margin, y, end, y);
        text(out, "name", margin, y + 20, row.time);
        text(out, row.mythical ? "mark" : "why", margin + 9 + bold_width * width_of(row.time), y + 20,
             row.kind);
        for (std::size_t i = 0; i < row.words.size(); ++i)
            text(out, "why", margin, y + 20 + line_height * static_cast<double>(i + 1), row.words[i]);
        for (std::size_t c = 0; c < names.size(); ++c) sheet.draw(row, row.cells[c], scales[c], place(c), y);
        y += row.height() + row_gap;
    }
    line(out, "rule", margin, y, end, y);
    return y + 34;
}

}  // namespace

void write_svg(const Lesson& lesson, Output& out) {
    double height = top, column = least_column;
    std::vector<Strip> strips;
    std::size_t most = 1, left_out = 0;
    for (const InstantLesson& part : lesson.instants) {
        std::vector<std::string> names = columns_of(part);
        left_out += names.size() - std::min(names.size(), most_columns);
        names.resize(std::min(names.size(), most_columns));
        most = std::max(most, std::min(names.size(), side_by_side));
        for (const std::string& name : names)
            column = std::clamp(bold_width * width_of(name) + 18, column, most_column);
        for (Strip& strip : strips_of(part, names)) {
            height += strip.height();
            strips.push_back(std::move(strip));
        }
    }
    const double width = std::max(2 * margin + words_width + column * static_cast<double>(most), 520.0);
    open_page(out, lesson.title, width, std::ceil(height + (left_out > 0 ? 24 : 0)), margin);
    out.write(style);
    text(out, "", margin, 48, "the instant at " + lesson.where);
    double y = top;
    for (const Strip& strip : strips) y = draw_strip(out, strip, column, y);
    if (left_out > 0)
        text(out, "small", margin, y - 6,
             fmt::format("and {} more signal{} that change{}", left_out, left_out == 1 ? "" : "s",
                         left_out == 1 ? "s" : ""));
    out.write("</svg>\n");
}

}  // namespace deltaflow::report
