// Loads a model: text -> declarations -> templates -> flat diagram.
#include "engine/front/load.hpp"

#include "engine/front/flatten/flatten.hpp"
#include "engine/front/flatten/wanted.hpp"
#include "engine/front/floating.hpp"
#include "engine/front/load_options.hpp"
#include "engine/front/load_simulation.hpp"
#include "engine/front/read/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace deltaflow {
namespace front {
namespace {

std::string text_of(const Value& document, std::string_view key) {
    const Entry* entry = find(document, key);
    return entry ? clean_text(entry->value.text) : std::string();
}

// The keys of [simulation]: first those of the file, then those of the command line.
std::vector<const Entry*> simulation_entries(const Value& document, const Overrides& overrides,
                                             Report& report) {
    std::vector<const Entry*> entries;
    if (const Entry* table = find(document, "simulation")) {
        if (table->value.kind != Value::Kind::table)
            report.add(table->value.place, "\"simulation\" must be a table");
        for (const auto& entry : table->value.entries) entries.push_back(&entry);
    }
    const auto is_replaced = [&](const Entry* entry) {
        return std::any_of(overrides.settings.begin(), overrides.settings.end(),
                           [&](const Entry* other) { return other->key == entry->key; });
    };
    entries.erase(std::remove_if(entries.begin(), entries.end(), is_replaced), entries.end());
    entries.insert(entries.end(), overrides.settings.begin(), overrides.settings.end());
    return entries;
}

// Where a list of names has its next comma; those in an index are no end.
std::size_t end_of_name(std::string_view names) {
    int depth = 0;
    for (std::size_t at = 0; at < names.size(); ++at) {
        depth += names[at] == '[' ? 1 : names[at] == ']' ? -1 : 0;
        if (names[at] == ',' && depth <= 0) return at;
    }
    return names.size();
}

void append_names(const Value& value, std::vector<RecordName>& names, Report& report) {
    if (value.kind != Value::Kind::string)
        return report.add(value.place, "\"record\" takes names of signals, as strings");
    std::string_view rest = value.text;
    while (true) {  // "a, b" are two names
        const std::string_view part = rest.substr(0, end_of_name(rest));
        const std::size_t first = std::min(part.find_first_not_of(' '), part.size());
        const std::size_t last = part.find_last_not_of(' ');
        names.push_back({part.substr(first, last - first + 1), &value});
        if (part.size() == rest.size()) return;
        rest.remove_prefix(part.size() + 1);
    }
}

// The names to record, or nothing: then it is every top-level block.
std::optional<std::vector<RecordName>> recorded_names(const LoadOptions& options, const Overrides& overrides,
                                                      const Value* record, Report& report) {
    std::vector<RecordName> names;
    if (options.record) {
        for (const Value* value : overrides.record) append_names(*value, names, report);
    } else if (!record) {
        return std::nullopt;
    } else if (record->kind == Value::Kind::array) {
        for (const auto& item : record->items) append_names(item, names, report);
    } else {
        append_names(*record, names, report);
    }
    return names;
}

// Mistakes that all stand beside the files, in --set or --record, are mistakes of whoever gave them.
void check(const Declarations& all, Report& report) {
    if (report.empty()) return;
    const ErrorKind kind = report.kind();
    std::vector<Diagnostic> wrong = report.take();
    const auto is_given = [&](const Diagnostic& d) { return d.place.file >= all.sources.files.size(); };
    const bool given = std::all_of(wrong.begin(), wrong.end(), is_given);
    throw ModelError(given ? ErrorKind::option : kind, report.sources(), std::move(wrong));
}

// The last [simulation] key of that name.
const Value* find_key(const std::vector<const Entry*>& entries, std::string_view key) {
    const auto found =
        std::find_if(entries.rbegin(), entries.rend(), [&](const Entry* entry) { return entry->key == key; });
    return found == entries.rend() ? nullptr : &(*found)->value;
}

WantedSignals wanted_signals(const Declarations& all, const std::optional<std::vector<RecordName>>& names,
                             const std::vector<Formula>& shapes) {
    WantedSignals wanted;
    wanted.add(all);
    for (const Formula& shape : shapes) wanted.add(shape.tree);
    if (names)
        for (const auto& [name, source] : *names) wanted.add_recorded(name);
    return wanted;
}

void check_not_empty(const Declarations& all, Report& report) {
    const DiagramDeclaration& body = all.files[0]->body;
    if (!report.empty() || !body.blocks.empty()) return;
    if (body.diagrams.empty()) return report.add({}, "the model has no blocks; write them under [blocks]");
    const std::string file = std::filesystem::path(all.files[0]->path).filename().string();
    report.add({}, "this file has diagrams but no blocks, so there is nothing to run",
               {"write an instance of a diagram under [blocks]",
                fmt::format("or use it from a model: use = [\"{}\"] and x = {{ type = \"{}\", ... }}", file,
                            body.diagrams.front()->name)});
}

// What the templates say, laid out flat.
FlatModel flattened(const std::shared_ptr<Written>& written, Simulation simulation,
                    std::vector<Recorded> record, Report& report) {
    Flat flat = expand(written->templates);
    check_bonds(flat.graph, report);
    check(*written->declarations, report);
    join_ideal_elements(flat.graph, report);
    check(*written->declarations, report);
    hold_floating(flat);

    const FileDeclaration& file = *written->declarations->files[0];
    FlatModel model;
    model.name = text_of(file.document, "name");
    if (model.name.empty()) model.name = clean_text(std::filesystem::path(file.path).stem().string());
    model.about = text_of(file.document, "about");
    model.user_blocks = written->templates.list[0].sizes.blocks;
    model.diagram = std::move(flat.diagram);
    model.graph = std::move(flat.graph);
    model.settings = std::move(simulation.settings);
    model.record = std::move(record);
    model.named = std::move(flat.named);
    model.sources = report.sources();
    model.data_files = report.files_read();
    model.naming = make_naming(written, std::move(flat.made));
    model.written = written;
    return model;
}

FlatModel build(std::shared_ptr<const Declarations> files, const LoadOptions& options) {
    const auto written = std::make_shared<Written>(Written{std::move(files), options, {}, {}});
    const Declarations& all = *written->declarations;
    Templates& templates = written->templates;
    Sources sources = all.sources;
    Report report(sources, all.mistakes);
    const Overrides& overrides = written->overrides = read_overrides(options, all, sources, report);
    check_not_empty(all, report);
    templates = discover(all, overrides.parameters, report);
    if (templates.list.empty()) check(all, report);
    const auto entries = simulation_entries(all.files[0]->document, overrides, report);
    const auto names = recorded_names(options, overrides, find_key(entries, "record"), report);
    const std::vector<Formula> shapes = read_shapes(all.files[0]->document, report);
    lower_templates(templates, sources, wanted_signals(all, names, shapes), report);
    // As the file has them: with other values there may be less to draw (ball[4] of --set n=3), and a run
    // does not depend on it.
    if (overrides.parameters.empty()) check_shapes(templates, shapes, report);

    Simulation simulation = read_simulation(entries, *templates.list[0].environment, report);
    if (options.max_blocks) simulation.settings.max_blocks = *options.max_blocks;
    simulation.settings.limits = options.limits;
    const bool fits = check_size(templates, simulation.settings.max_blocks, report);
    std::vector<Recorded> record;
    if (fits && (names || report.empty())) record = find_recorded(templates, names, report);
    check(all, report);
    return flattened(written, std::move(simulation), std::move(record), report);
}

}  // namespace
}  // namespace front

ModelFiles read_model(const std::string& path, const std::vector<std::string>& allow) {
    return std::make_shared<front::Declarations>(front::read_files(path, front::read_text(path), allow));
}

ModelFiles read_model_text(const std::string& path, std::string text, const std::vector<std::string>& allow) {
    return std::make_shared<front::Declarations>(front::read_files(path, std::move(text), allow));
}

FlatModel load_model(const ModelFiles& files, const LoadOptions& options) {
    return front::build(files, options);
}

FlatModel load_model(const std::string& path, const LoadOptions& options) {
    return load_model(read_model(path, options.allow), options);
}

FlatModel load_model_text(const std::string& path, std::string text, const LoadOptions& options) {
    return load_model(read_model_text(path, std::move(text), options.allow), options);
}

FlatModel with(const FlatModel& model, const LoadOptions& more) {
    LoadOptions options = model.written->given;
    options.set.insert(options.set.end(), more.set.begin(), more.set.end());
    if (more.record) options.record = more.record;
    if (more.max_blocks) options.max_blocks = more.max_blocks;
    return load_model(model.written->declarations, options);
}

}  // namespace deltaflow
