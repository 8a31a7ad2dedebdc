// The one file that compiles the formatting of text into a string.
#include "report/text/output.hpp"

#include <fmt/format.h>

#include <iterator>

namespace deltaflow::report {

namespace {

constexpr std::size_t full = 1 << 16;

}  // namespace

void Output::append(fmt::string_view format, fmt::format_args arguments) {
    fmt::vformat_to(std::back_inserter(text_), format, arguments);
    drain_if_full();
}

void Output::write(std::string_view text) {
    text_ += text;
    drain_if_full();
}

void Output::drain_if_full() {
    if (drain_ && text_.size() > full) flush();
}

void Output::flush() {
    if (!drain_) return;
    drain_(text_);
    text_.clear();
}

std::string text_of(const Writer& writer) {
    Output output;
    writer(output);
    return output.text();
}

}  // namespace deltaflow::report
