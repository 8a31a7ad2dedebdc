// The TOML that models are made of, in one pass: bare keys, strings without escapes, decimal numbers, lists,
// tables. Whatever is written otherwise, and every mistake, is left to those who know all of TOML.
#include "engine/front/read/text.hpp"

#include <algorithm>
#include <charconv>

namespace deltaflow::front {
namespace {

constexpr std::size_t most_headers = 1000;        // each looks for its table among those before it
constexpr std::size_t short_digits = 18;          // so many always make an std::int64_t
constexpr int most_levels = deepest_nesting / 4;  // with a dot each, and those of a header

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_printed(char c) { return c >= 0x20 && c < 0x7F; }
bool is_of_key(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '-';
}
bool ends_value(char c) { return is_blank(c) || c == '\n' || c == ',' || c == ']' || c == '}' || c == '#'; }

bool stands_before(const Place& a, const Place& b) { return a.line == b.line && a.column < b.column; }

// Of a header: its place begins before its key.
bool is_headed(const Entry& entry) {
    return entry.value.kind == Value::Kind::table && stands_before(entry.value.place, entry.place);
}

bool has_twins(const Value& table) {
    std::vector<std::string_view> keys;
    keys.reserve(table.entries.size());
    for (const Entry& entry : table.entries) keys.push_back(entry.key);
    std::sort(keys.begin(), keys.end());
    return std::adjacent_find(keys.begin(), keys.end()) != keys.end();
}

bool has_twins_inside(const Value& table) {
    return has_twins(table) ||
           std::any_of(table.entries.begin(), table.entries.end(),
                       [](const Entry& entry) { return is_headed(entry) && has_twins_inside(entry.value); });
}

std::size_t skip_digits(std::string_view word, std::size_t at) {
    while (at < word.size() && is_digit(word[at])) ++at;
    return at;
}

class PlainReader {
public:
    PlainReader(std::string_view text, std::uint32_t file) : text_(text), file_(file) {}

    std::optional<Value> read() {
        // With the last line closed, a value always has an end.
        if (std::count(text_.begin(), text_.end(), '\n') < 2 || text_.back() != '\n') return {};
        Value root;
        root.place = {file_, 1, 1, 1};
        Value* table = &root;
        while (at_ < text_.size()) {
            skip_blanks();
            if (is_of_key(text_[at_])) {
                if (!entry(*table, 0)) return {};
            } else if (text_[at_] == '[') {
                table = header(root);
                if (!table) return {};
            }
            if (!end_line()) return {};
        }
        if (has_twins_inside(root)) return {};
        return root;
    }

private:
    Place here() const { return {file_, line_, static_cast<std::uint32_t>(at_ - line_begin_ + 1), 1}; }
    // A place that ends here; one that began on another line has no length.
    void close(Place& place) const {
        if (place.line == line_) place.length = here().column - place.column;
    }
    void skip_blanks() {
        while (is_blank(text_[at_])) ++at_;
    }
    bool take(char c) {
        if (text_[at_] != c) return false;
        ++at_;
        return true;
    }
    void end_of_line() {
        ++at_;
        ++line_;
        line_begin_ = at_;
    }
    // Blanks, a comment, and the end of the line.
    bool end_line() {
        skip_blanks();
        if (text_[at_] == '#')
            while (is_printed(text_[at_]) || text_[at_] == '\t') ++at_;
        if (text_[at_] != '\n') return false;
        end_of_line();
        return true;
    }

    bool key(std::string& name, Place& place) {
        place = here();
        const std::size_t first = at_;
        while (is_of_key(text_[at_])) ++at_;
        name = text_.substr(first, at_ - first);
        close(place);
        return !name.empty();
    }

    // key = value
    bool entry(Value& table, int depth) {
        Entry& entry = table.entries.emplace_back();
        if (!key(entry.key, entry.place)) return false;
        skip_blanks();
        if (!take('=')) return false;
        skip_blanks();
        return value(entry.value, depth);
    }

    bool value(Value& value, int depth) {
        if (depth > most_levels) return false;
        value.place = here();
        const char c = text_[at_];
        const bool read = c == '"' || c == '\'' ? string(value, c)
                          : c == '['            ? list(value, depth)
                          : c == '{'            ? braces(value, depth)
                                                : word(value);
        close(value.place);
        return read;
    }

    bool string(Value& value, char quote) {
        const std::size_t first = ++at_;
        while (is_printed(text_[at_]) && text_[at_] != quote && (quote == '\'' || text_[at_] != '\\')) ++at_;
        value.kind = Value::Kind::string;
        value.text = text_.substr(first, at_ - first);
        return take(quote) && (at_ > first + 1 || text_[at_] != quote);  // three of them begin another kind
    }

