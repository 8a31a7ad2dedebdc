// Numbers, lists and pairs as people type them.
#include "app/arguments.hpp"

#include "blocks/builder.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <sstream>

namespace deltaflow::app {

double number_of(const std::string& text) {
    const Scope scope = [](const Expression& name) -> Meaning {
        if (name.text == "pi") return Number{std::numbers::pi, {}};
        throw ExpressionError(name.offset, name.length, "names have no meaning here");
    };
    return evaluate_expression(parse_expression(text), scope).value;
}

std::string complaint_about_number(const std::string& text) {
    try {
        if (std::isfinite(number_of(text))) return {};
    } catch (const std::exception&) {  // said below
    }
    return fmt::format("\"{}\" is not a number", text);
}

std::string complaint_about_positive(const std::string& text) {
    const std::string complaint = complaint_about_number(text);
    if (!complaint.empty() || number_of(text) > 0) return complaint;
    return fmt::format("\"{}\" is not positive", text);
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

std::string complaint_about_groups(const std::string& text) {
    return groups_of(text).empty() ? "no signal is given" : "";
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

std::string complaint_about_outputs(const std::vector<std::string>& paths) {
    for (std::size_t i = 0; i < paths.size(); ++i)
        for (std::size_t j = i + 1; j < paths.size(); ++j)
            if (!paths[i].empty() && paths[i] == paths[j])
                return fmt::format("two outputs cannot both go to {}",
                                   paths[i] == "-" ? "standard output" : paths[i]);
    return {};
}

Model load_recording(const std::string& path, const LoadOptions& load, const std::string& option) {
    try {
        return load_model(path, load);
    } catch (ModelError& error) {
        for (auto& source : error.sources.files)
            if (source.path == "--record") source.path = option;
        throw;
    }
}

}  // namespace deltaflow::app
