// Numbers, lists and pairs as people type them.
#include "app/arguments.hpp"

#include "engine/front/load.hpp"
#include "report/text/numbers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numbers>
#include <sstream>

namespace deltaflow::app {

using namespace report;

std::string complaint_about_number(const std::string& text) {
    return finite_number(text) ? "" : fmt::format("\"{}\" is not a number", text);
}

std::string complaint_about_positive(const std::string& text) {
    const std::string complaint = complaint_about_number(text);
    if (!complaint.empty() || number_of(text) > 0) return complaint;
    return fmt::format("\"{}\" is not positive", text);
}

std::optional<std::uint64_t> whole_number(const std::string& text) {
    std::uint64_t number = 0;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    if (rest != end || text.empty() || error == std::errc::invalid_argument) return std::nullopt;
    return error == std::errc() ? number : std::numeric_limits<std::uint64_t>::max();
}

std::string complaint_about_count(const std::string& text, std::uint64_t least, std::uint64_t most) {
    const auto number = whole_number(text);
    if (!number) return fmt::format("\"{}\" is not a whole number, {} or more", text, least);
    if (*number < least) return fmt::format("{} is too small; {} or more is wanted", text, least);
    return *number > most ? fmt::format("{} is too large; at most {} is possible", text, most) : "";
}

std::string complaint_about_setting(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals != std::string::npos && equals > 0) return {};
    return fmt::format("\"{}\" is not of the form name=value", text);
}

std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, separator);) {
        const std::size_t first = part.find_first_not_of(" \t");
        if (first == std::string::npos) continue;
        parts.push_back(part.substr(first, part.find_last_not_of(" \t") + 1 - first));
    }
    return parts;
}

std::string complaint_about_times(const std::string& text) {
    for (const std::string& part : split(text))
        if (const std::string complaint = complaint_about_number(part); !complaint.empty()) return complaint;
    return split(text).empty() ? "no time is given" : "";
}

std::vector<Group> groups_of(const std::string& text) {
    std::vector<Group> groups;
    for (const std::string& part : split(text, ';')) groups.push_back(split(part));
    std::erase(groups, Group{});
    return groups;
}

// A panel goes over time or over a signal.
std::string complaint_about_groups(const std::string& text) {
    for (const Group& group : groups_of(text)) {
        const auto phases = std::count_if(group.begin(), group.end(), [](const std::string& name) {
            return phase_names(name).has_value();
        });
        if (phases > 0 && phases < static_cast<long>(group.size()))
            return fmt::format("\"{}\" has curves over t and over a signal in one panel; part them by ;",
                               fmt::join(group, ","));
    }
    return groups_of(text).empty() ? "no signal is given" : "";
}

std::string complaint_about_settings(const std::string& text) {
    for (const std::string& part : split(text))
        if (const std::string complaint = complaint_about_setting(part); !complaint.empty()) return complaint;
    return split(text).empty() ? "no value is given" : "";
}

std::string complaint_about_size(const std::string& text) {
    constexpr double least_width = 240, least_height = 120, most = 20000;
    const auto parts = split(text, 'x');
    if (parts.empty() || parts.size() > 2 || text.back() == 'x' || text.front() == 'x')
        return fmt::format("\"{}\" is not of the form 1200x800", text);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (const std::string complaint = complaint_about_number(parts[i]); !complaint.empty())
            return complaint;
        const double pixels = number_of(parts[i]);
        if (pixels < (i == 0 ? least_width : least_height) || pixels > most)
            return fmt::format("a picture is {} to {} pixels wide and {} to {} high", least_width, most,
                               least_height, most);
    }
    return {};
}

Rational step_of(const std::string& text) {
    const auto plain = parse_rational(text);
    return plain ? *plain : exact(number_of(text));
}

std::string complaint_about_steps(const std::string& text) {
    for (const std::string& part : split(text))
        if (const std::string complaint = complaint_about_positive(part); !complaint.empty())
            return complaint;
    return split(text).empty() ? "no step is given" : "";
}

