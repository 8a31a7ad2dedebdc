// Panels of characters.
#include "report/plot/plot.hpp"

#include "report/plot/axis.hpp"
#include "report/plot/canvas.hpp"
#include "report/text/glyphs.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace deltaflow::report {

namespace {

constexpr std::size_t gutter = 9;  // labels of values stand there
constexpr Ink series_inks[] = {Ink::blue, Ink::yellow, Ink::green, Ink::purple, Ink::cyan, Ink::red};
constexpr std::string_view series_marks = "*+ox#%";

Ink ink_of(std::size_t series) { return series_inks[series % std::size(series_inks)]; }
char mark_of(std::size_t series) { return series_marks[series % series_marks.size()]; }

std::size_t rows_of(std::size_t panels) { return panels <= 1 ? 16 : panels == 2 ? 11 : 8; }

// Characters for the same thing in both worlds.
struct Glyphs {
    std::string_view event, zero, wall, tick, corner, floor, foot, up, down, shaft, prime_up, prime_down,
        prime_shaft, dense, mythical, slides;
};
constexpr Glyphs unicode_glyphs{"┊", "┈", "│", "┤", "└", "─", "┬", "↑",
                                "↓", "│", "⇡", "⇣", "┆", "▾", "○", "━"};
constexpr Glyphs ascii_glyphs{":", ".", "|", "+", "+", "-", "+", "^", "v", "|", "A", "V", "!", "=", "o", "="};

// A panel under way.
struct Plot {
    const Picture& picture;
    const Panel& panel;
    const Terminal& terminal;
    const Glyphs& glyphs;
    Canvas canvas;
    Axis x, y;         // in dots
    std::string note;  // beside the names

