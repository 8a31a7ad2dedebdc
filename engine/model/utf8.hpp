// UTF-8, as far as places and messages need it.
#pragma once

#include <cstddef>
#include <string_view>

namespace deltaflow {

// Columns count characters: every byte but those that continue one.
inline bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

// The length of the character that starts at `at`, or 0: surrogates, long forms and cut ones are wrong.
inline std::size_t character_length(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t i) {
        return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0u;
    };
    const unsigned first = byte(0), second = byte(1);
    if (first < 0x80) return 1;
    if (first < 0xC2 || first > 0xF4) return 0;
    const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    for (std::size_t i = 1; i < length; ++i)
        if ((byte(i) & 0xC0) != 0x80) return 0;
    const bool wrong = (first == 0xE0 && second < 0xA0) || (first == 0xED && second >= 0xA0) ||
                       (first == 0xF0 && second < 0x90) || (first == 0xF4 && second >= 0x90);
    return wrong ? 0 : length;
}

}  // namespace deltaflow
