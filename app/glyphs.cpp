// Superscripts and primes in UTF-8.
#include "app/glyphs.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace deltaflow::app {

std::string superscript(int number) {
    constexpr const char* digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string result;
    for (const char c : std::to_string(number)) result += c == '-' ? "⁻" : digits[c - '0'];
    return result;
}

std::string delta_symbol(std::size_t order, bool unicode) {
    if (order > 3) {
        const int n = static_cast<int>(order);
        return unicode ? fmt::format("δ⁽{}⁾", superscript(n)) : fmt::format("delta({})", n);
    }
    if (!unicode) return "delta" + std::string(order, '\'');
    constexpr const char* primes[] = {"", "′", "″", "‴"};
    return std::string("δ") + primes[order];
}

std::string impulse_label(double coefficient, std::size_t order, bool unicode) {
    return fmt::format("{:.4g} {}", coefficient, delta_symbol(order, unicode));
}

std::size_t length(std::string_view text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace deltaflow::app