    // Blanks, comments and ends of lines.
    bool skip_lines() {
        for (skip_blanks(); text_[at_] == '#' || text_[at_] == '\n'; skip_blanks())
            if (!end_line() || at_ == text_.size()) return false;
        return true;
    }

    bool list(Value& value, int depth) {
        value.kind = Value::Kind::array;
        ++at_;
        if (!skip_lines()) return false;
        while (text_[at_] != ']') {
            if (!this->value(value.items.emplace_back(), depth + 1) || !skip_lines()) return false;
            if (text_[at_] != ']' && !(take(',') && skip_lines())) return false;
        }
        ++at_;
        return true;
    }

    bool braces(Value& value, int depth) {
        value.kind = Value::Kind::table;
        ++at_;
        skip_blanks();
        if (take('}')) return true;
        do {
            skip_blanks();
            if (!entry(value, depth + 1)) return false;
            skip_blanks();
        } while (take(','));
        return take('}') && !has_twins(value);
    }

    bool word(Value& value) {
        const std::size_t first = at_;
        while (!ends_value(text_[at_]) && is_printed(text_[at_])) ++at_;
        if (!ends_value(text_[at_])) return false;
        const std::string_view word = text_.substr(first, at_ - first);
        if (word != "true" && word != "false") return number(word, value);
        value.kind = Value::Kind::boolean;
        value.integer = word == "true" ? 1 : 0;
        return true;
    }

    static bool number(std::string_view word, Value& value) {
        const bool minus = word.starts_with('-');
        if (minus || word.starts_with('+')) word.remove_prefix(1);
        const std::size_t whole = skip_digits(word, 0);
        if (whole == 0 || whole > short_digits || (whole > 1 && word[0] == '0')) return false;
        if (whole == word.size()) {
            std::from_chars(word.data(), word.data() + whole, value.integer);
            if (minus) value.integer = -value.integer;
            value.kind = Value::Kind::integer;
            value.real = static_cast<double>(value.integer);
            return true;
        }
        return real(word, whole, minus, value);
    }

    static bool real(std::string_view word, std::size_t at, bool minus, Value& value) {
        if (word[at] == '.') {
            const std::size_t last = skip_digits(word, at + 1);
            if (last == at + 1) return false;
            at = last;
        }
        if (at < word.size() && (word[at] == 'e' || word[at] == 'E')) {
            const bool sign = at + 1 < word.size() && (word[at + 1] == '-' || word[at + 1] == '+');
            const std::size_t first = at + (sign ? 2 : 1);
            at = skip_digits(word, first);
            if (at == first) return false;
        }
        if (at != word.size()) return false;
        value.kind = Value::Kind::real;
#ifdef __cpp_lib_to_chars
        if (std::from_chars(word.data(), word.data() + at, value.real).ec != std::errc{}) return false;
        if (minus) value.real = -value.real;
        return true;
#else
        static_cast<void>(minus);
        return false;
#endif
    }

    // [a.b]: the table, which must be a new one; nothing where it is not as simple as that.
    Value* header(Value& root) {
        if (++headers_ > most_headers) return nullptr;
        Place whole = here();
        std::vector<Entry> keys;
        do {
            ++at_;  // [ or .
            skip_blanks();
            Entry& next = keys.emplace_back();
            if (!key(next.key, next.place) || keys.size() > most_levels) return nullptr;
            skip_blanks();
        } while (text_[at_] == '.');
        if (!take(']')) return nullptr;
        close(whole);
        Value* table = &root;
        for (std::size_t i = 0; i < keys.size(); ++i) {
            const auto found = std::find_if(table->entries.begin(), table->entries.end(),
                                            [&](const Entry& entry) { return entry.key == keys[i].key; });
            const bool fresh = found == table->entries.end();
            if (!fresh && (i + 1 == keys.size() || !is_headed(*found))) return nullptr;
            if (fresh) keys[i].value.place = whole;
            table = fresh ? &table->entries.emplace_back(std::move(keys[i])).value : &found->value;
        }
        return table;
    }

    std::string_view text_;
    std::uint32_t file_;
    std::size_t at_ = 0, line_begin_ = 0, headers_ = 0;
    std::uint32_t line_ = 1;
};

}  // namespace

std::optional<Value> parse_plain(std::string_view text, std::uint32_t file) {
    return PlainReader(text, file).read();
}

std::optional<Value> parse_document(std::string_view text, std::uint32_t file, Diagnostic& error) {
    if (text.size() <= largest_file)
        if (auto plain = parse_plain(text, file)) return plain;
    if (auto wrong = check_text(text, file)) {
        error = std::move(*wrong);
        return {};
    }
    return parse_any(text, file, error);
}

}  // namespace deltaflow::front
