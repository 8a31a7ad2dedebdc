// The page, its colours, lines and words.
#include "app/drawing.hpp"

namespace deltaflow::app {

namespace {

constexpr std::string_view style = R"(<style>
  text { font: 12px system-ui, "DejaVu Sans", sans-serif; fill: #57606a; }
  .page { fill: #ffffff; } .title { font-size: 17px; font-weight: 600; fill: #1f2328; }
  .name { font-size: 13px; font-weight: 600; fill: #1f2328; }
  .right { text-anchor: end; } .middle { text-anchor: middle; }
  .frame { fill: none; stroke: #8c959f; } .grid { stroke: #d8dee4; stroke-width: 0.6; }
  .zero { stroke: #8c959f; stroke-width: 0.8; } .event { stroke: #bf8700; stroke-width: 0.7; opacity: 0.55; }
  .curve { fill: none; stroke: #0969da; stroke-width: 1.6; stroke-linejoin: round; stroke-linecap: round; }
  .right-sum { fill: none; stroke: #bc4c00; stroke-width: 1.3; } .left-sum { fill: none; stroke: #1a7f37; stroke-width: 1.3; }
  text.right-sum { fill: #bc4c00; stroke: none; } text.left-sum { fill: #1a7f37; stroke: none; } text.curve { fill: #0969da; stroke: none; }
  .jump { stroke: #0969da; stroke-width: 1; stroke-dasharray: 2 3; opacity: 0.6; }
  .delta { stroke: #cf222e; stroke-width: 1.6; fill: none; } .head { fill: #cf222e; stroke: none; }
  .prime { stroke: #8250df; stroke-width: 1.4; stroke-dasharray: 5 2; fill: none; }
  .diamond { fill: #ffffff; stroke: #8250df; stroke-width: 1.4; }
  text.delta { fill: #cf222e; stroke: none; } text.prime { fill: #8250df; stroke: none; }
  .halo { paint-order: stroke; stroke: #ffffff !important; stroke-width: 3px; }
  @media (prefers-color-scheme: dark) {
    text { fill: #9198a1; } .page { fill: #0d1117; } .title, .name { fill: #f0f6fc; }
    .frame, .zero { stroke: #656c76; } .grid { stroke: #262c36; } .event { stroke: #d29922; }
    .curve, .jump { stroke: #58a6ff; } .right-sum { stroke: #f0883e; } .left-sum { stroke: #3fb950; }
    text.right-sum { fill: #f0883e; } text.left-sum { fill: #3fb950; } text.curve { fill: #58a6ff; } .delta { stroke: #ff7b72; } .head { fill: #ff7b72; }
    .prime { stroke: #bc8cff; } .diamond { fill: #0d1117; stroke: #bc8cff; }
    text.delta { fill: #ff7b72; } text.prime { fill: #bc8cff; } .halo { stroke: #0d1117 !important; }
  }
</style>
)";

}  // namespace

// XML has no room for control characters, not even escaped.
std::string escaped(const std::string& text) {
    std::string result;
    for (const char c : text)
        if (c == '&')
            result += "&amp;";
        else if (c == '<')
            result += "&lt;";
        else if (c == '>')
            result += "&gt;";
        else
            result += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
    return result;
}

void line(Output& out, std::string_view kind, double x1, double y1, double x2, double y2) {
    out.print("<line class=\"{}\" x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\"/>\n", kind, x1, y1,
              x2, y2);
}

void text(Output& out, std::string_view kind, double x, double y, const std::string& words) {
    out.print("<text class=\"{}\" x=\"{:.2f}\" y=\"{:.2f}\">{}</text>\n", kind, x, y, escaped(words));
}

void open_page(Output& out, const std::string& title, double width, double height, double left) {
    out.print(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" width=\"{}\" height=\"{}\" "
        "role=\"img\">\n",
        width, height, width, height);
    out.print("<title>{}</title>\n{}", escaped(title), style);
    out.print("<rect class=\"page\" width=\"{}\" height=\"{}\"/>\n", width, height);
    text(out, "title", left, 28, title);
}

}  // namespace deltaflow::app
