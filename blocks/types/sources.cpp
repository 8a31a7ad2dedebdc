// Sources: signals that are given by time alone.
#include "blocks/arguments.hpp"
#include "blocks/limits.hpp"
#include "blocks/types/data_file.hpp"
#include "blocks/types/groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace deltaflow {

namespace {

Refs constant(const Arguments& a, Builder& b) { return {b.constant(finite(a, "value"))}; }

Refs time(const Arguments&, Builder& b) { return {b.node(Primitive::time, {})}; }

Rational instant(const Arguments& a) { return finite_number(a, "at").rational(); }

// From t on: value + slope (t' - t)
Breakpoint line_from(Rational t, double value, double slope = 0) { return {std::move(t), value, slope, {}}; }

Refs step(const Arguments& a, Builder& b) {
    const Number initial = finite_number(a, "initial"), size = finite_number(a, "size");
    return {b.schedule({initial.value, {line_from(instant(a), (initial + size).value)}, {}})};
}

Refs ramp(const Arguments& a, Builder& b) {
    return {b.schedule({0, {line_from(instant(a), 0, finite(a, "slope"))}, {}})};
}

// Of frequency (Hz) and omega (rad/s) exactly one is given.
double angular_frequency(const Arguments& a) {
    require(a.has("frequency") || a.has("omega"), "", "a sine needs frequency (Hz) or omega (rad/s)");
    require(!a.has("frequency") || !a.has("omega"), "omega",
            "give frequency (Hz) or omega (rad/s), not both");
    return a.has("omega") ? finite(a, "omega") : 2 * std::numbers::pi * finite(a, "frequency");
}

// Whole turns of a phase would only take digits from the time that it is added to.
double without_turns(double phase) {
    return std::abs(phase) <= 2 * std::numbers::pi ? phase : std::atan2(std::sin(phase), std::cos(phase));
}

Refs sine(const Arguments& a, Builder& b) {
    const double omega = angular_frequency(a), phase = without_turns(finite(a, "phase"));
    return {b.node(Primitive::sine, {}, {finite(a, "amplitude"), omega, phase})};
}

Refs polynomial(const Arguments& a, Builder& b) {
    const std::vector<Number> coefficients = finite_numbers(a, "coefficients");
    require(!coefficients.empty(), "coefficients", "a polynomial needs at least one coefficient");
    return {b.node(Primitive::polynomial, {}, doubles(coefficients))};
}

Refs pulse(const Arguments& a, Builder& b) {
    const Rational from = instant(a), width = positive(a, "width");
    const auto period = positive_if_given(a, "period");
    require(!period || width < *period, "width", "width has to be less than period");
    return {b.schedule({0, {line_from(from, finite(a, "size")), line_from(from + width, 0)}, period})};
}

// The entries of `train`, or the single impulse that at, size and order describe.
std::vector<TrainEntry> impulse_train(const Arguments& a) {
    require(a.has("at") || a.has("train"), "", "an impulse needs \"at\", or a \"train\"");
    require(!a.has("at") || !a.has("train"), "at", "give \"at\" or a \"train\", not both");
    if (a.has("train")) return a.find("train")->train;
    return {{finite_number(a, "at"), finite_number(a, "size"),
             whole_between(a, "order", 0, limits::impulse_order)}};
}

void check_entry(const TrainEntry& entry) {
    require(std::isfinite(entry.at.value) && std::isfinite(entry.size.value), "train",
            "at and size have to be finite numbers");
    require(entry.order >= 0 && entry.order <= limits::impulse_order, "train",
            fmt::format("order has to be a whole number from 0 to {}", limits::impulse_order));
}

// Adds size delta^(order) to what is at t already.
void add_impulse(Breakpoint& point, const TrainEntry& entry) {
    const auto order = static_cast<std::size_t>(entry.order);
    if (point.impulses.size() <= order) point.impulses.resize(order + 1);
    point.impulses[order] += entry.size.value;
}

std::vector<Breakpoint> impulse_points(std::vector<TrainEntry> train) {
    for (const TrainEntry& entry : train) check_entry(entry);
    std::stable_sort(train.begin(), train.end(), [](const TrainEntry& a, const TrainEntry& b) {
        return a.at.rational() < b.at.rational();
    });
    std::vector<Breakpoint> points;
    for (const TrainEntry& entry : train) {
        if (points.empty() || points.back().t != entry.at.rational())
            points.push_back(line_from(entry.at.rational(), 0));
        add_impulse(points.back(), entry);
    }
    return points;
}

Refs impulse(const Arguments& a, Builder& b) {
    std::vector<Breakpoint> points = impulse_points(impulse_train(a));
    require(!points.empty(), "train", "the train is empty");
    const auto period = positive_if_given(a, "period");
    require(!period || points.back().t - points.front().t < *period, "period",
            "the whole train has to fit into one period");
    return {b.schedule({0, std::move(points), period})};
}

Refs data(const Arguments& a, Builder& b) {
    const DataColumn column = read_data_column(choice(a, "file"), choice(a, "column"), choice(a, "time"));
    return {b.schedule(choice(a, "interpolate") == "hold" ? held(column) : interpolated(column))};
}

Refs noise(const Arguments& a, Builder& b) {
    constexpr int largest_seed = 2147483647;
    const auto seed = static_cast<std::uint64_t>(whole_between(a, "seed", 0, largest_seed));
    Schedule s;
    s.noise = Noise{seed, finite(a, "size")};
    s.period = positive(a, "period");
    s.before = s.noise->value(0);
    s.points.push_back({*s.period, 0, 0, {}});
    return {b.schedule(std::move(s))};
}

Refs fed_input(const Arguments& a, Builder& b) {
    return {b.schedule({finite(a, "initial"), {}, {}, limits::fed_impulses})};
}

// Signals that come from elsewhere: from a file, from whoever holds the run.
std::vector<BlockType> outside_blocks() {
    return {
        {
            .type = "data",
            .group = "sources",
            .about = "Measured data: a column of a CSV file over its column of times.",
            .rule =
                "y = the line between two rows, or the row before (hold); constant outside; rows of equal "
                "times are a jump",
            .parameters = {{.name = "file",
                            .kind = ParameterKind::file,
                            .about = "CSV, with or without a header row; separators tab, ; or ,"},
                           {.name = "column",
                            .kind = ParameterKind::label,
                            .required = false,
                            .about = "its name or number (from 1 on); the first that is not the time unless "
                                     "given"},
                           {.name = "time",
                            .kind = ParameterKind::label,
                            .required = false,
                            .about = "the column of times, by its name or number; the first unless given"},
                           {.name = "interpolate",
                            .kind = ParameterKind::choice,
                            .fallback = "linear",
                            .about = "between two rows",
                            .choices = {"linear", "hold"}}},
            .lower = data,
        },
        {
            .type = "input",
            .group = "sources",
            .about = "What somebody outside gives while the run goes on; a run from a file keeps the initial "
                     "value.",
            .rule = "y = the value set last; at a stroke also c0 delta + c1 delta' + c2 delta'' "
                    "(Simulation::set, "
                    "strike)",
            .parameters = {{.name = "initial", .fallback = "0", .about = "value before anything is set"}},
            .examples = {{.parameters = "initial = 2", .out = "2"}},
            .lower = fed_input,
        },
        {
            .type = "noise",
            .group = "sources",
            .about = "Another value in each period, without pattern, and always the same ones for a seed.",
            .rule =
                "y is constant from n period up to (n + 1) period, evenly distributed over -size ... size",
            .parameters = {{.name = "period", .about = "from one value to the next, exactly: 0.1 is 1/10"},
                           {.name = "seed", .fallback = "0", .about = "a whole number: which sequence"},
                           {.name = "size", .fallback = "1", .about = "the largest value"}},
            .examples = {{.parameters = "period = 2, seed = 7, size = 3", .out = "0.7980830704327673"}},
            .lower = noise,
        },
    };
}

}  // namespace

