// What the engine says of a text.
#include "engine/simulate.hpp"
#include "report/editor/editor.hpp"

#include <fmt/format.h>

#include <string_view>

namespace deltaflow::editor {

namespace {

// Analysing takes longer than people pause between keys where there are more blocks than these.
constexpr std::uint64_t most_analysed = 20'000, most_loaded = 200'000;

std::string message_of(const Diagnostic& diagnostic) {
    std::string text = diagnostic.message;
    for (const std::string& note : diagnostic.notes) text += "\n" + note;
    return text;
}

class Collector {
public:
    explicit Collector(const Text& text) : text_(text) {}

    void add(Severity severity, const Sources& sources, const std::vector<Diagnostic>& list) {
        for (const Diagnostic& d : list)
            problems_.push_back(d.place.file == 0
                                    ? Problem{severity, text_.range(text_.span(d.place)), message_of(d)}
                                    : elsewhere(severity, sources, d));
    }
    std::vector<Problem> take() { return std::move(problems_); }

private:
    // A mistake in a file that is used stands at the `use`.
    Problem elsewhere(Severity severity, const Sources& sources, const Diagnostic& d) const {
        const Syntax syntax = read_syntax(text_.string());
        const Member* use = syntax.root.find("use");
        const Span span = use ? use->value.span : Span{};
        return {severity, text_.range(span), fmt::format("{}: {}", render(sources, d.place), message_of(d))};
    }

    const Text& text_;
    std::vector<Problem> problems_;
};

bool is_library(const Text& text) {
    const Node root = read_syntax(text.string()).root;
    const auto has = [&](const char* key) { return root.find(key) != nullptr; };
    return has("diagrams") && !has("blocks") && !has("elements") && !has("circuit") && !has("mechanics");
}

// All that is wrong is its size, and `run` would take it: it has time that an editor has not.
bool is_only_large(const ModelError& error) {
    constexpr std::string_view words = "the model would have ";
    if (error.diagnostics.size() != 1 || !error.diagnostics[0].message.starts_with(words)) return false;
    std::string size = error.diagnostics[0].message.substr(words.size());
    size.resize(size.find(' '));
    std::erase(size, ',');
    return size.size() <= std::string_view("9999999").size();
}

}  // namespace

std::vector<Problem> problems_of(const std::string& path, const Text& text) {
    Collector found(text);
    try {
        LoadOptions options;
        options.max_blocks = most_loaded;
        const FlatModel model = load_model_text(path, text.string(), options);
        if (model.user_blocks <= most_analysed)
            found.add(Severity::warning, model.sources, check(model).warnings);
    } catch (const ModelError& error) {
        const bool nowhere = error.diagnostics.size() == 1 && error.diagnostics[0].place.line == 0;
        if (!is_only_large(error) && !(nowhere && is_library(text)))
            found.add(Severity::error, error.sources, error.diagnostics);
    } catch (const std::exception& error) {
        return {{Severity::error, {}, fmt::format("the analysis gave up: {}", error.what())}};
    }
    return found.take();
}

}  // namespace deltaflow::editor