    Plot(const Picture& p, const Panel& one, const Terminal& t)
        : picture(p),
          panel(one),
          terminal(t),
          glyphs(t.unicode ? unicode_glyphs : ascii_glyphs),
          canvas(t.columns - gutter - 1, rows_of(p.panels.size()), t.unicode),
          x{0, 1, 0, static_cast<double>(canvas.columns() * canvas.across() - 1),
            p.view.log_time && one.across.empty()},
          y{0, 1, static_cast<double>(canvas.rows() * canvas.down() - 1), 0, p.view.log_values} {
        const Range range = range_of(panel, p.view.log_values);
        y.low = range.low;
        y.high = range.high;
        const Range across = one.across.empty() ? time_range(p) : across_of(panel);
        x.low = across.low;
        x.high = across.high;
    }
    bool over_time() const { return panel.across.empty(); }
    std::size_t column(double t) const {
        return static_cast<std::size_t>(std::lround(x(t))) / canvas.across();
    }
    long row(double value) const { return std::lround(y(value)) / static_cast<long>(canvas.down()); }
};

// Lines behind the curves, unless they would be a curtain.
void draw_events(Plot& plot) {
    std::set<std::size_t> columns;
    if (!plot.over_time()) return;
    for (const Occasion& event : plot.picture.events) columns.insert(plot.column(event.t));
    if (columns.size() > plot.canvas.columns() / 3) return;
    for (const std::size_t column : columns)
        for (std::size_t row = 0; row < plot.canvas.rows(); ++row)
            plot.canvas.put_behind(column, row, plot.glyphs.event);
}

void draw_zero(Plot& plot) {
    if (plot.y.logarithmic || plot.y.low > 0 || plot.y.high < 0) return;
    for (std::size_t column = 0; column < plot.canvas.columns(); ++column)
        plot.canvas.put_behind(column, static_cast<std::size_t>(plot.row(0)), plot.glyphs.zero);
}

void draw_curve(Plot& plot, std::size_t series) {
    for (const auto& piece : plot.panel.series[series].curve.pieces)
        for (std::size_t i = 0; i < piece.size(); ++i) {
            const CurvePoint &from = piece[i > 0 ? i - 1 : 0], &to = piece[i];
            plot.canvas.draw_line(plot.x(from.t), plot.y(from.value), plot.x(to.t), plot.y(to.value),
                                  ink_of(series), mark_of(series));
        }
}

// Overlaid curves carry their number here and there, each in places of its own.
void draw_numbers(Plot& plot, std::size_t series) {
    const std::size_t count = plot.panel.series.size();
    const double width = static_cast<double>(plot.canvas.columns()), share = width / 4;
    double next = share * (0.5 + static_cast<double>(series)) / static_cast<double>(count);
    for (const auto& piece : plot.panel.series[series].curve.pieces)
        for (const CurvePoint& p : piece)
            if (const std::size_t column = plot.column(p.t); static_cast<double>(column) >= next) {
                plot.canvas.put_words(static_cast<long>(column), plot.row(p.value),
                                      std::to_string(series + 1), ink_of(series));
                next += share;
            }
}

struct TextArrow {
    std::size_t series;
    CurveImpulse impulse;
    long column, base, tip;
    Ink ink;
};

// Arrows stand on zero; the largest of an order reaches the row beside the edge.
std::vector<TextArrow> arrows_of(const Plot& plot) {
    std::vector<TextArrow> arrows;
    const long base = plot.row(0), last = static_cast<long>(plot.canvas.rows()) - 1;
    const bool several = plot.panel.series.size() > 1;
    for (const std::size_t order : impulse_orders(plot.panel)) {
        const Reach reach = reach_of(plot.panel, order);
        double scale = HUGE_VAL;
        if (reach.up > 0) scale = std::min(scale, static_cast<double>(base) / reach.up);
        if (reach.down > 0) scale = std::min(scale, static_cast<double>(last - base) / reach.down);
        for (std::size_t s = 0; s < plot.panel.series.size(); ++s)
            for (const CurveImpulse& impulse : plot.panel.series[s].curve.impulses)
                if (impulse.order == order) {
                    const double rows = scale * impulse.coefficient;
                    const long height =
                        static_cast<long>(std::copysign(std::max(1.0, std::round(std::abs(rows))), rows));
                    arrows.push_back({s, impulse, static_cast<long>(plot.column(impulse.t)), base,
                                      base - height,
                                      several      ? ink_of(s)
                                      : order == 0 ? Ink::red
                                                   : Ink::purple});
                }
    }
    std::stable_sort(arrows.begin(), arrows.end(),
                     [](const TextArrow& a, const TextArrow& b) { return a.impulse.t < b.impulse.t; });
    for (std::size_t i = 1; i < arrows.size(); ++i)
        if (arrows[i].impulse.t == arrows[i - 1].impulse.t) arrows[i].column = arrows[i - 1].column + 1;
    return arrows;
}

void draw_arrow(Plot& plot, const TextArrow& arrow) {
    const bool up = arrow.tip < arrow.base, full = arrow.impulse.order == 0;
    const Glyphs& g = plot.glyphs;
    const auto column = static_cast<std::size_t>(arrow.column);
    const std::string_view head = up ? (full ? g.up : g.prime_up) : (full ? g.down : g.prime_down);
    for (long row = arrow.base; row != arrow.tip; row += up ? -1 : 1)
        plot.canvas.put(column, static_cast<std::size_t>(row), full ? g.shaft : g.prime_shaft, arrow.ink);
    plot.canvas.put(column, static_cast<std::size_t>(arrow.tip), head, arrow.ink);
}

bool draw_label(Plot& plot, const TextArrow& arrow) {
    std::string label = impulse_label(arrow.impulse.coefficient, arrow.impulse.order, plot.terminal.unicode);
    if (plot.panel.series.size() > 1) label = fmt::format("{}: {}", arrow.series + 1, label);
    const long back = arrow.tip < arrow.base ? 1 : -1, wide = static_cast<long>(length(label));
    const auto put = [&](long column, long lines, const std::string& words) {
        return plot.canvas.put_words(column, arrow.tip + back * lines, words, arrow.ink);
    };
    for (long lines = 0; lines < 3; ++lines)
        if (put(arrow.column + 1, lines, " " + label + " ") ||
            put(arrow.column - 2 - wide, lines, " " + label + " ") ||
            put(arrow.column + 1, lines, " " + label))
            return true;
    return false;
}

// Where no label finds room the heading has the largest.
void draw_impulses(Plot& plot) {
    if (plot.y.logarithmic) return;
    const std::vector<TextArrow> arrows = arrows_of(plot);
    for (const TextArrow& arrow : arrows) draw_arrow(plot, arrow);
    bool labelled = arrows.empty();
    for (const TextArrow& arrow : arrows) labelled = draw_label(plot, arrow) || labelled;
    if (labelled) return;
    const auto largest =
        std::max_element(arrows.begin(), arrows.end(), [](const TextArrow& a, const TextArrow& b) {
            return std::abs(a.impulse.coefficient) < std::abs(b.impulse.coefficient);
        });
    plot.note = "   largest: " +
                impulse_label(largest->impulse.coefficient, largest->impulse.order, plot.terminal.unicode);
}

void draw_mythical(Plot& plot, std::size_t series) {
    for (const CurvePoint& p : plot.panel.series[series].curve.mythical)
        if (p.value >= plot.y.low && p.value <= plot.y.high)
            plot.canvas.put(plot.column(p.t), static_cast<std::size_t>(plot.row(p.value)),
                            plot.glyphs.mythical, ink_of(series));
}

// In the middle, where there is no room for all of it.
std::string cut(const std::string& words, std::size_t room, bool unicode) {
    const std::string dots = unicode ? "…" : "...";
    if (length(words) <= room) return words;
    const std::size_t kept = room - length(dots), head = kept / 2;
    std::string result;
    std::size_t letter = 0;
    const std::size_t all = length(words);
    for (const char c : words) {
        if ((c & 0xC0) != 0x80 && ++letter == head + 1) result += dots;
        if (letter <= head || letter > all - (kept - head)) result += c;
    }
    return result;
}

// Names; where there are several, each with its number and mark. Instants with several modes on the same
// line.
void write_heading(const Plot& plot, Output& out) {
    std::string names;
    const auto& series = plot.panel.series;
    for (std::size_t i = 0; i < series.size(); ++i) {
        if (i > 0) names += "   ";
        if (series.size() > 1) names += fmt::format("{} ", i + 1);
        if (series.size() > 1 && !plot.terminal.unicode) names += fmt::format("({}) ", mark_of(i));
        names += series[i].name;
    }
    if (plot.panel.left_out) names += fmt::format("   (and {} more)", plot.panel.left_out);
    names += plot.note;
    Canvas top(plot.canvas.columns() + gutter + 1, 1, plot.terminal.unicode);
    top.put_words(static_cast<long>(gutter), 0, cut(names, plot.canvas.columns() - 1, plot.terminal.unicode),
                  Ink::none);
    for (const Occasion& event : plot.picture.events)
        if (event.hyperdense() && plot.over_time())
            top.put_words(static_cast<long>(gutter + 1 + plot.column(event.t)), 0,
                          std::string(plot.glyphs.dense), Ink::yellow);
    top.write_row(out, 0, plot.terminal.colour);
    out.write("\n");
}

// What stands to the left of each row.
std::vector<std::string> value_labels(const Plot& plot, std::string& common) {
    std::vector<std::string> labels(plot.canvas.rows());
    std::vector<double> at = ticks_of(plot.y, 4);
    if (is_constant(plot.panel) && !impulse_orders(plot.panel).empty()) at = {0};
    const TickLabels texts = labels_of(plot.y, at, plot.terminal.unicode);
    for (std::size_t i = 0; i < at.size(); ++i)
        labels[static_cast<std::size_t>(plot.row(at[i]))] = texts.labels[i];
    common = texts.common;
    return labels;
}

void write_rows(const Plot& plot, Output& out) {
    std::string common;
    const std::vector<std::string> labels = value_labels(plot, common);
    for (std::size_t row = 0; row < plot.canvas.rows(); ++row) {
        out.print("{:>{}} {}", labels[row], gutter - 1,
                  labels[row].empty() ? plot.glyphs.wall : plot.glyphs.tick);
        plot.canvas.write_row(out, row, plot.terminal.colour);
        out.write("\n");
    }
    if (!common.empty()) out.print("{:>{}}\n", common, gutter + length(common) - 1);
}

void write_time(const Plot& plot, Output& out) {
    const std::vector<double> at = ticks_of(plot.x, 6);
    const TickLabels texts = labels_of(plot.x, at, plot.terminal.unicode);
    Canvas axis(plot.terminal.columns, 2, plot.terminal.unicode);
    axis.put(gutter, 0, plot.glyphs.corner, Ink::none);
    for (std::size_t c = 0; c < plot.canvas.columns(); ++c)
        axis.put(gutter + 1 + c, 0, plot.glyphs.floor, Ink::none);
    const bool slides = plot.over_time();
    for (const SlidingInterval& s : slides ? plot.picture.sliding : std::vector<SlidingInterval>{})
        for (auto c = plot.column(std::max(s.from, plot.x.low));
             c <= plot.column(std::min(s.to, plot.x.high)); ++c)
            axis.put(gutter + 1 + c, 0, plot.glyphs.slides, Ink::none);
    for (std::size_t i = 0; i < at.size(); ++i) {
        const std::size_t column = gutter + 1 + plot.column(at[i]);
        axis.put(column, 0, plot.glyphs.foot, Ink::none);
        const std::size_t wide = length(texts.labels[i]);
        const std::size_t room = axis.columns() - wide;
        axis.put_words(static_cast<long>(std::min(column - wide / 2, room)), 1, texts.labels[i], Ink::none);
    }
    for (std::size_t row = 0; row < 2; ++row) {
        axis.write_row(out, row, false);
        out.write("\n");
    }
    const std::string name = cut(plot.over_time() ? plot.picture.time_name : plot.panel.across,
                                 plot.canvas.columns() / 2, plot.terminal.unicode);
    out.print(
        "{:>{}}\n", texts.common.empty() ? name : texts.common + "  " + name,
        plot.terminal.columns + texts.common.size() - length(texts.common) + name.size() - length(name));
}

}  // namespace

