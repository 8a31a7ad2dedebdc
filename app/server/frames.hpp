// Messages of the language server protocol as bytes: a header with the length, then the content.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace deltaflow::app {

// Gives some bytes, or none at the end.
using ByteSource = std::function<std::size_t(char* to, std::size_t most)>;

struct Frame {
    std::string content;
    bool too_large = false;  // then there is no content; it was passed over
};

class FrameReader {
public:
    explicit FrameReader(ByteSource source, std::size_t largest = std::size_t{256} << 20)
        : source_(std::move(source)), largest_(largest) {}

    // The next message; nothing at the end. What is no header is passed over.
    std::optional<Frame> next();

private:
    bool fill();
    std::optional<std::string> line();
    std::optional<std::size_t> length_of_header();
    bool take(std::size_t count, std::string* to);

    ByteSource source_;
    std::size_t largest_, at_ = 0;
    std::string buffer_;
};

std::string framed(std::string_view content);

}  // namespace deltaflow::app
