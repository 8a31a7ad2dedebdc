// Reads TOML with forbearance.
#include "report/editor/syntax.hpp"

#include <algorithm>
#include <utility>

namespace deltaflow::editor {

namespace {

constexpr int deepest = 64;  // values within each other; the engine refuses more than 100 levels

bool is_bare(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}
bool is_line_end(char c) { return c == '\n' || c == '\r'; }

struct Key {
    std::string text;
    Span span;
};

class Reader {
public:
    explicit Reader(std::string_view text) : text_(text) {}

    Syntax read() {
        syntax_.root.kind = Node::Kind::table;
        syntax_.sections.push_back({});
        while (at_ < text_.size()) read_line();
        syntax_.sections.back().span.end = text_.size();
        return std::move(syntax_);
    }

private:
    char here() const { return at_ < text_.size() ? text_[at_] : '\n'; }
    bool begins(std::string_view s) const { return text_.substr(at_, s.size()) == s; }
    void skip_blanks() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
    }
    void skip_line() {
        while (at_ < text_.size() && !is_line_end(text_[at_])) ++at_;
        while (at_ < text_.size() && is_line_end(text_[at_])) ++at_;
    }

    void read_line() {
        skip_blanks();
        const std::size_t begin = at_;
        if (here() == '[')
            read_header();
        else if (is_bare(here()) || here() == '"' || here() == '\'')
            read_member(*table_of(syntax_.sections.back().path));
        if (at_ < text_.size() && at_ > begin && line_begins_anew()) return;  // a list was not closed
        skip_line();
    }

    // The table of a section that was begun.
    Node* table_of(const std::vector<std::string>& path) {
        Node* node = &syntax_.root;
        for (const std::string& key : path) {
            node = &node->find(key)->value;
            if (node->kind == Node::Kind::array && !node->items.empty()) node = &node->items.back();
        }
        return node;
    }

    void read_header() {
        const std::size_t begin = at_;
        const bool list = begins("[[");
        at_ += list ? 2 : 1;
        const std::vector<Key> keys = read_keys();
        skip_blanks();
        while (here() == ']' && at_ < text_.size()) ++at_;
        syntax_.sections.back().span.end = begin;
        Section section{{begin, 0}, {begin, at_}, {}, 0};
        Node* node = &syntax_.root;
        for (std::size_t i = 0; i < keys.size(); ++i) {
            section.path.push_back(keys[i].text);
            node = step_into(*node, keys[i], list && i + 1 == keys.size());
            if (!node) {  // a value stands there already: the lines belong to nobody
                section.path = {""};
                member_of(syntax_.root, "").value.kind = Node::Kind::table;
                break;
            }
        }
        if (list && !keys.empty() && node) section.item = last_item(keys);
        syntax_.sections.push_back(std::move(section));
    }

    std::size_t last_item(const std::vector<Key>& keys) {
        Node* node = &syntax_.root;
        std::size_t item = 0;
        for (const Key& key : keys) {
            node = &node->find(key.text)->value;
            if (node->kind != Node::Kind::array) continue;
            item = node->items.size() - 1;
            node = &node->items.back();
        }
        return item;
    }

    Member& member_of(Node& table, const std::string& key) {
        if (Member* found = table.find(key)) return *found;
        return table.add({key, {}, {}, {}});
    }

    // The table, or a new item of the list, that a key of a header leads to.
    Node* step_into(Node& table, const Key& key, bool new_item) {
        Member& member = member_of(table, key.text);
        member.mentions.push_back(key.span);
        Node& value = member.value;
        if (value.kind == Node::Kind::missing) value.kind = new_item ? Node::Kind::array : Node::Kind::table;
        if (value.kind == Node::Kind::array) {
            if (new_item) value.items.push_back({}), value.items.back().kind = Node::Kind::table;
            return value.items.empty() || value.items.back().kind != Node::Kind::table ? nullptr
                                                                                       : &value.items.back();
        }
        return value.kind == Node::Kind::table && !new_item ? &value : nullptr;
    }

    // a.b."c d"
    std::vector<Key> read_keys() {
        std::vector<Key> keys;
        while (true) {
            skip_blanks();
            keys.push_back(read_key());
            skip_blanks();
            if (here() != '.' || keys.size() > static_cast<std::size_t>(deepest)) return keys;
            ++at_;
        }
    }

    Key read_key() {
        if (here() == '"' || here() == '\'') {
            const Node quoted = read_string();
            return {quoted.text, quoted.inside};
        }
        const std::size_t begin = at_;
        while (at_ < text_.size() && is_bare(text_[at_])) ++at_;
        return {std::string(text_.substr(begin, at_ - begin)), {begin, at_}};
    }

    // key = value; a key alone is a member without a value.
    void read_member(Node& owner, int depth = 0) {
        const std::size_t begin = at_;
        const std::vector<Key> keys = read_keys();
        Node* table = &owner;
        for (std::size_t i = 0; i + 1 < keys.size(); ++i) {
            Member& member = member_of(*table, keys[i].text);
            member.mentions.push_back(keys[i].span);
            if (member.value.kind == Node::Kind::missing) member.value.kind = Node::Kind::table;
            table = &member.value;
        }
        const std::size_t index = table->members.size();
        table->add({keys.back().text, {keys.back().span}, {begin, at_}, {}});
        skip_blanks();
        if (here() != '=') return;
        ++at_;
        skip_blanks();
        Node value = read_value(depth + 1);
        Member& member = table->members[index];
        member.span.end = std::max(member.span.end, value.kind == Node::Kind::missing ? at_ : value.span.end);
        if (value.kind == Node::Kind::missing) value.span = {at_, at_};
        member.value = std::move(value);
    }

