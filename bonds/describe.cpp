// The catalogue of elements as text.
#include "blocks/catalogue.hpp"
#include "bonds/catalogue.hpp"

#include <fmt/format.h>

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
    }
    return "";
}

std::string parameter_text(const ElementParameter& p) {
    std::string name(p.name);
    if (!p.fallback.empty())
        name += fmt::format(" = {}", p.fallback);
    else if (!p.required)
        name += " (optional)";
    return fmt::format("{:<22} {}", name, p.about);
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

}  // namespace

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

}  // namespace deltaflow::bonds
