// Expressions such as "-(1 + e) * pre(v) * hit": text to tree.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace deltaflow {

// A node of the tree. `text` is the number's or name's or function's text, or the operator:
// + - * / ^ neg < <= > >= == != and or not. Offsets point into the parsed string.
struct Expression {
    enum class Kind : std::uint8_t { number, name, operation, call } kind = Kind::number;
    std::string text;
    std::vector<Expression> arguments;
    std::uint32_t offset = 0, length = 0;
};

struct ExpressionError : std::runtime_error {
    ExpressionError(std::uint32_t offset_, std::uint32_t length_, const std::string& message)
        : std::runtime_error(message), offset(offset_), length(length_) {}
    std::uint32_t offset, length;
};

// Names are identifiers with [index] and .member parts: many[3].x, many[i + 1].x; whoever looks a name up
// reads its indices. Binding, tightest first: ^ (right), unary -, * /, + -, comparison, not, and, or. Throws
// ExpressionError.
Expression parse_expression(std::string_view text);

}  // namespace deltaflow
