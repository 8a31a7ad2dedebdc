// The catalogue of elements as text.
#include "bonds/describe.hpp"
#include "blocks/catalogue.hpp"
#include "bonds/catalogue.hpp"

#include <fmt/format.h>

#include <cctype>

namespace deltaflow::bonds {

namespace {

std::string joins_text(Joins joins) {
    switch (joins) {
        case Joins::one:
            return "one";
        case Joins::in_and_out:
            return "one that leads to it, one that leads away";
        case Joins::some:
            return "one or more";
        case Joins::one_or_two:
            return "one, or one in and one out between two junctions of one kind";
    }
    return "";
}

std::vector<std::string> parameter_texts(const ElementType& type) {
    std::vector<std::string> texts;
    for (const ElementParameter& p : type.parameters) texts.push_back(parameter_text(p));
    return texts;
}

std::string signal_text(const ElementType& type) {
    if (type.signals.empty()) return "none; its bonds have them";
    std::string text;
    for (const Signal s : type.signals) text += fmt::format("{}{}", text.empty() ? "" : ", ", name_of(s));
    return text;
}

std::string markdown_of(const ElementType& type) {
    std::string text = fmt::format("\n### {}\n\n{}\n\nRule: `{}`\n\n", type.type, type.about, type.rule);
    text += fmt::format("Bonds: {}. Signals: {}.\n", joins_text(type.joins), signal_text(type));
    text += "\n| parameter | default | |\n|---|---|---|\n";
    for (const ElementParameter& p : type.parameters) text += markdown_row(p);
    return text + fmt::format("\n```\n{}\n```\n", type.example);
}

// As headings are linked to: in small letters.
std::string anchor_of(const ElementType& type) {
    std::string text(type.type);
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

constexpr const char* introduction = R"(# Blocks and elements

What a model may be made of. The program prints this page (`deltaflow blocks --markdown`), and every example is run
as a test: the block stands between sources, and its output at t = 1 is shown as `left | right + impulses`. There H is
a unit step at 1, and d, d1, d2 are delta, delta' and delta'' at 1. Numbers such as (003:31) are equations of the
[papers](mathematics.md#papers). A parameter without a default has to be given, unless it is optional.
)";

}  // namespace

std::string parameter_text(const ElementParameter& p) {
    std::string name(p.name);
    if (!p.fallback.empty())
        name += fmt::format(" = {}", p.fallback);
    else if (!p.required)
        name += " (optional)";
    return fmt::format("{:<22} {}", name, p.about);
}

std::string markdown_row(const ElementParameter& p) {
    const std::string fallback = p.fallback.empty() ? "" : fmt::format("`{}`", p.fallback);
    return fmt::format("| `{}` | {} | {} |\n", p.name, p.required ? fallback : "(optional)", p.about);
}

std::string describe_elements() {
    std::string text = "elements\n";
    for (const ElementType& type : elements()) text += fmt::format("  {:<18} {}\n", type.type, type.about);
    return text;
}

std::string describe_element_type(const ElementType& type) {
    std::string text = fmt::format("{} (elements)\n  {}\n\n", type.type, type.about);
    text += described("rule", {std::string(type.rule)});
    text += described("bonds", {joins_text(type.joins)});
    text += described("parameters", parameter_texts(type));
    text += described("signals", {signal_text(type)});
    text += described("example", {std::string(type.example)});
    return text;
}

std::string manual_page() {
    std::string text = introduction + markdown_contents() + "\n- [elements](#elements):";
    for (const ElementType& type : elements()) text += fmt::format(" [{}](#{})", type.type, anchor_of(type));
    text += "\n" + catalogue_markdown() + "\n## elements\n";
    for (const ElementType& type : elements()) text += markdown_of(type);
    text +=
        "\n## circuits and mechanics\n\nTwo-poles that stand under `[circuit]` and `[mechanics]`, see "
        "[circuits](circuits.md).\n";
    return text + markdown_of_poles();
}

}  // namespace deltaflow::bonds
