// The words of JSON schemas: each function gives a schema.
#pragma once

#include "blocks/json_text.hpp"

namespace deltaflow::schema_text {

using json_text::array;
using json_text::Members;
using json_text::object;
using json_text::string;

std::string reference(std::string_view name);  // to a definition
std::string of_type(std::string_view type);
std::string array_of(const std::string& items, int at_least = 0);
std::string any_of(const std::vector<std::string>& schemas);
std::string one_of_words(const std::vector<std::string_view>& words);
std::string map_of(const std::string& schema);

// A table with these keys and no others.
std::string table(const Members& properties, const std::vector<std::string_view>& required = {});

// A table whose `type` chooses among definitions, all called prefix + type; it may be another type, too.
std::string by_type(std::string_view prefix, const std::vector<std::string_view>& types);

// `schema` with further keywords.
std::string annotated(const std::string& schema, const Members& keywords);

}  // namespace deltaflow::schema_text
