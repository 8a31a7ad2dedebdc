// The files of a model: itself and, through `use`, others.
#include "engine/front/read/declarations.hpp"
#include "engine/front/read/reach.hpp"
#include "engine/front/read/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <unordered_map>

namespace deltaflow::front {
namespace {

namespace fs = std::filesystem;

// A model is a few files; each is looked at once for every name that it gives to others.
constexpr std::size_t most_files = 1000;

// Two paths with the same identity are the same file.
std::string identity(const fs::path& path) {
    std::error_code error;
    const fs::path canonical = fs::weakly_canonical(path, error);
    return (error ? path.lexically_normal() : canonical).string();
}

[[noreturn]] void give_up(ErrorKind kind, const Sources& sources, Diagnostic diagnostic) {
    throw ModelError(kind, sources, {std::move(diagnostic)});
}

std::uint32_t add_file(const std::string& path, std::string text, Declarations& all) {
    const auto index = static_cast<std::uint32_t>(all.sources.files.size());
    all.sources.files.push_back({path, std::move(text)});
    const std::string_view kept = all.sources.files.back().text;
    Diagnostic error;
    auto document = parse_document(kept, index, error);
    if (!document) give_up(ErrorKind::model, all.sources, std::move(error));
    auto file = std::make_unique<FileDeclaration>();
    file->path = path;
    file->file = index;
    file->document = std::move(*document);
    all.files.push_back(std::move(file));
    return index;
}

// The text of a used file; what goes wrong is told at the place that uses it.
std::string read_used(const fs::path& path, const Value& name, const Sources& sources) {
    if (auto refused = refusal(sources, path, largest_file))
        give_up(ErrorKind::file, sources, {name.place, refused->message, refused->notes});
    std::error_code error;
    if (!fs::exists(path, error))
        give_up(ErrorKind::file, sources,
                {name.place, fmt::format("there is no file {}", path.string()), {}});
    try {
        return read_text(path.string());
    } catch (const ModelError& e) {
        give_up(e.kind, sources,
                {name.place, fmt::format("{}: {}", path.string(), e.diagnostics[0].message), {}});
    }
}

// The strings of `use`: a list, or a single one.
std::vector<const Value*> used_names(const Value& document, Report& report) {
    const Entry* entry = find(document, "use");
    if (!entry) return {};
    std::vector<const Value*> names;
    if (entry->value.kind == Value::Kind::array)
        for (const auto& item : entry->value.items) names.push_back(&item);
    else
        names.push_back(&entry->value);
    const auto is_wrong = [&](const Value* name) {
        if (name->kind == Value::Kind::string && !name->text.empty()) return false;
        report.add(name->place, "\"use\" takes names of files, as strings");
        return true;
    };
    names.erase(std::remove_if(names.begin(), names.end(), is_wrong), names.end());
    return names;
}

using KnownFiles = std::unordered_map<std::string, std::uint32_t>;  // by identity

std::uint32_t find_or_read(const fs::path& path, const Value& name, Declarations& all, KnownFiles& known) {
    if (known.empty()) known.emplace(identity(all.files[0]->path), 0);
    const auto [at, is_new] = known.try_emplace(identity(path), 0);
    if (!is_new) return at->second;
    if (all.files.size() == most_files)
        give_up(ErrorKind::model, all.sources,
                {name.place, fmt::format("the model is made of more than {} files", most_files), {}});
    return at->second = add_file(path.string(), read_used(path, name, all.sources), all);
}

void read_uses(std::uint32_t index, Declarations& all, KnownFiles& known, Report& report) {
    const fs::path folder = fs::path(all.files[index]->path).parent_path();
    for (const Value* name : used_names(all.files[index]->document, report)) {
        const std::uint32_t used = find_or_read((folder / name->text).lexically_normal(), *name, all, known);
        auto& uses = all.files[index]->uses;
        if (std::find(uses.begin(), uses.end(), used) != uses.end())
            report.add(name->place, fmt::format("\"{}\" is used twice", name->text));
        else
            uses.push_back(used);
    }
}

// A file that comes back to itself through `use`, as "a.toml -> b.toml -> a.toml"; walks without recursion.
class UseOrder {
public:
    UseOrder(const Declarations& all, Report& report)
        : all_(all), report_(report), state_(all.files.size(), new_) {}

