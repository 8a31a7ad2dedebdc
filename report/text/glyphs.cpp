// Superscripts and primes in UTF-8, and how wide letters are.
#include "report/text/glyphs.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace deltaflow::report {

namespace {

// In parts of the size of the letters. Wide scripts begin at U+1100, three bytes long.
double letter_width(unsigned char c) {
    constexpr std::string_view narrow = "iljtfrI.,:;'|!()[] ", wide = "mwMW@%";
    if (c >= 0xe1) return 1.0;
    if (c >= 0xc0) return 0.62;
    if (narrow.find(static_cast<char>(c)) != std::string_view::npos) return 0.36;
    if (wide.find(static_cast<char>(c)) != std::string_view::npos) return 0.92;
    return c >= 'A' && c <= 'Z' ? 0.7 : 0.6;
}

}  // namespace

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

double text_width(std::string_view text, double size) {
    double width = 0;
    for (const char c : text)
        if (const auto u = static_cast<unsigned char>(c); (u & 0xc0) != 0x80) width += letter_width(u);
    return width * size;
}

}  // namespace deltaflow::report
