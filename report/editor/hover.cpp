// Rule and value of what stands at a place.
#include "blocks/catalogue.hpp"
#include "bonds/poles.hpp"
#include "deltaflow/simulation.hpp"
#include "engine/front/flatten/flatten.hpp"
#include "engine/front/flatten/numbers.hpp"
#include "engine/front/load.hpp"
#include "engine/simulate.hpp"
#include "report/editor/context.hpp"
#include "report/editor/editor.hpp"
#include "report/editor/vocabulary.hpp"
#include "report/text/notation.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace deltaflow::editor {

namespace {

// More than these, and nobody would wait for a value.
constexpr std::uint64_t most_blocks = 2000;

std::string code(std::string_view text) { return fmt::format("```\n{}\n```\n", text); }

// A text in Markdown, whatever letters it has.
std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        if (std::string_view("\\`*_{}[]<>#|").find(c) != std::string_view::npos) result += '\\';
        result += c;
    }
    return result;
}

std::string value_words(const Number& number) {
    const std::string value = report::number_text(number.value);
    const std::string exact = number.exact ? to_string(*number.exact) : "";
    if (exact.empty() || exact == value || exact.size() > 40 || exact.find('/') == std::string::npos)
        return value;
    return fmt::format("{} = {}", exact, value);
}

class Teller {
public:
    Teller(const Project& project, const Names& names) : project_(project), names_(names) {
        try {
            LoadOptions options;
            options.max_blocks = most_blocks;
            model_ = load_model_text(project.documents[0].path, project.documents[0].text.string(), options);
        } catch (const std::exception&) {  // then there are no values
        }
    }

    std::string tell(const Symbol& symbol) {
        std::string text = fmt::format("**{}** ({})\n\n", escaped(symbol.name), name_of(symbol.kind));
        text += code(declaration(symbol));
        switch (symbol.kind) {
            case SymbolKind::parameter:
                return text + parameter_value(symbol);
            case SymbolKind::block:
            case SymbolKind::element:
                return text + rule(symbol) + arguments(symbol) + behaviour(symbol);
            case SymbolKind::diagram:
                return text + about(*symbol.member);
            default:
                return text;
        }
    }

private:
    std::string declaration(const Symbol& symbol) const {
        const Document& document = project_.documents[symbol.document];
        if (symbol.kind == SymbolKind::diagram) return fmt::format("[diagrams.{}]", symbol.name);
        if (symbol.member && !(symbol.member->span == Span{})) {
            std::string text(document.text.view(symbol.member->span));
            constexpr std::size_t most = 600;
            if (text.size() > most) text = valid_utf8(text.substr(0, most)) + " ...";
            return text;
        }
        return symbol.kind == SymbolKind::node || symbol.kind == SymbolKind::input
                   ? symbol.name
                   : fmt::format("[{}]", symbol.name);
    }

    static std::string about(const Member& diagram) {
        return std::string(escaped(diagram.value.text_of("about"))) + "\n";
    }

    std::string rule(const Symbol& symbol) const {
        if (symbol.inside != nothing) {
            const Scope& scope = names_.scopes[symbol.inside];
            return fmt::format("an instance of the diagram {}: {}\n", escaped(scope.name),
                               escaped(scope.table->text_of("about")));
        }
        const auto lines = [](std::string_view about, std::string_view what) {
            return fmt::format("{}\n\nrule: `{}`\n", escaped(about), what);
        };
        if (const BlockType* type = find_block_type(symbol.type); type && symbol.kind == SymbolKind::block)
            return lines(type->about, type->rule);
        for (const auto& pole : bonds::poles())
            if (pole.type == symbol.type &&
                stands_in(names_, symbol, std::string(bonds::table_of(pole.domain))))
                return lines(pole.about, pole.rule);
        if (const auto* type = bonds::find_element_type(symbol.type)) return lines(type->about, type->rule);
        return "";
    }

    // The diagram of a scope as the model has it, and the values of its parameters.
    const front::Template* shape_of(std::size_t scope) const {
        if (!model_) return nullptr;
        const auto& list = model_->written->templates.list;
        if (scope == 0) return &list[0];
        const auto found = std::find_if(list.begin() + 1, list.end(), [&](const front::Template& shape) {
            return shape.diagram->name == names_.scopes[scope].name;
        });
        return found == list.end() ? nullptr : &*found;
    }

