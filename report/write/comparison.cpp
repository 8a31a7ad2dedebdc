// The table of a comparison, and what it means.
#include "report/write/comparison.hpp"

#include "blocks/json_text.hpp"
#include "report/text/columns.hpp"
#include "report/text/notation.hpp"

#include <algorithm>
#include <cmath>

namespace deltaflow::report {

std::string no_error_words(const Comparison& c) {
    double latest = 0;
    for (const ComparisonRow& row : c.rows)
        if (is_measured(row)) latest = std::max(latest, row.late / row.step);
    const bool any = std::any_of(c.rows.begin(), c.rows.end(), is_measured);
    if (!any) return "nothing to compare at any step";
    if (latest > 0.01) return fmt::format("no error but for jumps that come up to {:.2g} h late", latest);
    return "no error at any step, outside the samples of impulses";
}

bool is_measured(const ComparisonRow& row) { return row.trouble.empty() && std::isfinite(row.max_error); }

namespace {

std::string short_text(double x) {
    return std::isfinite(x) ? fmt::format("{:.4g}", x == 0 ? 0.0 : x) : "none";
}

std::string delta_text(int order) {
    return order <= 3 ? "delta" + std::string(static_cast<std::size_t>(order), '\'')
                      : fmt::format("delta^({})", order);
}

// A jump that comes within the same sample is in time.
bool is_late(const ComparisonRow& row) { return row.late > 0.01 * row.step; }

bool is_rounding(const Comparison& c, const ComparisonRow& row) {
    return row.max_error > 0 && row.max_error <= 1e-11 * c.size;
}

std::string error_text(const Comparison& c, const ComparisonRow& row) {
    if (!row.trouble.empty()) return "failed";
    return is_rounding(c, row) ? "rounding" : short_text(row.max_error);
}

std::string late_text(const ComparisonRow& row) {
    return is_late(row) ? fmt::format("{:.2g} h", row.late / row.step) : "0";
}

std::string left_out_text(const ComparisonRow& row) {
    return fmt::format("{} of {}", row.left_out, row.samples);
}

// A shift far below the step is none.
std::string delay_text(const ComparisonRow& row) {
    const double steps = row.delay / row.step;
    return std::abs(steps) < 0.005 ? "0" : fmt::format("{:.2f} h", steps);
}

// How fast the error falls: the exponent of h between the two smallest steps that fit into one.
double order_of(const Comparison& c, Riemann riemann) {
    std::vector<const ComparisonRow*> rows;
    for (const ComparisonRow& row : c.rows)
        if (row.riemann == riemann && row.trouble.empty() && row.max_error > 0) rows.push_back(&row);
    if (rows.size() < 2) return NAN;
    const auto &a = *rows.front(), &b = *rows.back();
    return std::log(a.max_error / b.max_error) / std::log(a.step / b.step);
}

// The longest step with the least error; errors of rounding are equal.
const ComparisonRow* best_row(const Comparison& c) {
    const ComparisonRow* best = nullptr;
    for (const ComparisonRow& row : c.rows)
        if (is_measured(row) && (!best || (row.max_error < best->max_error && !is_rounding(c, *best)) ||
                                 (is_late(*best) && !is_late(row) && row.max_error <= best->max_error)))
            best = &row;
    return best;
}

bool ends_early(const Comparison& c) { return c.symbolic.end_reason != EndReason::stop; }

// How far the sentence holds, if not to the end.
std::string up_to_where(const Comparison& c) {
    if (!ends_early(c)) return "";
    return fmt::format(
        "Up to t = {}, where {}, ", short_text(c.symbolic.end_t),
        c.symbolic.end_reason == EndReason::zeno ? "events accumulate" : "the symbolic run fails");
}

std::string what_occurs(const Comparison& c) {
    const bool first = !ends_early(c);
    if (c.highest_order < 0) return first ? "No impulses occur" : "no impulses occur";
    const std::string impulses = first ? "Impulses" : "impulses";
    if (c.highest_order == 0) return impulses + " delta occur, and none of its derivatives";
    return fmt::format("{} up to {} occur", impulses, delta_text(c.highest_order));
}

std::string what_is_lost(const Comparison& c) {
    if (c.highest_order <= 0) return ": samples lose nothing but what steps of that length lose anyway";
    const int n = c.highest_order;
    if (c.right_only)
        return fmt::format(": as samples they reach heights like h^-{} and spoil {} samples each", n + 1,
                           n + 1);
    return fmt::format(
        ": as samples they reach heights like h^-{}, spoil {} samples each with the right sum, and with the "
        "left one "
        "what follows comes up to {} h late",
        n + 1, n + 1, n + 1);
}

std::string when_enough(const Comparison& c) {
    if (!c.errors.empty() && c.errors.front().kind == ErrorKind::undefined)
        return "; what samples make of it from there on means nothing.";
    if (!c.errors.empty()) return "; from there on there is nothing to compare with.";
    const ComparisonRow* best = best_row(c);
    const auto fails = [](const ComparisonRow& row) { return !row.trouble.empty(); };
    if (!best && std::all_of(c.rows.begin(), c.rows.end(), fails))
        return "; no numeric run came to its end, so only symbolic impulses will do.";
    if (!best) return "; every sample belongs to an impulse, so take shorter steps.";
    const double order = order_of(c, best->riemann);
    std::string text =
        fmt::format("; numeric impulses are enough where {} may be wrong by {} (h = {}, {} sum)", c.signal,
                    error_text(c, *best), short_text(best->step), name_of(best->riemann));
    if (is_late(*best)) text += " and its jumps late by " + late_text(*best);
    if (best->max_error == 0 || is_rounding(c, *best) || !std::isfinite(order)) return text + ".";
    if (order < 0.1) return text + ", and shorter steps do not help.";
    return text + fmt::format("; the error falls like h^{:.1f}.", order);
}

std::string seconds_text(double seconds) {
    return std::isfinite(seconds) ? fmt::format("{:.2g} s/s", seconds) : "none";
}

Row cells(const Comparison& c, const ComparisonRow& row) {
    return {short_text(row.step),
            std::string(name_of(row.riemann)),
            error_text(c, row),
            delay_text(row),
            late_text(row),
            left_out_text(row),
            short_text(row.max_magnitude),
            short_text(row.estimate),
            seconds_text(row.numeric_seconds),
            seconds_text(row.symbolic_seconds)};
}

}  // namespace

std::string conclusion(const Comparison& c) {
    return up_to_where(c) + what_occurs(c) + what_is_lost(c) + when_enough(c);
}

void write_comparison(const Comparison& c, Output& output) {
    if (!c.model.empty()) output.print("{}: ", c.model);
    output.print("{}, numeric against symbolic impulses\n", c.signal);
    std::vector<Row> rows{{"step", "sum", "error", "delay", "jumps late", "left out", "magnitude", "estimate",
                           "numeric", "symbolic"}};
    for (const ComparisonRow& row : c.rows) rows.push_back(cells(c, row));
    write_columns(rows, rows.front().size(), output, "  ");
    for (const ComparisonRow& row : c.rows)
        if (!row.trouble.empty())
            output.print("  step {}, {} sum: {}\n", short_text(row.step), name_of(row.riemann), row.trouble);
    if (c.right_only) output.write("  the left sum has no meaning where modes change\n");
    output.write(line_text(conclusion(c)));
    if (!c.others.empty())
        output.print("Not compared: {}; --signal NAME compares another.\n", list_text(c.others, 8, ", "));
}

void write_json(const Comparison& c, Output& output) {
    const auto number = [](double x) -> std::string {
        return std::isfinite(x) ? fmt::format("{:.17g}", x) : "null";
    };
    output.print("{{\n  \"model\": {},\n  \"signal\": {},\n  \"rows\": [", json_text::string(c.model),
                 json_text::string(c.signal));
    const char* separator = "\n";
    for (const ComparisonRow& row : c.rows) {
        output.print(
            "{}    {{\"step\": {}, \"riemann\": \"{}\", \"max_error\": {}, \"delay\": {}, \"max_magnitude\": "
            "{}, "
            "\"estimate\": {}, \"numeric_seconds\": {}, \"symbolic_seconds\": {}",
            separator, number(row.step), name_of(row.riemann), number(row.max_error), number(row.delay),
            number(row.max_magnitude), number(row.estimate), number(row.numeric_seconds),
            number(row.symbolic_seconds));
        output.print(", \"late\": {}, \"samples\": {}, \"left_out\": {}", number(row.late), row.samples,
                     row.left_out);
        if (!row.trouble.empty()) output.print(", \"trouble\": {}", json_text::string(row.trouble));
        output.write("}");
        separator = ",\n";
    }
    std::string others;
    for (const std::string& name : c.others) others += (others.empty() ? "" : ", ") + json_text::string(name);
    output.print("\n  ],\n  \"not_compared\": [{}],\n  \"conclusion\": {}\n}}\n", others,
                 json_text::string(conclusion(c)));
}

}  // namespace deltaflow::report
