// Text as it is written: kept, or handed on in pieces where it may be long.
#pragma once

#include <fmt/core.h>

#include <functional>
#include <string>
#include <string_view>

namespace deltaflow::report {

class Sheet;

class Output {
public:
    using Drain = std::function<void(std::string_view)>;

    Output() = default;  // keeps everything; text() has it
    explicit Output(Drain drain, Sheet* sheet = nullptr) : drain_(std::move(drain)), sheet_(sheet) {}

    template <typename... Arguments>
    void print(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
        append(format, fmt::make_format_args(arguments...));
    }
    void write(std::string_view text);

    // Hands on what has not been yet. Call it at the end.
    void flush();
    const std::string& text() const { return text_; }

    // Where the text goes, if it may be written there in any order, too: by who writes nothing else.
    Sheet* sheet() const { return sheet_; }

private:
    void append(fmt::string_view format, fmt::format_args arguments);
    void drain_if_full();

    Drain drain_;
    std::string text_;
    Sheet* sheet_ = nullptr;
};

using Writer = std::function<void(Output&)>;

// All that `writer` writes.
std::string text_of(const Writer& writer);

}  // namespace deltaflow::report
