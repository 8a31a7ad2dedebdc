// The tables of a file and what is defined in them.
#include "report/editor/editor.hpp"

#include <algorithm>

namespace deltaflow::editor {

namespace {

SymbolKind kind_of(const std::string& table) {
    if (table == "parameters") return SymbolKind::parameter;
    if (table == "elements" || table == "circuit" || table == "mechanics") return SymbolKind::element;
    if (table == "bonds") return SymbolKind::bond;
    if (table == "automata") return SymbolKind::automaton;
    return table == "diagrams" ? SymbolKind::diagram : SymbolKind::block;
}

class OutlineTeller {
public:
    explicit OutlineTeller(const Document& document) : document_(document) {}

    // Members that have a key in the text.
    std::vector<Outline> tell(const Node& table, const std::string& of, int depth) const {
        std::vector<Outline> list;
        for (const Member& member : table.members) {
            if (member.mentions.empty() || member.key.empty()) continue;
            list.push_back(tell(member, of, depth));
        }
        return list;
    }

private:
    Outline tell(const Member& member, const std::string& of, int depth) const {
        Outline part;
        part.name = member.key;
        part.kind = kind_of(of);
        part.table = of.empty();
        part.detail = member.value.text_of("type");
        if (member.value.kind == Node::Kind::string) part.detail = member.value.text;
        if (member.value.kind == Node::Kind::word) part.detail = member.value.text;
        const bool deeper = of.empty() || of == "diagrams";
        if (deeper && depth < 4 && member.value.kind == Node::Kind::table)
            part.children = tell(member.value, of == "diagrams" ? "" : member.key, depth + 1);
        Span span = member.mentions[0];
        const auto widen = [&](const Span& other) {
            span.begin = std::min(span.begin, other.begin);
            span.end = std::max(span.end, other.end);
        };
        if (!(member.span == Span{})) widen(member.span);
        const bool by_header = member.value.span == Span{} && member.value.kind != Node::Kind::missing;
        for (const Section& section : by_header ? document_.syntax.sections : std::vector<Section>())
            if (!section.path.empty() &&
                std::count(member.mentions.begin(), member.mentions.end(), last_key(section, member)) > 0)
                widen(section.span);
        part.selection = document_.text.range(member.mentions[0]);
        part.range = document_.text.range(span);
        for (const Outline& child : part.children) part.range = joined(part.range, child.range);
        return part;
    }

    // The mention of the member in a header, if it is there.
    static Span last_key(const Section& section, const Member& member) {
        for (const Span& mention : member.mentions)
            if (section.header.begin < mention.begin && mention.end <= section.header.end) return mention;
        return {};
    }

    static bool before(const Position& a, const Position& b) {
        return a.line < b.line || (a.line == b.line && a.character < b.character);
    }
    static Range joined(const Range& a, const Range& b) {
        return {before(b.start, a.start) ? b.start : a.start, before(a.end, b.end) ? b.end : a.end};
    }

    const Document& document_;
};

}  // namespace

std::vector<Outline> outline_of(const Document& document) {
    return OutlineTeller(document).tell(document.syntax.root, "", 0);
}

}  // namespace deltaflow::editor