namespace {

constexpr double most_values = 1e6;  // of one axis: they are kept
constexpr double most_runs = 1e12;

// First, last and step.
struct Steps {
    Rational first, last, step;
    double count() const { return std::floor(to_double((last - first) / step)) + 1; }
};

Steps steps_of(const std::vector<std::string>& parts) {
    return {step_of(parts[0]), step_of(parts[1]), step_of(parts[2])};
}

// "log:1:1000:7": so many values, each the same number of times the one before.
std::vector<std::string> powers_of(const std::vector<std::string>& parts) {
    const double first = number_of(parts[1]), last = number_of(parts[2]);
    const auto count = static_cast<int>(number_of(parts[3]));
    std::vector<std::string> values;
    for (int i = 0; i < count; ++i)
        values.push_back(i == 0 ? parts[1]
                         : i == count - 1
                             ? parts[2]
                             : fmt::format("{:.17g}", first * std::pow(last / first, static_cast<double>(i) /
                                                                                         (count - 1))));
    return values;
}

std::string complaint_about_powers(const std::string& text, const std::vector<std::string>& parts) {
    if (parts.size() != 4) return fmt::format("\"{}\" is not of the form log:from:to:count", text);
    const double first = number_of(parts[1]), last = number_of(parts[2]), count = number_of(parts[3]);
    if (!(first * last > 0)) return fmt::format("the ends of \"{}\" are not both above 0", text);
    if (!(count >= 2) || count != std::floor(count))
        return fmt::format("\"{}\" is no number of values, at least 2", parts[3]);
    return count > most_values ? fmt::format("\"{}\" are more than {} values", text, most_values) : "";
}

bool is_word(const std::string& text) { return text == "log" || text == "normal" || text == "uniform"; }

// "normal:1:0.1" or "uniform:0:1", if it is one of them.
std::optional<SweepAxis::Draw> draw_of(const std::string& text) {
    using Kind = SweepAxis::Draw::Kind;
    const auto parts = split(text, ':');
    if (parts.size() != 3 || (parts[0] != "normal" && parts[0] != "uniform")) return std::nullopt;
    return SweepAxis::Draw{parts[0] == "normal" ? Kind::normal : Kind::uniform, number_of(parts[1]),
                           number_of(parts[2])};
}

std::string complaint_about_draw(const std::string& text, const std::vector<std::string>& parts) {
    if (parts.size() != 3)
        return fmt::format("\"{}\" is not of the form {}", text,
                           parts[0] == "normal" ? "normal:mean:deviation" : "uniform:from:to");
    const double first = number_of(parts[1]), second = number_of(parts[2]);
    if (parts[0] == "normal" && second < 0) return fmt::format("the deviation of \"{}\" is negative", text);
    if (parts[0] == "uniform" && second < first)
        return fmt::format("the ends of \"{}\" stand the wrong way round", text);
    return {};
}

std::vector<std::string> values_of(const std::string& text) {
    const auto parts = split(text, ':');
    if (parts.size() == 1) return {text};
    if (parts[0] == "log") return powers_of(parts);
    const Steps steps = steps_of(parts);
    std::vector<std::string> values;
    for (Rational x = steps.first; sign(steps.step) > 0 ? x <= steps.last : x >= steps.last; x += steps.step)
        values.push_back(to_string(x));
    return values;
}

std::string complaint_about_values(const std::string& text) {
    if (text.find(':') == std::string::npos) return {};
    const auto parts = split(text, ':');
    const bool worded = !parts.empty() && is_word(parts[0]);
    if (parts.size() != 3 && !worded) return fmt::format("\"{}\" is not of the form from:to:step", text);
    for (std::size_t i = worded ? 1 : 0; i < parts.size(); ++i)
        if (const std::string complaint = complaint_about_number(parts[i]); !complaint.empty())
            return complaint;
    if (worded)
        return parts[0] == "log" ? complaint_about_powers(text, parts) : complaint_about_draw(text, parts);
    const Steps steps = steps_of(parts);
    if (is_zero(steps.step)) return fmt::format("the step of \"{}\" is 0", text);
    if (steps.count() < 1) return fmt::format("\"{}\" leads nowhere: the step has the wrong sign", text);
    if (steps.count() > most_values) return fmt::format("\"{}\" are more than {} values", text, most_values);
    return {};
}

}  // namespace

SweepAxis axis_of(const std::string& text) {
    if (text.starts_with('@')) return {text, {}};
    const std::size_t equals = text.find('=');
    SweepAxis axis{text.substr(0, equals), {}, draw_of(text.substr(equals + 1))};
    if (axis.draw) return axis;
    for (const std::string& part : split(text.substr(equals + 1)))
        for (std::string& value : values_of(part)) axis.values.push_back(std::move(value));
    return axis;
}

