// Which parameter goes across, and which curves there are.
#include "report/plot/sweep_picture.hpp"

#include "report/text/numbers.hpp"
#include "report/write/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace deltaflow::report {

namespace {

constexpr std::size_t most_subplots = 12, most_curves = 8, most_marks = 80;

std::optional<double> number_at(const SweepRow& row, std::size_t parameter) {
    return finite_number(row.values[parameter]);
}

// The one with the most values; of those by chance the first.
std::size_t parameter_across(const Sweep& sweep) {
    std::size_t best = 0, most = 0;
    for (std::size_t p = 0; p < sweep.parameters.size(); ++p) {
        std::set<std::string> values;
        for (const SweepRow& row : sweep.rows)
            if (number_at(row, p)) values.insert(row.values[p]);
        if (values.size() > most) best = p, most = values.size();
    }
    return best;
}

// "y0 = 5, m = 2" of the parameters that do not go across and are not drawn by chance.
std::string others_of(const Sweep& sweep, const SweepRow& row, std::size_t across) {
    std::string text;
    for (std::size_t p = 0; p < sweep.parameters.size(); ++p)
        if (p != across && !sweep.drawn[p])
            text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", sweep.parameters[p],
                                value_text(row.values[p]));
    return text;
}

// Measures, or final values where there are none.
std::vector<std::string> titles_of(const Sweep& sweep) {
    if (!sweep.measures.empty()) return sweep.measures;
    std::vector<std::string> titles;
    for (const std::string& signal : sweep.signals) titles.push_back("final " + signal);
    return titles;
}

std::optional<double> value_of(const Sweep& sweep, const SweepRow& row, std::size_t panel) {
    const auto& values = sweep.measures.empty() ? row.finals : row.measures;
    if (panel >= values.size() || !values[panel] || !std::isfinite(*values[panel])) return std::nullopt;
    return values[panel];
}

// Values that grow by a factor want a logarithmic axis.
bool wants_logarithm(std::vector<double> x) {
    std::sort(x.begin(), x.end());
    x.erase(std::unique(x.begin(), x.end()), x.end());
    if (x.size() < 4 || x.front() <= 0) return false;
    const double factor = std::pow(x.back() / x.front(), 1 / static_cast<double>(x.size() - 1));
    for (std::size_t i = 1; i < x.size(); ++i)
        if (std::abs(x[i] / x[i - 1] / factor - 1) > 1e-6) return false;
    return factor > 1.2;
}

Curve curve_of(std::vector<CurvePoint> points, bool dots) {
    Curve curve;
    const auto by_place = [](const CurvePoint& a, const CurvePoint& b) { return a.t < b.t; };
    std::stable_sort(points.begin(), points.end(), by_place);
    curve.look = dots                          ? Curve::Look::dots
                 : points.size() <= most_marks ? Curve::Look::marked
                                               : Curve::Look::line;
    if (dots)
        for (const CurvePoint& p : points) curve.pieces.push_back({p});
    else if (!points.empty())
        curve.pieces.push_back(std::move(points));
    measure(curve);
    return curve;
}

}  // namespace

Picture picture_of(const Sweep& sweep) {
    Picture picture;
    picture.title = sweep.model;
    const std::vector<std::string> titles = titles_of(sweep);
    const std::size_t across = parameter_across(sweep);
    picture.time_name = sweep.parameters[across];
    std::vector<double> places;
    for (const SweepRow& row : sweep.rows)
        if (const auto x = number_at(row, across)) places.push_back(*x);
    picture.view.log_time = wants_logarithm(places);
    if (!places.empty())
        picture.time = {*std::min_element(places.begin(), places.end()),
                        *std::max_element(places.begin(), places.end())};
    if (!(picture.time.high > picture.time.low))
        picture.time = {picture.time.low - 0.5, picture.time.high + 0.5};
    picture.left_out = titles.size() - std::min(titles.size(), most_subplots);
    const bool dots = std::count(sweep.drawn.begin(), sweep.drawn.end(), true) > 0;
    for (std::size_t m = 0; m + picture.left_out < titles.size(); ++m) {
        std::map<std::string, std::vector<CurvePoint>> curves;
        std::vector<std::string> order;
        for (const SweepRow& row : sweep.rows) {
            const auto x = number_at(row, across), y = value_of(sweep, row, m);
            if (!x || !y) continue;
            const std::string others = others_of(sweep, row, across);
            if (curves.count(others) == 0) order.push_back(others);
            curves[others].push_back({*x, *y});
        }
        Panel panel;
        panel.left_out = order.size() - std::min(order.size(), most_curves);
        for (std::size_t i = 0; i + panel.left_out < order.size(); ++i)
            panel.series.push_back({titles[m] + (order[i].empty() ? "" : ", " + order[i]),
                                    curve_of(std::move(curves[order[i]]), dots)});
        if (panel.series.empty()) panel.series.push_back({titles[m], {}});
        picture.panels.push_back(std::move(panel));
    }
    return picture;
}

}  // namespace deltaflow::report
