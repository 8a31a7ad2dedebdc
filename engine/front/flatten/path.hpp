// A name such as many[3].x, read from left to right.
#pragma once

#include "blocks/expression.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

namespace deltaflow::front {

[[noreturn]] inline void fail_at(std::size_t offset, std::size_t length, const std::string& message) {
    throw ExpressionError(static_cast<std::uint32_t>(offset),
                          static_cast<std::uint32_t>(std::max<std::size_t>(1, length)), message);
}

class Path {
public:
    explicit Path(std::string_view text) : text_(text) {}

    bool at_end() const { return at_ == text_.size(); }
    std::string_view passed() const { return text_.substr(0, at_); }
    std::string_view rest() const { return text_.substr(at_); }
    std::size_t offset() const { return at_; }

    std::string_view identifier() {
        const std::size_t begin = at_;
        at_ = std::min(text_.find_first_of(".[", at_), text_.size());
        return text_.substr(begin, at_ - begin);
    }

    bool accept(char c) {
        if (at_end() || text_[at_] != c) return false;
        ++at_;
        return true;
    }

    bool at_index() const { return !at_end() && text_[at_] == '['; }

    // The number of [3]; the largest one where it does not fit.
    std::uint64_t index() {
        const std::size_t begin = at_++;
        const std::size_t end = std::min(text_.find(']', at_), text_.size());
        std::uint64_t value = 0;
        const auto read = std::from_chars(text_.data() + at_, text_.data() + end, value);
        if (read.ec == std::errc::invalid_argument || read.ptr != text_.data() + end || end == text_.size())
            fail_at(begin, end - begin, "an index is a whole number: many[3]");
        at_ = end + 1;
        return read.ec == std::errc::result_out_of_range ? ~std::uint64_t{0} : value;
    }

private:
    std::string_view text_;
    std::size_t at_ = 0;
};

}  // namespace deltaflow::front
