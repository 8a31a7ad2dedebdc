// Where a name is from, who speaks of it, and another name for it.
#include "blocks/function_table.hpp"
#include "engine/front/paths.hpp"
#include "engine/model/model.hpp"
#include "report/editor/editor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace deltaflow::editor {

namespace {

bool is_name(const std::string& name) {
    const auto fits = [](char c) { return is_letter(c) || (c >= '0' && c <= '9'); };
    return !name.empty() && is_letter(name[0]) && std::all_of(name.begin(), name.end(), fits);
}
bool is_taken(const std::string& name) {
    const Function* function = find_function(name);
    return name == "t" || name == "pi" || name == "and" || name == "or" || name == "not" ||
           name == "ground" || (function && !function->is_free);
}

Location location(const Project& project, const Mention& mention) {
    const Document& document = project.documents[mention.document];
    return {document.path, document.text.range(mention.span)};
}

bool same_file(const std::string& a, const std::string& b) {
    return a == b || plain_path(a) == plain_path(b);
}

// The mentions of a symbol by document, from the last to the first.
using Spans = std::map<std::size_t, std::vector<Span>>;
Spans spans_of(const Names& names, std::size_t symbol) {
    Spans spans;
    for (const Mention& mention : names.mentions)
        if (mention.symbol == symbol) spans[mention.document].push_back(mention.span);
    for (auto& [document, list] : spans) {
        std::sort(list.begin(), list.end(), [](const Span& a, const Span& b) { return a.begin > b.begin; });
        list.erase(std::unique(list.begin(), list.end()), list.end());
    }
    return spans;
}

Project renamed(const Project& project, const Spans& spans, const std::string& name) {
    Project result;
    for (std::size_t d = 0; d < project.documents.size(); ++d) {
        std::string text = project.documents[d].text.string();
        if (const auto found = spans.find(d); found != spans.end())
            for (const Span& span : found->second) text.replace(span.begin, span.end - span.begin, name);
        Syntax syntax = read_syntax(text);
        result.documents.push_back(
            {project.documents[d].path, Text(std::move(text)), std::move(syntax), project.documents[d].uses});
    }
    return result;
}

// Every name has to mean what it meant: one that meets another, or hides it, does not.
void check_meanings(const Names& before, const Names& after, const std::string& name) {
    std::map<std::size_t, std::size_t> there, back;
    bool same =
        before.mentions.size() == after.mentions.size() && before.symbols.size() == after.symbols.size();
    for (std::size_t i = 0; same && i < before.mentions.size(); ++i) {
        const std::size_t a = before.mentions[i].symbol, b = after.mentions[i].symbol;
        same = before.mentions[i].document == after.mentions[i].document &&
               there.emplace(a, b).first->second == b && back.emplace(b, a).first->second == a;
    }
    if (!same)
        throw RenameError(fmt::format("\"{}\" means something else already where this name is read", name));
}

std::string mistakes_of(const std::string& path, const std::string& text) {
    try {
        LoadOptions options;
        options.max_blocks = 200'000;
        load_model_text(path, text, options);
        return "";
    } catch (const ModelError& error) {
        return error.diagnostics.front().message;
    }
}

// A model that loads has to load, and so must one that a text was a part of.
void check_loads(const Project& before, const Project& after) {
    const Document &old = before.documents[0], &now = after.documents[0];
    if (!mistakes_of(old.path, old.text.string()).empty()) return;
    const std::string wrong = mistakes_of(now.path, now.text.string());
    if (!wrong.empty()) throw RenameError(fmt::format("the model would be wrong: {}", wrong));
}

void check_name(const std::string& name) {
    if (!is_name(name))
        throw RenameError(fmt::format(
            "\"{}\" cannot be a name: letters, digits and _ make a name, and no digit begins it", name));
    if (is_taken(name))
        throw RenameError(fmt::format("\"{}\" cannot be a name: it means something in models", name));
}

// The symbol that is defined at a place of a file, in another project that has the file.
std::size_t same_symbol(const Project& project, const Names& names, const std::string& path,
                        const Span& defined) {
    for (const Mention& mention : names.mentions)
        if (mention.definition && mention.span == defined &&
            same_file(project.documents[mention.document].path, path))
            return mention.symbol;
    return nothing;
}

class Renaming {
public:
    explicit Renaming(const std::string& name) : name_(name) {}

    void add(const Project& project, const Names& names, std::size_t symbol, bool load) {
        const Spans spans = spans_of(names, symbol);
        const Project after = renamed(project, spans, name_);
        check_meanings(names, find_names(after), name_);
        if (load && spans.size() == 1 && spans.begin()->first == 0) check_loads(project, after);
        for (const auto& [document, list] : spans)
            for (const Span& span : list) add(project.documents[document], span);
    }

    std::vector<Edit> take() { return std::move(edits_); }

private:
    void add(const Document& document, const Span& span) {
        Edit edit{document.path, document.text.range(span), name_};
        const auto same = [&](const Edit& other) {
            return other.range == edit.range && same_file(other.path, edit.path);
        };
        if (std::none_of(edits_.begin(), edits_.end(), same)) edits_.push_back(std::move(edit));
    }

    const std::string& name_;
    std::vector<Edit> edits_;
};

}  // namespace

namespace {

// The file that a text of `use` names.
std::optional<Location> used_file(const Project& project, std::size_t offset) {
    const Document& document = project.documents[0];
    const Member* use = document.syntax.root.find("use");
    if (!use) return std::nullopt;
    std::vector<Node> names = use->value.items;
    if (use->value.kind == Node::Kind::string) names.push_back(use->value);
    for (const Node& name : names) {
        if (!name.span.contains(offset)) continue;
        const std::string path = path_beside(document.path, name.text);
        for (const std::size_t used : document.uses)
            if (same_file(project.documents[used].path, path))
                return Location{project.documents[used].path, {}};
    }
    return std::nullopt;
}

}  // namespace

std::optional<Location> definition(const Project& project, std::size_t offset) {
    const Names names = find_names(project);
    if (const Mention* mention = names.at(0, offset))
        return location(project, *names.definition_of(mention->symbol));
    return used_file(project, offset);
}

std::vector<Location> references(const Project& project, std::size_t offset, bool with_definition) {
    const Names names = find_names(project);
    const Mention* here = names.at(0, offset);
    std::vector<Location> found;
    if (!here) return found;
    for (const Mention& mention : names.mentions)
        if (mention.symbol == here->symbol && (with_definition || !mention.definition))
            found.push_back(location(project, mention));
    return found;
}

std::optional<Span> renamable(const Project& project, std::size_t offset) {
    const Names names = find_names(project);
    const Mention* mention = names.at(0, offset);
    return mention ? std::optional(mention->span) : std::nullopt;
}

std::vector<Edit> rename(const Project& project, std::size_t offset, const std::string& name,
                         const std::vector<Project>& others) {
    const Names names = find_names(project);
    const Mention* mention = names.at(0, offset);
    if (!mention) throw RenameError("no name stands here");
    check_name(name);
    const Symbol& symbol = names.symbols[mention->symbol];
    if (symbol.name == name) return {};
    Renaming renaming(name);
    renaming.add(project, names, mention->symbol, true);
    const Mention& defined = *names.definition_of(mention->symbol);
    for (const Project& other : others) {
        const Names theirs = find_names(other);
        const std::size_t same =
            same_symbol(other, theirs, project.documents[defined.document].path, defined.span);
        if (same != nothing) renaming.add(other, theirs, same, false);
    }
    return renaming.take();
}

}  // namespace deltaflow::editor
