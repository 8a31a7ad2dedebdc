// Finds the innermost table and text around a place.
#include "report/editor/context.hpp"

namespace deltaflow::editor {

namespace {

bool is_inside(const Span& span, std::size_t at) { return span.begin < at && at <= span.end; }

class Finder {
public:
    Finder(const Document& document, std::size_t offset, Context& context)
        : text_(document.text.string()), at_(offset), context_(context) {}

    // Members of a table whose lines the place is among.
    void descend(const Node& table) {
        context_.table = &table;
        for (const Member& member : table.members) {
            if (member.value.kind == Node::Kind::table && member.value.span == Span{} &&
                member.span == Span{}) {
                descend_dotted(member);  // a.b = 1 makes a table that has no place of its own
                if (found_) return;
            }
            if (!(member.span.begin <= at_ && at_ <= member.span.end)) continue;
            found_ = true;
            context_.member = &member;
            if (at_ <= member.mentions.back().end) return;
            return enter(member.key, member.value);
        }
    }

private:
    void descend_dotted(const Member& member) {
        for (const Member& inner : member.value.members)
            if (inner.span.begin <= at_ && at_ <= inner.span.end && inner.span != Span{}) {
                context_.path.push_back(member.key);
                return descend(member.value);
            }
    }

    void enter(const std::string& key, const Node& value) {
        context_.part = Context::Part::value;
        if (value.kind == Node::Kind::string && is_inside(value.span, at_)) context_.string = &value;
        if (value.kind == Node::Kind::array && is_inside(value.span, at_))
            for (const Node& item : value.items)
                if (is_inside(item.span, at_)) return enter(key, item);
        const bool closed =
            value.span.end > 0 && value.span.end <= text_.size() && text_[value.span.end - 1] == '}';
        if (value.kind != Node::Kind::table || !is_inside(value.span, at_) ||
            (closed && at_ == value.span.end))
            return;
        context_.path.push_back(key);
        context_.part = Context::Part::key;
        context_.member = nullptr;
        descend(value);
    }

    const std::string& text_;
    std::size_t at_;
    Context& context_;
    bool found_ = false;
};

}  // namespace

Context context_at(const Project& project, const Names& names, std::size_t offset) {
    const Document& document = project.documents[0];
    const std::string& text = document.text.string();
    Context context;
    std::size_t begin = std::min(offset, text.size());
    while (begin > 0 && is_word(text[begin - 1])) --begin;
    context.word = {begin, offset};
    const Section* section = &document.syntax.sections.front();
    for (const Section& s : document.syntax.sections)
        if (s.span.begin <= offset && (s.header.end > 0 || &s == section)) section = &s;
    context.path = section->path;
    if (section->header.end > 0 && offset > section->header.begin && offset <= section->header.end &&
        text[offset - 1] != ']') {
        context.part = Context::Part::header;
        return context;
    }
    if (const Node* table = find_table(document.syntax.root, section->path))
        Finder(document, offset, context).descend(*table);
    const Where where = where_is(names, 0, context.path);
    context.scope = where.scope;
    context.rest = where.rest;
    return context;
}

}  // namespace deltaflow::editor
