// The catalogue of two-poles as text, and as parts of the JSON schema.
#include "blocks/catalogue.hpp"
#include "bonds/describe.hpp"

#include <fmt/format.h>

namespace deltaflow::bonds {

namespace {

bool has_secondary(const PoleType& type) { return type.type == "transformer"; }

std::vector<ElementParameter> keys_of(const PoleType& type) {
    const bool circuit = type.domain == Domain::circuit;
    const std::string_view ends = type.ends == "at"      ? "the point"
                                  : type.ends == "coils" ? "two inductors: \"l1 l2\""
                                  : circuit              ? "its nodes: \"a ground\""
                                                         : "its points: \"x1 ground\"";
    std::vector<ElementParameter> keys{{.name = type.ends, .about = ends}};
    if (has_secondary(type)) keys.push_back({.name = "secondary", .about = "the nodes of the other side"});
    for (const PoleParameter& p : type.parameters) keys.push_back(p.key);
    return keys;
}

std::string joined(const std::vector<std::string_view>& words) {
    std::string text;
    for (const std::string_view word : words) text += fmt::format("{}{}", text.empty() ? "" : ", ", word);
    return text;
}

std::string markdown_of(const PoleType& type) {
    std::string text = fmt::format("\n### {} ({})\n\n{}\n\nRule: `{}`\n\n", type.type, table_of(type.domain),
                                   type.about, type.rule);
    text += fmt::format("Becomes: `{}`. Signals: {}.\n\n| key | default | |\n|---|---|---|\n", type.element,
                        type.signals.empty() ? "none" : joined(type.signals));
    for (const ElementParameter& p : keys_of(type)) text += markdown_row(p);
    return text + fmt::format("\n```\n{}\n```\n", type.example);
}

}  // namespace

std::string describe_poles() {
    std::string text;
    for (const Domain domain : {Domain::circuit, Domain::mechanics}) {
        text += fmt::format("{}{}\n", text.empty() ? "" : "\n", table_of(domain));
        for (const PoleType& type : poles())
            if (type.domain == domain) text += fmt::format("  {:<18} {}\n", type.type, type.about);
    }
    return text;
}

std::string describe_pole_type(const PoleType& type) {
    std::string text = fmt::format("{} ({})\n  {}\n\n", type.type, table_of(type.domain), type.about);
    text += described("rule", {std::string(type.rule)});
    std::vector<std::string> keys;
    for (const ElementParameter& p : keys_of(type)) keys.push_back(parameter_text(p));
    text += described("keys", keys);
    if (!type.signals.empty()) text += described("signals", {joined(type.signals)});
    text += described("becomes", {std::string(type.element)});
    text += described("example", {std::string(type.example)});
    return text;
}

std::string markdown_of_poles() {
    std::string text;
    for (const PoleType& type : poles()) text += markdown_of(type);
    return text;
}

void add_pole_schemas(schema_text::Members& definitions) {
    using namespace schema_text;
    for (const Domain domain : {Domain::circuit, Domain::mechanics}) {
        const std::string prefix = fmt::format("{}_", table_of(domain));
        std::vector<std::string_view> types;
        for (const PoleType& type : poles()) {
            if (type.domain != domain) continue;
            types.push_back(type.type);
            Members properties{{"type", object({{"const", string(type.type)}})}};
            std::vector<std::string_view> required{"type"};
            for (const ElementParameter& p : keys_of(type)) {
                const bool ends = p.name == type.ends || p.name == "secondary";
                properties.emplace_back(p.name, ends ? of_type("string") : parameter_schema(p));
                if (type.type == "force" && ends) properties.emplace_back("between", of_type("string"));
                if (p.required && p.fallback.empty() && !(type.type == "force" && ends))
                    required.push_back(p.name);
            }
            definitions.emplace_back(
                prefix + std::string(type.type),
                annotated(table(properties, required), {{"description", string(type.about)}}));
        }
        definitions.emplace_back(table_of(domain), map_of(by_type(prefix, types)));
    }
}

}  // namespace deltaflow::bonds
