// TOML as it stands in an editor: half written, and every part with its place.
#pragma once

#include "report/editor/text.hpp"

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace deltaflow::editor {

struct Member;

// A value. A table that a header begins has no span of its own: its lines may stand anywhere.
struct Node {
    enum class Kind : unsigned char { missing, word, string, array, table };
    Kind kind = Kind::missing;
    Span span;          // quotes and brackets included
    Span inside;        // of a string: between the quotes
    std::string text;   // of a string or a word, as written
    bool plain = true;  // of a string: no escapes, so that it stands in the file letter by letter
    std::vector<Node> items;
    std::vector<Member> members;
    std::unordered_map<std::string, std::size_t> places;  // of members, by key; the first of equal ones

    Member& add(Member member);
    const Member* find(const std::string& key) const;
    Member* find(const std::string& key);
    // The text of a member that is a string; empty: there is none.
    std::string_view text_of(const std::string& key) const;
};

struct Member {
    std::string key;
    std::vector<Span> mentions;  // without quotes; a header may name a table again
    Span span;                   // from the first key of the line to the end of its value; empty: of a header
    Node value;
};

// Lines between two headers belong to the table of the first.
struct Section {
    Span span;                      // from the header on
    Span header;                    // [it] with its brackets; empty: lines before any header
    std::vector<std::string> path;  // keys from the root
    std::size_t item = 0;           // of [[path]]: which one
};

struct Syntax {
    Node root;
    std::vector<Section> sections;
};

// Reads what it can, and passes over the rest of a line that it cannot read. Takes time in proportion to the
// text.
Syntax read_syntax(std::string_view text);

// The table that a path leads to; of a list of tables, the last one.
const Node* find_table(const Node& root, const std::vector<std::string>& path);

}  // namespace deltaflow::editor
