// What the command line changes in a model: --set and --record, read as if each were a small file.
#include "engine/front/load_options.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace deltaflow::front {
namespace {

constexpr std::string_view simulation_prefix = "simulation.";

std::uint32_t width(std::string_view text) { return static_cast<std::uint32_t>(text.size()); }

constexpr std::size_t most_listed = 40;

// What could have been set, for who does not know the model.
std::string parameters_words(std::vector<std::string_view> known) {
    if (known.empty()) return "it has no parameters at all";
    const std::size_t more = known.size() - std::min(known.size(), most_listed);
    known.resize(known.size() - more);
    return fmt::format("its parameters: {}{}", fmt::join(known, ", "),
                       more > 0 ? fmt::format(" and {} more", more) : "");
}

class OptionReader {
public:
    OptionReader(const Declarations& all, Sources& sources, Report& report)
        : model_(all.files[0]->body), sources_(sources), report_(report) {}

    void set(const std::string& name, const std::string& text) {
        const Entry& entry = add("--set", name, text);
        if (name.compare(0, simulation_prefix.size(), simulation_prefix) == 0)
            set_key(entry);
        else
            set_parameter(entry);
    }

    void record(const std::string& name) { overrides_.record.push_back(&add("--record", "", name).value); }

    Overrides take() { return std::move(overrides_); }

private:
    Entry& add(const char* option, const std::string& name, const std::string& text) {
        const auto file = static_cast<std::uint32_t>(sources_.files.size());
        sources_.files.push_back({option, name.empty() ? text : fmt::format("{}={}", name, text)});
        const std::uint32_t column = name.empty() ? 1 : width(name) + 2;
        Value value;
        value.kind = Value::Kind::string;
        value.text = text;
        value.place = {file, 1, column, std::max(1u, width(text))};
        overrides_.entries.push_back({name, {file, 1, 1, std::max(1u, width(name))}, std::move(value)});
        return overrides_.entries.back();
    }

    void set_key(const Entry& whole) {
        Entry entry = whole;
        entry.key = whole.key.substr(simulation_prefix.size());
        entry.place.column += width(simulation_prefix);
        entry.place.length = std::max(1u, width(entry.key));
        overrides_.entries.push_back(std::move(entry));
        overrides_.settings.push_back(&overrides_.entries.back());
    }

    void set_parameter(const Entry& entry) {
        const auto found = model_.names.find(entry.key);
        if (found != model_.names.end() && found->second.kind == Symbol::Kind::parameter) {
            overrides_.parameters[found->second.index] = read_formula(entry.value, "a number", report_);
            return;
        }
        std::vector<std::string_view> known;
        for (const auto& parameter : model_.parameters) known.push_back(parameter.name);
        report_.add(
            entry.place,
            fmt::format("the model has no parameter \"{}\"{}", entry.key, report_.hint(entry.key, known)),
            {parameters_words(known)});
    }

    const DiagramDeclaration& model_;
    Sources& sources_;
    Report& report_;
    Overrides overrides_;
};

}  // namespace

Overrides read_overrides(const LoadOptions& options, const Declarations& all, Sources& sources,
                         Report& report) {
    OptionReader reader(all, sources, report);
    for (const auto& [name, text] : options.set) reader.set(name, text);
    if (options.record)
        for (const auto& name : *options.record) reader.record(name);
    return reader.take();
}

}  // namespace deltaflow::front