std::string complaint_about_axis(const std::string& text) {
    if (text.starts_with('@')) return text.size() > 1 ? "" : "no file is given";
    if (const std::string complaint = complaint_about_setting(text); !complaint.empty())
        return fmt::format("\"{}\" is not of the form name=from:to:step or name=a,b,c", text);
    const auto parts = split(text.substr(text.find('=') + 1));
    for (const std::string& part : parts) {
        if (const std::string complaint = complaint_about_values(part); !complaint.empty()) return complaint;
        if (parts.size() > 1 && draw_of(part))
            return fmt::format("\"{}\" cannot stand in a list: it is a whole axis", part);
    }
    return parts.empty() ? fmt::format("\"{}\" has no values", text) : "";
}

std::string complaint_about_axes(const std::vector<SweepAxis>& axes, std::size_t draws, bool appended) {
    bool drawn = false, tables = false;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        drawn = drawn || axes[i].draw;
        tables = tables || axes[i].name.starts_with('@');
        for (std::size_t j = 0; j < i; ++j)
            if (axes[i].name == axes[j].name) return fmt::format("--over {} is given twice", axes[i].name);
    }
    if (draws > 0 && !drawn && !tables)
        return "--runs is for values by chance: --over NAME=normal:MEAN:DEVIATION";
    const double runs = tables ? 0 : combinations(axes, std::max<std::size_t>(draws, 1));
    const double most = appended ? most_runs : most_values;
    return runs > most
               ? fmt::format(
                     "these are {:.3g} runs; at most {:.0f} are done{}", runs, most,
                     appended ? "" : "; with --csv or --jsonl alone, which are written as runs end, more")
               : "";
}

std::optional<Sampling> sampling_of(const std::string& word) {
    if (word == "random") return Sampling::chance;
    if (word == "latin") return Sampling::latin;
    return word == "sobol" ? std::optional(Sampling::sobol) : std::nullopt;
}

std::string complaint_about_sampling(const std::string& word) {
    return sampling_of(word) ? "" : fmt::format("\"{}\" is none of random, latin, sobol", word);
}

std::string complaint_about_resuming(const SweepOptions& sweep) {
    if (!sweep.resume) return {};
    if (sweep.csv.empty() && sweep.jsonl.empty())
        return "--resume goes on with a file: add --csv FILE or --jsonl FILE";
    return sweep.only_appends() || sweep.csv == "-"
               ? ""
               : "--resume knows rows of earlier runs as text only: it goes with --csv and --jsonl alone";
}

Share share_of(const std::string& text) {
    const auto parts = split(text, '/');
    return {static_cast<std::size_t>(number_of(parts[0])) - 1, static_cast<std::size_t>(number_of(parts[1]))};
}

std::string complaint_about_share(const std::string& text) {
    const auto parts = split(text, '/');
    const auto is_count = [](const std::string& part) {
        return part.size() <= 9 && !part.empty() && part.find_first_not_of("0123456789") == std::string::npos;
    };
    if (parts.size() != 2 || !is_count(parts[0]) || !is_count(parts[1]))
        return fmt::format("\"{}\" is not of the form K/N", text);
    const double part = number_of(parts[0]), all = number_of(parts[1]);
    return part < 1 || part > all ? fmt::format("\"{}\" is none of parts 1 to {}", text, all) : "";
}

std::string complaint_about_measures(const std::string& text) {
    for (const std::string& part : measures_in(text))
        if (!measure_of(part))
            return fmt::format("\"{}\" is no measure; measures are {} of a name in brackets: max(y)", part,
                               measure_names());
    return measures_in(text).empty() ? "no measure is given" : "";
}

std::vector<std::string> measures_in(const std::string& text) { return split(text); }

std::string complaint_about_outputs(const std::vector<std::string>& paths) {
    for (std::size_t i = 0; i < paths.size(); ++i)
        for (std::size_t j = i + 1; j < paths.size(); ++j)
            if (!paths[i].empty() && paths[i] == paths[j])
                return fmt::format("two outputs cannot both go to {}",
                                   paths[i] == "-" ? "standard output" : paths[i]);
    return {};
}

FlatModel recording(const FlatModel& model, const std::vector<std::string>& names,
                    const std::string& option) {
    LoadOptions load;
    load.record = names;
    try {
        return with(model, load);
    } catch (ModelError& error) {
        for (auto& source : error.sources.files)
            if (source.path == "--record") source.path = option;
        throw;
    }
}

}  // namespace deltaflow::app