std::size_t plot_columns(const Terminal& terminal) { return 2 * (terminal.columns - gutter - 1); }

void write_plot(const Picture& picture, const Terminal& terminal, Output& out) {
    if (picture.view.log_values && wants_more_than_logarithm(picture))
        return write_plot(for_logarithm(picture), terminal, out);
    if (picture.panels.empty()) out.write("no signal is recorded\n");
    for (std::size_t p = 0; p < picture.panels.size(); ++p) {
        Plot plot(picture, picture.panels[p], terminal);
        draw_zero(plot);
        draw_events(plot);
        for (std::size_t s = 0; s < plot.panel.series.size(); ++s) draw_curve(plot, s);
        for (std::size_t s = 0; s < plot.panel.series.size(); ++s) draw_mythical(plot, s);
        draw_impulses(plot);
        if (plot.panel.series.size() > 1)
            for (std::size_t s = 0; s < plot.panel.series.size(); ++s) draw_numbers(plot, s);
        write_heading(plot, out);
        write_rows(plot, out);
        if (p + 1 == picture.panels.size() || !plot.over_time()) write_time(plot, out);
    }
    if (picture.left_out)
        out.print("(and {} more signal{})\n", picture.left_out, picture.left_out == 1 ? "" : "s");
}

}  // namespace deltaflow::report