std::vector<BlockType> source_blocks() {
    std::vector<BlockType> list{
        {
            .type = "constant",
            .group = "sources",
            .about = "The same number at all times.",
            .rule = "y[0] = value; every other rung is 0",
            .parameters = {{.name = "value", .about = "the number"}},
            .examples = {{.parameters = "value = 3", .out = "3"}},
            .lower = constant,
        },
        {
            .type = "time",
            .group = "sources",
            .about = "The time t; in expressions just t.",
            .rule = "y[0] = t, y[1] = 1",
            .examples = {{.out = "1"}},
            .lower = time,
        },
        {
            .type = "step",
            .group = "sources",
            .about = "Jumps from initial to initial + size.",
            .rule = "y = initial + size H(t - at) (003:12)",
            .parameters = {{.name = "at", .fallback = "0", .about = "time of the jump"},
                           {.name = "size", .fallback = "1", .about = "height of the jump"},
                           {.name = "initial", .fallback = "0", .about = "value before it"}},
            .examples = {{.parameters = "at = 1, size = 2, initial = -1", .out = "-1 | 1"},
                         {.parameters = "at = 2", .out = "0"}},
            .lower = step,
        },
        {
            .type = "ramp",
            .group = "sources",
            .about = "Zero at first, then a straight line.",
            .rule = "y = slope (t - at) H(t - at)",
            .parameters = {{.name = "at", .fallback = "0", .about = "where it starts to rise"},
                           {.name = "slope", .fallback = "1", .about = "rise per unit of time"}},
            .examples = {{.parameters = "slope = 3", .out = "3"}, {.parameters = "at = 1", .out = "0"}},
            .lower = ramp,
        },
        {
            .type = "sine",
            .group = "sources",
            .about = "A sine of time; give frequency or omega.",
            .rule = "y = amplitude sin(omega t + phase), omega = 2 pi frequency",
            .parameters = {{.name = "amplitude", .fallback = "1", .about = "largest value"},
                           {.name = "frequency", .required = false, .about = "in Hz"},
                           {.name = "omega", .required = false, .about = "in rad/s"},
                           {.name = "phase", .fallback = "0", .about = "in rad"}},
            .examples = {{.parameters = "amplitude = 2, omega = \"pi/2\"", .out = "2"},
                         {.parameters = "frequency = 1, phase = \"pi/2\"", .out = "1"}},
            .lower = sine,
        },
        {
            .type = "polynomial",
            .group = "sources",
            .about = "A polynomial of time.",
            .rule = "y = c0 + c1 t + c2 t^2 + ...",
            .parameters = {{.name = "coefficients",
                            .kind = ParameterKind::numbers,
                            .about = "[c0, c1, ...], lowest power first"}},
            .examples = {{.parameters = "coefficients = [1, 2, 3]", .out = "6"}},
            .lower = polynomial,
        },
        {
            .type = "pulse",
            .group = "sources",
            .about = "Rises for a while; again and again with a period.",
            .rule = "y = size (H(t - at) - H(t - at - width))",
            .parameters = {{.name = "at", .fallback = "0", .about = "where it rises"},
                           {.name = "width", .about = "how long it lasts"},
                           {.name = "size", .fallback = "1", .about = "its height"},
                           {.name = "period", .required = false, .about = "from one rise to the next"}},
            .examples = {{.parameters = "at = 1, width = 0.5, size = 3", .out = "0 | 3"},
                         {.parameters = "at = 0, width = 1, size = 3", .out = "3 | 0"},
                         {.parameters = "at = 0, width = 0.25, size = 2, period = 0.5", .out = "0 | 2"}},
            .lower = pulse,
        },
        {
            .type = "impulse",
            .group = "sources",
            .about = "A Dirac impulse or a derivative of it; or a train of them.",
            .rule = "y = size delta^(order)(t - at): y[-1-order] = size (003:16)",
            .parameters = {{.name = "at", .required = false, .about = "when"},
                           {.name = "size", .fallback = "1", .about = "the coefficient"},
                           {.name = "order", .fallback = "0", .about = "0 is delta, 1 its derivative, ..."},
                           {.name = "train",
                            .kind = ParameterKind::train,
                            .required = false,
                            .about = "instead: [{at, size, order}, ...]"},
                           {.name = "period",
                            .required = false,
                            .about = "after which all of it comes again"}},
            .examples = {{.parameters = "at = 1, size = 5", .out = "5 delta"},
                         {.parameters = "at = 1, size = -2, order = 2", .out = "-2 delta''"},
                         {.parameters =
                              "train = [{at = 1, size = 2, order = 1}, {at = 1, size = 3, order = 0}]",
                          .out = "3 delta + 2 delta'"},
                         {.parameters = "at = 0.5, size = 4, period = 0.25", .out = "4 delta"}},
            .lower = impulse,
        },
    };
    for (BlockType& type : outside_blocks()) list.push_back(std::move(type));
    return list;
}

}  // namespace deltaflow
