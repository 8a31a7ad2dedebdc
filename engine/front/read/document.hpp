// A model file as a tree of values that know where they stand.
#pragma once

#include "engine/model/source.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace deltaflow::front {

struct Entry;

struct Value {
    enum class Kind : std::uint8_t { string, integer, real, boolean, date, array, table };
    Kind kind = Kind::table;
    Place place;
    std::string text;            // of a string
    double real = 0;             // of an integer or a real
    std::int64_t integer = 0;    // of an integer
    std::vector<Value> items;    // of an array
    std::vector<Entry> entries;  // of a table, in the order of the file

    bool is_number() const { return kind == Kind::integer || kind == Kind::real; }
};

struct Entry {
    std::string key;
    Place place;  // of the key
    Value value;
};

const Entry* find(const Value& table, std::string_view key);

// "a string", "a table", ... for messages.
std::string_view kind_name(const Value& value);

// Where the lines of a file begin, for those who ask for many places in it.
class Lines {
public:
    explicit Lines(std::string_view text);
    std::size_t begin(std::uint32_t line) const {
        if (line == 0) return 0;  // of no file
        return line <= begins_.size() ? begins_[line - 1] : end_;
    }

private:
    std::vector<std::size_t> begins_{0};
    std::size_t end_;
};

// Where a part of a string's text stands in the file.
Place place_in(const Sources& sources, const Value& string, std::uint32_t offset, std::uint32_t length);
Place place_in(std::string_view file, const Lines& lines, const Value& string, std::uint32_t offset,
               std::uint32_t length);

// Reads TOML. Gives nothing and a diagnostic if the text is no TOML.
std::optional<Value> parse_document(std::string_view text, std::uint32_t file, Diagnostic& error);

}  // namespace deltaflow::front