    // Every file after those that it uses.
    std::vector<std::uint32_t> order() {
        path_.push_back({0, 0});
        state_[0] = open_;
        while (!path_.empty()) step();
        return std::move(done_);
    }

private:
    struct Stop {
        std::uint32_t file;
        std::size_t next;
    };
    enum State : std::uint8_t { new_, open_, closed_ };

    void step() {
        auto& [file, next] = path_.back();
        if (next == all_.files[file]->uses.size()) {
            state_[file] = closed_;
            done_.push_back(file);
            path_.pop_back();
            return;
        }
        const std::uint32_t used = all_.files[file]->uses[next++];
        if (state_[used] == open_) report_cycle(used);
        if (state_[used] != new_) return;
        state_[used] = open_;
        path_.push_back({used, 0});
    }

    void report_cycle(std::uint32_t used) {
        const auto is_start = [&](const Stop& stop) { return stop.file == used; };
        std::string cycle;
        for (auto at = std::find_if(path_.begin(), path_.end(), is_start); at != path_.end(); ++at)
            cycle += all_.files[at->file]->path + " -> ";
        const Value& document = all_.files[path_.back().file]->document;
        report_.add(find(document, "use")->place,
                    fmt::format("files use each other in a circle: {}{}", cycle, all_.files[used]->path));
    }

    const Declarations& all_;
    Report& report_;
    std::vector<State> state_;
    std::vector<Stop> path_;
    std::vector<std::uint32_t> done_;
};

void see(FileDeclaration& file, const DiagramDeclaration* diagram, const Place& place, Report& report) {
    const auto [found, fresh] = file.visible.emplace(diagram->name, diagram);
    if (fresh || found->second == diagram) return;
    report.add(place, fmt::format("there are two diagrams \"{}\": at {} and at {}", diagram->name,
                                  render(report.sources(), diagram->place),
                                  render(report.sources(), found->second->place)));
}

void collect_visible(FileDeclaration& file, const Declarations& all, Report& report) {
    for (const std::uint32_t used : file.uses) {
        const auto& others = all.files[used]->visible;
        std::vector<const DiagramDeclaration*> sorted;
        for (const auto& [name, diagram] : others) sorted.push_back(diagram);
        std::sort(sorted.begin(), sorted.end(), [](auto* a, auto* b) { return a->name < b->name; });
        for (const auto* diagram : sorted) see(file, diagram, find(file.document, "use")->place, report);
    }
    for (const auto& diagram : file.body.diagrams) see(file, diagram.get(), diagram->place, report);
}

bool has_elements(const DiagramDeclaration& diagram) {
    const auto& blocks = diagram.blocks;
    return std::any_of(blocks.begin(), blocks.end(),
                       [](const BlockDeclaration& block) { return block.role == Role::element; }) ||
           std::any_of(diagram.diagrams.begin(), diagram.diagrams.end(),
                       [](const auto& inner) { return has_elements(*inner); });
}

// A model with elements can read total.energy.
void declare_total(Declarations& all, Report& report) {
    const auto& files = all.files;
    if (std::none_of(files.begin(), files.end(), [](const auto& file) { return has_elements(file->body); }))
        return;
    DiagramDeclaration& model = files[0]->body;
    BlockDeclaration total;
    total.role = Role::total;
    total.name = "total";
    const auto index = static_cast<std::uint32_t>(model.blocks.size());
    const auto [found, fresh] = model.names.emplace(total.name, Symbol{Symbol::Kind::block, index});
    if (fresh) return model.blocks.push_back(std::move(total));
    const auto [kind, taken] = found->second;
    report.add(kind == Symbol::Kind::parameter ? model.parameters[taken].place : model.blocks[taken].place,
               "\"total\" is taken where there are elements: total.energy is what they store");
}

}  // namespace

Declarations read_files(const std::string& path, std::string text, const std::vector<std::string>& allow) {
    Declarations all;
    Report report(all.sources);
    all.sources.folders = readable_folders(path, allow);
    add_file(path, std::move(text), all);
    KnownFiles known;  // asking for an identity takes longer than reading most models
    for (std::uint32_t i = 0; i < all.files.size(); ++i) read_uses(i, all, known, report);
    for (const auto& file : all.files) declare_file(*file, report);
    declare_total(all, report);
    for (const std::uint32_t i : UseOrder(all, report).order()) collect_visible(*all.files[i], all, report);
    for (const auto& file : all.files) link_file(*file, report);
    all.mistakes = std::move(report).findings();
    return all;
}

}  // namespace deltaflow::front