    Node read_value(int depth) {
        if (depth > deepest) return {};
        switch (here()) {
            case '"':
            case '\'':
                return read_string();
            case '[':
                return read_array(depth);
            case '{':
                return read_inline(depth);
            default:
                return read_word();
        }
    }

    Node read_word() {
        Node node;
        const std::size_t begin = at_;
        while (at_ < text_.size() &&
               std::string_view(",]}# \t\r\n=").find(text_[at_]) == std::string_view::npos)
            ++at_;
        if (at_ == begin) return node;
        node.kind = Node::Kind::word;
        node.span = {begin, at_};
        node.text = text_.substr(begin, at_ - begin);
        return node;
    }

    Node read_string() {
        const char quote = here();
        const bool triple = text_.substr(at_, 3) == std::string(3, quote);
        Node node;
        node.kind = Node::Kind::string;
        node.span.begin = at_;
        at_ += triple ? 3 : 1;
        if (triple && here() == '\r') ++at_;
        if (triple && here() == '\n' && at_ < text_.size()) ++at_;
        node.inside.begin = at_;
        const std::string closing(triple ? 3 : 1, quote);
        for (; at_ < text_.size() && !begins(closing); ++at_) {
            if (!triple && is_line_end(text_[at_])) break;
            if (quote == '"' && text_[at_] == '\\') {
                node.plain = false;
                if (at_ + 1 < text_.size() && !is_line_end(text_[at_ + 1])) ++at_;
            }
        }
        at_ = std::min(at_, text_.size());
        node.inside.end = at_;
        node.text = text_.substr(node.inside.begin, at_ - node.inside.begin);
        if (begins(closing)) at_ += closing.size();
        node.span.end = at_;
        return node;
    }

    // Blanks, ends of lines and comments, as they may stand in a list.
    void skip_space() {
        while (at_ < text_.size()) {
            if (text_[at_] == '#')
                while (at_ < text_.size() && !is_line_end(text_[at_])) ++at_;
            else if (text_[at_] == ' ' || text_[at_] == '\t' || is_line_end(text_[at_]))
                ++at_;
            else
                return;
        }
    }

    // A list that nobody closed ends where a line begins a table or another key.
    bool line_begins_anew() const {
        std::size_t start = at_;
        while (start > 0 && (text_[start - 1] == ' ' || text_[start - 1] == '\t')) --start;
        if (start > 0 && !is_line_end(text_[start - 1])) return false;
        std::size_t end = at_;
        const bool header = text_[end] == '[';
        while (end < text_.size() && text_[end] == '[') ++end;
        const std::size_t word = end;
        while (end < text_.size() && (is_bare(text_[end]) || text_[end] == '.')) ++end;
        if (end == word || (text_[word] >= '0' && text_[word] <= '9') || text_[word] == '-') return false;
        while (end < text_.size() && (text_[end] == ' ' || text_[end] == '\t')) ++end;
        return end < text_.size() && text_[end] == (header ? ']' : '=');
    }

    Node read_array(int depth) {
        Node node;
        node.kind = Node::Kind::array;
        node.span.begin = at_++;
        while (true) {
            skip_space();
            if (at_ >= text_.size() || line_begins_anew()) break;
            if (text_[at_] == ']') {
                ++at_;
                break;
            }
            const std::size_t before = at_;
            Node item = read_value(depth + 1);
            if (item.kind != Node::Kind::missing) node.items.push_back(std::move(item));
            skip_space();
            if (here() == ',' && at_ < text_.size()) ++at_;
            if (at_ == before) ++at_;  // nothing that belongs here
        }
        node.span.end = at_;
        return node;
    }

    Node read_inline(int depth) {
        Node node;
        node.kind = Node::Kind::table;
        node.span.begin = at_++;
        while (true) {
            skip_blanks();
            if (at_ >= text_.size() || is_line_end(text_[at_]) || text_[at_] == '#') break;
            if (text_[at_] == '}') {
                ++at_;
                break;
            }
            if (is_bare(text_[at_]) || text_[at_] == '"' || text_[at_] == '\'')
                read_member(node, depth);
            else
                ++at_;
        }
        node.span.end = at_;
        return node;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    Syntax syntax_;
};

}  // namespace

Member& Node::add(Member member) {
    places.emplace(member.key, members.size());
    members.push_back(std::move(member));
    return members.back();
}

const Member* Node::find(const std::string& key) const {
    const auto found = places.find(key);
    return found == places.end() ? nullptr : &members[found->second];
}
Member* Node::find(const std::string& key) { return const_cast<Member*>(std::as_const(*this).find(key)); }

std::string_view Node::text_of(const std::string& key) const {
    const Member* member = find(key);
    return member && member->value.kind == Kind::string ? std::string_view(member->value.text)
                                                        : std::string_view();
}

Syntax read_syntax(std::string_view text) { return Reader(text).read(); }

const Node* find_table(const Node& root, const std::vector<std::string>& path) {
    const Node* node = &root;
    for (const std::string& key : path) {
        const Member* member = node->find(key);
        if (!member) return nullptr;
        node = &member->value;
        if (node->kind == Node::Kind::array && !node->items.empty()) node = &node->items.back();
    }
    return node;
}

}  // namespace deltaflow::editor
