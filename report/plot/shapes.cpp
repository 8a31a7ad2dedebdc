// Shapes as the file has them, and the blocks that move them.
#include "report/plot/shapes.hpp"

#include "engine/front/flatten/flatten.hpp"
#include "engine/front/read/declarations.hpp"

#include <fmt/format.h>

namespace deltaflow::report {

namespace {

std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    return result + "\"";
}

// Behind the line that begins the table of blocks; none if there is no such line.
std::size_t begin_of_blocks(const std::string& text) {
    for (std::size_t line = 0; line < text.size();) {
        const std::size_t end = std::min(text.find('\n', line), text.size());
        const std::size_t first = text.find_first_not_of(" \t", line);
        if (first < end && text.compare(first, 8, "[blocks]") == 0) return std::min(end + 1, text.size());
        line = end + 1;
    }
    return std::string::npos;
}

}  // namespace

std::vector<std::string> Animation::blocks() const {
    std::vector<std::string> names;
    for (const AnimatedShape& shape : shapes)
        for (const ShapeValue& value : shape.values)
            if (!value.block.empty()) names.push_back(value.block);
    return names;
}

Animation animation_of(const FlatModel& model) {
    Animation animation;
    if (!model.written) return animation;
    const front::Entry* table = find(model.written->declarations->files[0]->document, "animation");
    if (!table) return animation;
    for (const front::Entry& entry : table->value.entries) {
        AnimatedShape shape;
        shape.name = entry.key;
        for (const front::Entry& value : entry.value.entries)
            if (value.key == "shape")
                shape.kind = value.value.text;
            else if (value.value.is_number())
                shape.values.push_back({value.key, value.value.real});
            else
                shape.values.push_back({value.key, 0, value.value.text,
                                        fmt::format("animation_{}_{}", animation.shapes.size(), value.key)});
        animation.shapes.push_back(std::move(shape));
    }
    return animation;
}

std::string text_with_shapes(const FlatModel& model, const Animation& animation) {
    std::string text = model.sources.files[0].text, blocks;
    for (const AnimatedShape& shape : animation.shapes)
        for (const ShapeValue& value : shape.values)
            if (!value.block.empty())
                blocks += fmt::format("{} = {}\n", value.block, quoted(value.expression));
    const std::size_t at = begin_of_blocks(text);
    if (at == std::string::npos) return text + "\n[blocks]\n" + blocks;
    if (text[at - 1] != '\n') blocks = "\n" + blocks;
    return text.insert(at, blocks);
}

}  // namespace deltaflow::report
