// The catalogue as text.
#include "blocks/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace deltaflow {

namespace {

std::string joined(const std::vector<std::string>& parts, std::string_view between) {
    std::string text;
    for (const std::string& part : parts) text.append(text.empty() ? "" : between).append(part);
    return text;
}

std::string quoted(std::string_view text) { return fmt::format("\"{}\"", text); }

std::vector<std::string> quoted_all(const std::vector<std::string_view>& texts) {
    std::vector<std::string> all;
    for (const std::string_view text : texts) all.push_back(quoted(text));
    return all;
}

std::string list(const std::vector<std::string_view>& texts) {
    return fmt::format("[{}]", joined(quoted_all(texts), ", "));
}

// in = "u", in = ["a", "b"], if = "c"
std::vector<std::string> input_texts(const BlockType& type, const std::vector<std::string_view>& signals) {
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < type.inputs.size() && i < signals.size(); ++i) {
        const Port& port = type.inputs[i];
        texts.push_back(fmt::format("{} = {}", port.name, port.many ? list(signals) : quoted(signals[i])));
    }
    return texts;
}

std::string kind_text(const Parameter& p) {
    switch (p.kind) {
        case ParameterKind::number:
            return "number";
        case ParameterKind::numbers:
            return "list of numbers";
        case ParameterKind::matrix:
            return "matrix";
        case ParameterKind::choice:
            return joined(quoted_all(p.choices), ", ");
        case ParameterKind::text:
            return "text";
        case ParameterKind::label:
            return "name or number";
        case ParameterKind::file:
            return "file";
        case ParameterKind::train:
            return "list of tables";
    }
    return "";
}

std::string fallback_text(const Parameter& p) {
    if (p.fallback.empty()) return p.required ? "" : "(optional)";
    return fmt::format("= {}", p.kind == ParameterKind::text ? quoted(p.fallback) : std::string(p.fallback));
}

std::string parameter_text(const Parameter& p) {
    std::string text = fmt::format("{} {}", p.name, fallback_text(p));
    while (text.back() == ' ') text.pop_back();
    const std::string kind = p.kind == ParameterKind::number ? "" : fmt::format(" ({})", kind_text(p));
    return fmt::format("{:<22} {}{}", text, p.about, kind);
}

std::vector<std::string> port_texts(const BlockType& type) {
    std::vector<std::string> texts;
    for (const Port& port : type.inputs)
        texts.push_back(port.many ? fmt::format("{} = [\"a\", \"b\", ...]", port.name)
                                  : std::string(port.name));
    return texts;
}

std::vector<std::string> parameter_texts(const BlockType& type) {
    std::vector<std::string> texts;
    for (const Parameter& p : type.parameters) texts.push_back(parameter_text(p));
    return texts;
}

std::string result_text(const Example& e) {
    return e.fails.empty() ? std::string(e.out) : fmt::format("an error: ... {} ...", e.fails);
}

std::vector<std::string> example_texts(const BlockType& type) {
    std::vector<std::string> texts;
    for (const Example& e : type.examples) {
        texts.push_back(example_block(type, e));
        texts.push_back(fmt::format("    at t = 1: {}", result_text(e)));
    }
    return texts;
}

bool mentions(const BlockType& type, std::string_view letters) {
    return std::any_of(type.examples.begin(), type.examples.end(), [&](const Example& e) {
        return std::any_of(e.in.begin(), e.in.end(), [&](std::string_view text) {
            return text.find_first_of(letters) != std::string_view::npos;
        });
    });
}

// A row of a table: name, default, meaning.
std::string markdown_row(const Parameter& p) {
    const std::string kind = p.kind == ParameterKind::number ? "" : fmt::format(" ({})", kind_text(p));
    std::string fallback = fallback_text(p);
    if (fallback.starts_with("= ")) fallback = fmt::format("`{}`", fallback.substr(2));
    return fmt::format("| `{}` | {} | {}{} |\n", p.name, fallback, p.about, kind);
}

std::string markdown_examples(const BlockType& type) {
    std::string text;
    for (const std::string& line : example_texts(type)) text += line + "\n";
    return text.empty() ? text : fmt::format("\n```\n{}```\n", text);
}

std::string markdown_inputs(const BlockType& type) {
    std::vector<std::string> texts;
    for (const std::string& port : port_texts(type)) texts.push_back(fmt::format("`{}`", port));
    return texts.empty() ? "" : fmt::format("Inputs: {}\n\n", joined(texts, ", "));
}

std::string markdown_of(const BlockType& type) {
    std::string text = fmt::format("\n### {}\n\n{}\n\n{}", type.type, type.about, markdown_inputs(type));
    text += fmt::format("Rule: `{}`\n", type.rule);
    if (!type.parameters.empty()) text += "\n| parameter | default | |\n|---|---|---|\n";
    for (const Parameter& p : type.parameters) text += markdown_row(p);
    return text + markdown_examples(type);
}

}  // namespace

std::string described(std::string_view heading, const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines)
        text += fmt::format("  {:<11} {}\n", text.empty() ? heading : "", line);
    return text;
}

std::string example_block(const BlockType& type, const Example& example) {
    std::vector<std::string> parts{fmt::format("type = \"{}\"", type.type)};
    for (std::string& text : input_texts(type, example.in)) parts.push_back(std::move(text));
    if (!example.parameters.empty()) parts.emplace_back(example.parameters);
    return fmt::format("{{ {} }}", joined(parts, ", "));
}

std::string describe_catalogue() {
    std::string text;
    std::string_view group;
    for (const BlockType& type : catalogue()) {
        if (type.group != group) text += fmt::format("{}{}\n", group.empty() ? "" : "\n", type.group);
        group = type.group;
        text += fmt::format("  {:<18} {}\n", type.type, type.about);
    }
    return text;
}

std::string describe_block_type(const BlockType& type) {
    std::string text = fmt::format("{} ({})\n  {}\n\n", type.type, type.group, type.about);
    text += described("rule", {std::string(type.rule)});
    text += described("inputs", port_texts(type));
    text += described("parameters", parameter_texts(type));
    text += described("examples", example_texts(type));
    if (mentions(type, "Hd"))
        text += "\n  H is a unit step at 1; d, d1, d2 are delta and its derivatives there.\n";
    return text;
}

std::string catalogue_markdown() {
    std::string text;
    std::string_view group;
    for (const BlockType& type : catalogue()) {
        if (type.group != group) text += fmt::format("\n## {}\n", type.group);
        group = type.group;
        text += markdown_of(type);
    }
    return text;
}

std::string markdown_contents() {
    std::string text;
    std::string_view group;
    for (const BlockType& type : catalogue()) {
        if (type.group != group) text += fmt::format("\n- [{}](#{}):", type.group, type.group);
        group = type.group;
        text += fmt::format(" [{}](#{})", type.type, type.type);
    }
    return text;
}

}  // namespace deltaflow
