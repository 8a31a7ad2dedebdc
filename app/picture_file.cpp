// Who can convert an SVG, one after the other.
#include "app/picture_file.hpp"

#include "app/process.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace deltaflow::app {

namespace {

// "png", "pdf", or nothing.
std::string kind_of(const std::string& path) {
    std::string end = path.size() > 4 ? path.substr(path.size() - 4) : "";
    std::transform(end.begin(), end.end(), end.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return end == ".png" || end == ".pdf" ? end.substr(1) : "";
}

// Pixels are twice as fine as the picture is drawn for.
std::vector<std::vector<std::string>> converters(const std::string& kind) {
    return {{"rsvg-convert", "--format", kind, "--zoom", kind == "png" ? "2" : "1"},
            {"inkscape", "--pipe", "--export-type=" + kind, "--export-dpi=192", "--export-filename=-"},
            {"cairosvg", "-", "-f", kind, "-s", kind == "png" ? "2" : "1"},
            {"magick", "-density", "192", "svg:-", kind + ":-"}};
}

std::string converted(const std::string& svg, const std::string& kind, const std::string& path) {
    bool tried = false;
    for (const auto& words : converters(kind)) {
        auto answer = answer_of(words, svg, "write an .svg instead");
        if (answer && answer->good && !answer->text.empty()) return std::move(answer->text);
        tried = tried || answer;
    }
    throw OutputError(
        tried ? fmt::format("{}: the program that converts pictures could not do it; write an .svg instead",
                            path)
              : fmt::format("{}: a picture of this kind needs rsvg-convert (apt install librsvg2-bin), "
                            "inkscape, cairosvg or ImageMagick, and none was found; write an .svg instead",
                            path));
}

}  // namespace

void write_picture(const std::string& path, const Writer& svg) {
    const std::string kind = kind_of(path);
    if (kind.empty()) return write_file(path, svg);
    const std::string text = converted(report::text_of(svg), kind, path);
    write_file(path, [&](Output& output) { output.write(text); });
}

}  // namespace deltaflow::app
