#include "blocks/schema_text.hpp"

#include <fmt/format.h>

namespace deltaflow::schema_text {

std::string reference(std::string_view name) {
    return object({{"$ref", string(fmt::format("#/$defs/{}", name))}});
}

std::string of_type(std::string_view type) { return object({{"type", string(type)}}); }

std::string array_of(const std::string& items, int at_least) {
    return object({{"type", string("array")}, {"items", items}, {"minItems", fmt::format("{}", at_least)}});
}

std::string any_of(const std::vector<std::string>& schemas) { return object({{"anyOf", array(schemas)}}); }

std::string one_of_words(const std::vector<std::string_view>& words) {
    std::vector<std::string> items;
    for (const std::string_view word : words) items.push_back(string(word));
    return object({{"enum", array(items)}});
}

std::string map_of(const std::string& schema) {
    return object({{"type", string("object")}, {"additionalProperties", schema}});
}

std::string table(const Members& properties, const std::vector<std::string_view>& required) {
    std::vector<std::string> names;
    for (const std::string_view name : required) names.push_back(string(name));
    return object({{"type", string("object")},
                   {"properties", object(properties)},
                   {"required", array(names)},
                   {"additionalProperties", "false"}});
}

std::string annotated(const std::string& schema, const Members& keywords) {
    std::string text = schema.substr(0, schema.size() - 1);
    for (const auto& [key, value] : keywords) text += fmt::format(",{}:{}", string(key), value);
    return text + "}";
}

std::string by_type(std::string_view prefix, const std::vector<std::string_view>& types) {
    std::vector<std::string> cases;
    for (const std::string_view type : types) {
        const std::string named = object({{"type", object({{"const", string(type)}})}});
        cases.push_back(object({{"if", object({{"properties", named}, {"additionalProperties", "true"}})},
                                {"then", reference(fmt::format("{}{}", prefix, type))}}));
    }
    return object({{"type", string("object")},
                   {"properties", object({{"type", of_type("string")}})},
                   {"required", array({string("type")})},
                   {"additionalProperties", "true"},  // or strict readers take no key but the type
                   {"allOf", array(cases)}});
}

}  // namespace deltaflow::schema_text
