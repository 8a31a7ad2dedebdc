// Letters that pictures need: superscripts and deltas.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace deltaflow::report {

// "⁻¹²"
std::string superscript(int number);

// The derivative of delta of some order: "δ", "δ′", "δ″", "δ‴", "δ⁽⁴⁾"; "delta", "delta'", ... without
// Unicode.
std::string delta_symbol(std::size_t order, bool unicode = true);

// Four digits and the symbol: "25.21 δ".
std::string impulse_label(double coefficient, std::size_t order, bool unicode = true);

// Characters, not bytes.
std::size_t length(std::string_view text);

// How wide a text is in common sans serif letters of this size, roughly; bold ones are wider.
double text_width(std::string_view text, double size);
inline constexpr double bold_width = 1.17;

}  // namespace deltaflow::report
