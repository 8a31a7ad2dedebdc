// Limits of expressions and block types, each with its reason.
#pragma once

#include <cstddef>
#include <cstdint>

namespace deltaflow::limits {

// Parentheses, powers and signs within each other: deeper ones are no formula, and would exhaust the stack.
inline constexpr int expression_depth = 200;
// Numbers, names and operators of one expression; a longer one is several blocks.
inline constexpr int expression_size = 10000;
// Digits of a literal: a double has 17.
inline constexpr int literal_length = 1000;
// Bits of a numerator or denominator: beyond them exact fractions cost more than they are worth.
inline constexpr unsigned fraction_bits = 4096;
// u^n takes about log2(n) products; above this, rounding has eaten the result.
inline constexpr int whole_exponent = 1024;
// Impulses that may come from outside: delta, its derivative and the one after.
inline constexpr int fed_impulses = 3;
// delta^(i): binomials of Leibniz up to here are exact in doubles.
inline constexpr int impulse_order = 20;

// Bytes and rows of a data file; a row becomes some 700 bytes.
inline constexpr std::uintmax_t largest_data = std::uintmax_t{64} << 20;
inline constexpr std::size_t data_rows = 2000000;

}  // namespace deltaflow::limits