    std::string parameter_value(const Symbol& symbol) const {
        const front::Template* shape = shape_of(symbol.scope);
        const front::Environment* environment = shape ? shape->environment : nullptr;
        if (!environment) return "";
        for (std::size_t i = 0; i < environment->diagram->parameters.size(); ++i)
            if (environment->diagram->parameters[i].name == symbol.name && environment->values[i])
                return fmt::format("value: {}{}\n", value_words(*environment->values[i]),
                                   symbol.scope == 0 ? "" : " (of its first instance)");
        return "";
    }

    // What is written as an expression of parameters, as numbers.
    std::string arguments(const Symbol& symbol) const {
        const front::Template* shape = shape_of(symbol.scope);
        if (!shape) return "";
        std::string text;
        for (const auto& block : shape->diagram->blocks) {
            if (block.name != symbol.name) continue;
            for (const auto& argument : block.arguments) text += argument_value(argument, *shape);
        }
        return text;
    }

    std::string argument_value(const front::ArgumentDeclaration& argument,
                               const front::Template& shape) const {
        if (!argument.formula.source || argument.formula.source->is_number()) return "";
        front::Report report(model_->sources);
        try {
            const Number value = front::evaluate(argument.formula, *shape.environment, report);
            return fmt::format("\n`{}` is {}\n", argument.entry->key, value_words(value));
        } catch (const front::Reported&) {  // a signal
            return "";
        }
    }

    // How regular a signal of the model is, and what it is at the start.
    std::string behaviour(const Symbol& symbol) const {
        if (!model_ || symbol.scope != 0 || symbol.kind != SymbolKind::block || symbol.inside != nothing)
            return "";
        std::string text;
        try {
            LoadOptions one;
            one.record = {symbol.name};
            const FlatModel model = with(*model_, one);
            for (const auto& [name, regularity] : check(model).signals)
                if (name == symbol.name) text += fmt::format("\nregularity: {}\n", regularity);
            const Model held = Model::parse(project_.documents[0].text.string(), project_.documents[0].path)
                                   .recording({symbol.name});
            Simulation simulation(held);
            text += fmt::format("\nat t = {}: {}\n", report::number_text(simulation.time()),
                                report::number_text(simulation.value(symbol.name)));
        } catch (const std::exception&) {  // it cannot begin; the problems say why
        }
        return text;
    }

    const Project& project_;
    const Names& names_;
    std::optional<FlatModel> model_;
};

std::optional<Hover> hover_type(const Context& context) {
    if (!context.member || context.member->key != "type" || !context.string || context.rest.size() != 2)
        return std::nullopt;
    const std::string& type = context.string->text;
    std::string text;
    const BlockType* block = find_block_type(type);
    const auto* element = bonds::find_element_type(type);
    if (context.rest[0] == "blocks" && block) text = describe_block_type(*block);
    if (context.rest[0] == "elements" && element) text = bonds::describe_element_type(*element);
    for (const auto& pole : bonds::poles())
        if (pole.type == type && bonds::table_of(pole.domain) == context.rest[0])
            text = bonds::describe_pole_type(pole);
    if (text.empty()) return std::nullopt;
    return Hover{code(text), context.string->inside};
}

std::optional<Hover> hover_key(const Names& names, const Context& context, std::size_t offset) {
    if (!context.member || context.part != Context::Part::key || context.rest.empty()) return std::nullopt;
    const Span span = context.member->mentions.back();
    if (!span.contains(offset)) return std::nullopt;
    for (const KeyInfo& key : keys_of(names, context.scope, context.rest, *context.table))
        if (key.name == context.member->key && !key.about.empty())
            return Hover{fmt::format("`{}`: {}\n", key.name, escaped(key.about)), span};
    return std::nullopt;
}

}  // namespace

std::optional<Hover> hover(const Project& project, std::size_t offset) {
    const Names names = find_names(project);
    if (const Mention* mention = names.at(0, offset))
        return Hover{Teller(project, names).tell(names.symbols[mention->symbol]), mention->span};
    const Context context = context_at(project, names, offset);
    if (auto type = hover_type(context)) return type;
    return hover_key(names, context, offset);
}

}  // namespace deltaflow::editor
