#include "blocks/tokens.hpp"

#include "blocks/expression.hpp"
#include "blocks/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace deltaflow {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_word(char c) { return is_letter(c) || is_digit(c); }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// What may stand in an expression, longest first.
constexpr std::array<std::string_view, 14> symbols{"<=", ">=", "==", "!=", "+", "-", "*",
                                                   "/",  "^",  "(",  ")",  ",", "<", ">"};

// What other languages write, and what to write here.
struct Habit {
    std::string_view written, advice;
};
constexpr std::array<Habit, 8> habits{{
    {"**", "powers are written a^b"},
    {"&&", "write \"and\""},
    {"||", "write \"or\""},
    {"%", "write mod(x, m)"},
    {"!", "write \"not\", or != to compare"},
    {"=", "write == to compare"},
    {"[", "an index belongs to a name: many[3].x"},
    {"]", "an index belongs to a name: many[3].x"},
}};

// Reads characters of one string; each `take` gives how many belong together.
class Scanner {
public:
    Scanner(std::string_view text, std::size_t offset) : text_(text), begin_(offset) {
        while (begin_ < text_.size() && is_space(text_[begin_])) ++begin_;
        at_ = begin_;
    }

    Token token() {
        if (begin_ == text_.size()) return make(Token::Kind::end);
        if (is_digit(peek()) || (peek() == '.' && is_digit(peek(1)))) return number();
        if (is_letter(peek())) return name();
        return symbol();
    }

private:
    char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

    template <class Is>
    void skip(Is is) {
        while (at_ < text_.size() && is(text_[at_])) ++at_;
    }

    Token make(Token::Kind kind) const {
        return {kind, text_.substr(begin_, at_ - begin_), static_cast<std::uint32_t>(begin_)};
    }

    [[noreturn]] void fail(std::size_t length, const std::string& message) const {
        throw ExpressionError(static_cast<std::uint32_t>(begin_), static_cast<std::uint32_t>(length),
                              message);
    }

    // 1, 1.5, .5, 1e-3
    Token number() {
        skip(is_digit);
        if (peek() == '.') {
            ++at_;
            skip(is_digit);
        }
        if (peek() == 'e' || peek() == 'E') exponent();
        if (at_ - begin_ > limits::literal_length) fail(at_ - begin_, "the number has too many digits");
        return make(Token::Kind::number);
    }

    // Only with digits: 2e is 2 and e.
    void exponent() {
        const std::size_t sign = peek(1) == '+' || peek(1) == '-' ? 1 : 0;
        if (!is_digit(peek(1 + sign))) return;
        at_ += 1 + sign;
        skip(is_digit);
    }

    // word, then .word and [index] as often as they come
    Token name() {
        skip(is_word);
        while (true) {
            if (peek() == '.' && is_letter(peek(1))) {
                ++at_;
                skip(is_word);
            } else if (!index()) {
                break;
            }
        }
        const Token token = make(Token::Kind::name);
        const bool keyword = token.text == "and" || token.text == "or" || token.text == "not";
        return keyword ? make(Token::Kind::symbol) : token;
    }

    // [3], or an expression of numbers: [i + 1]
    bool index() {
        if (peek() != '[') return false;
        std::size_t length = 1;
        bool blank = true;
        while (belongs_to_index(peek(length))) blank = is_space(peek(length++)) && blank;
        if (blank || peek(length) != ']') return false;
        at_ += length + 1;
        return true;
    }

    static bool belongs_to_index(char c) {
        return is_word(c) || is_space(c) ||
               (c != '\0' && std::string_view("+-*/^().,").find(c) != std::string_view::npos);
    }

    Token symbol() {
        const std::string_view rest = text_.substr(begin_);
        const auto habit = std::find_if(habits.begin(), habits.end(), [&](const Habit& h) {
            return rest.substr(0, h.written.size()) == h.written;
        });
        const auto found = std::find_if(symbols.begin(), symbols.end(),
                                        [&](std::string_view s) { return rest.substr(0, s.size()) == s; });
        const std::size_t length = found == symbols.end() ? 0 : found->size();
        if (habit != habits.end() && habit->written.size() >= length)
            fail(habit->written.size(), fmt::format("unexpected \"{}\"; {}", habit->written, habit->advice));
        if (length == 0) unknown(rest);
        at_ += length;
        return make(Token::Kind::symbol);
    }

    // Shows a whole UTF-8 character.
    [[noreturn]] void unknown(std::string_view rest) const {
        std::size_t length = 1;
        while (length < rest.size() && (static_cast<unsigned char>(rest[length]) & 0xC0) == 0x80) ++length;
        const auto byte = static_cast<unsigned char>(rest.front());
        if (byte < ' ' || byte == 0x7F)
            fail(1, fmt::format("there is no character {:#04x} in expressions", byte));
        fail(length, fmt::format("there is no character \"{}\" in expressions", rest.substr(0, length)));
    }

    std::string_view text_;
    std::size_t begin_, at_ = 0;
};

}  // namespace

Token read_token(std::string_view text, std::size_t offset) { return Scanner(text, offset).token(); }

}  // namespace deltaflow
