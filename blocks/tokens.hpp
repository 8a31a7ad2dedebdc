// The tokens of an expression.
#pragma once

#include <cstdint>
#include <string_view>

namespace deltaflow {

struct Token {
    enum class Kind : std::uint8_t { number, name, symbol, end } kind = Kind::end;
    std::string_view text;
    std::uint32_t offset = 0;

    bool is(std::string_view symbol) const { return kind == Kind::symbol && text == symbol; }
    std::uint32_t length() const { return static_cast<std::uint32_t>(text.size()); }
};

// The first token of `text` at or after `offset`; and, or, not are symbols. Throws ExpressionError.
Token read_token(std::string_view text, std::size_t offset);

}  // namespace deltaflow
