// Reads two-poles: their type, keys, and the nodes or points that they stand between.
#include "engine/front/read/network.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace deltaflow::front {
namespace {

using bonds::Domain;
using bonds::PoleParameter;
using bonds::PoleType;
using bonds::Takes;

std::string_view what_of(Domain domain) { return domain == Domain::circuit ? "node" : "point"; }
std::string_view example_of(Domain domain) { return domain == Domain::circuit ? "a ground" : "x1 ground"; }

std::vector<std::string_view> types_of(Domain domain) {
    std::vector<std::string_view> types;
    for (const PoleType& type : bonds::poles())
        if (type.domain == domain) types.push_back(type.type);
    return types;
}

// Names in a text, apart by blanks or commas.
std::vector<std::string_view> words_of(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n,";
    std::vector<std::string_view> words;
    for (std::size_t at = text.find_first_not_of(blanks); at != text.npos;
         at = text.find_first_not_of(blanks, at)) {
        const std::size_t end = std::min(text.find_first_of(blanks, at), text.size());
        words.push_back(text.substr(at, end - at));
        at = end;
    }
    return words;
}

class PoleReader {
public:
    PoleReader(const Entry& entry, Domain domain, const Lines& lines, Report& report)
        : entry_(entry), domain_(domain), lines_(lines), report_(report) {}

    PoleDraft read() {
        draft_.entry = &entry_;
        const Entry* type = entry_.value.kind == Value::Kind::table ? find(entry_.value, "type") : nullptr;
        if (entry_.value.kind != Value::Kind::table) {
            refuse_kind();
        } else if (!type) {
            fail(entry_.place, fmt::format("\"{}\" has no type", entry_.key));
        } else if (type->value.kind != Value::Kind::string) {
            fail(type->value.place, fmt::format("\"type\" must be a string, not {}", kind_name(type->value)));
        } else if (const Entry* joined = find(entry_.value, joining_key(domain_))) {
            read_joined(*joined);
        } else if (!(draft_.type = bonds::find_pole_type(type->value.text, domain_))) {
            refuse_type(type->value);
        } else {
            read_keys();
        }
        return std::move(draft_);
    }

private:
    void fail(const Place& place, std::string message) {
        report_.add(place, std::move(message));
        draft_.good = false;
    }

    void refuse_kind() {
        const std::string_view example = bonds::find_pole_type(types_of(domain_)[2], domain_)->example;
        fail(entry_.value.place, fmt::format("under [{}] stand tables with a type, such as {}, not {}",
                                             bonds::table_of(domain_), example, kind_name(entry_.value)));
    }

    void refuse_type(const Value& type) {
        const Domain other = domain_ == Domain::circuit ? Domain::mechanics : Domain::circuit;
        const std::string way_out =
            bonds::find_pole_type(type.text, other) ? fmt::format("; it stands under [{}]", table_of(other))
            : bonds::find_element_type(type.text)   ? std::string("; elements stand under [elements]")
            : find_block_type(type.text)            ? std::string("; blocks stand under [blocks]")
                                                    : report_.hint(type.text, types_of(domain_));
        fail(type.place,
             fmt::format("[{}] has no type \"{}\"{}", bonds::table_of(domain_), type.text, way_out));
    }

    void read_keys() {
        const bool both = find(entry_.value, "between") && find(entry_.value, "at");
        if (both) return fail(find(entry_.value, "at")->place, "\"between\" or \"at\", not both");
        const auto known = keys();
        for (const auto& entry : entry_.value.entries)
            if (std::find(known.begin(), known.end(), entry.key) == known.end())
                fail(entry.place, fmt::format("{} \"{}\" has no key \"{}\"{}", draft_.type->type, entry_.key,
                                              entry.key, report_.key_hint(entry.key, known)));
        read_ends();
        for (const PoleParameter& parameter : draft_.type->parameters) check_given(parameter);
        check_choices();
    }

    bool is_transformer() const { return draft_.type->element == "TF"; }
    bool may_stand_between() const { return draft_.type->ends == "between" || draft_.type->type == "force"; }

    std::vector<std::string_view> keys() const {
        std::vector<std::string_view> keys{"type", draft_.type->ends};
        if (may_stand_between()) keys.push_back("between");
        if (is_transformer()) keys.push_back("secondary");
        for (const PoleParameter& parameter : draft_.type->parameters) keys.push_back(parameter.key.name);
        return keys;
    }

    void check_given(const PoleParameter& parameter) {
        const auto& key = parameter.key;
        const Entry* given = find(entry_.value, key.name);
        if (given && !given->value.is_number() && given->value.kind != Value::Kind::string)
            fail(given->value.place, fmt::format("\"{}\" is a number or an expression, not {}", key.name,
                                                 kind_name(given->value)));
        if (!key.required || !key.fallback.empty() || given) return;
        fail(entry_.place,
             fmt::format("{} \"{}\" lacks its \"{}\"", draft_.type->type, entry_.key, key.name));
    }

    // One of two keys that exclude each other.
    void check_choices() {
        if (draft_.type->ends == "coils") one_of("value", "mutual");
        if (draft_.type->type == "switch") one_of("closed", "automaton");
        if (draft_.type->type == "friction") one_of("level", "mu");
    }

    void one_of(std::string_view a, std::string_view b) {
        const Entry* second = find(entry_.value, b);
        if (find(entry_.value, a)) {
            if (second) fail(second->place, fmt::format("\"{}\" or \"{}\", not both", a, b));
        } else if (!second) {
            fail(entry_.place,
                 fmt::format("{} \"{}\" lacks its \"{}\" or \"{}\"", draft_.type->type, entry_.key, a, b));
        }
    }

    void read_ends() {
        if (draft_.type->ends == "coils") return read_pair("coils", draft_.coils);
        const bool between = draft_.type->ends == "between" || find(entry_.value, "between");
        if (between)
            read_pair("between", draft_.ends);
        else
            read_single(draft_.type->ends);
        if (is_transformer()) read_pair("secondary", draft_.secondary);
    }

    // The text of a key and the names in it.
    std::vector<End> read_names(std::string_view key, std::size_t count) {
        const Entry* entry = find(entry_.value, key);
        const std::string wanted = count == 1 ? fmt::format("names a {}, such as \"x1\"", what_of(domain_))
                                   : key == "coils" ? std::string("names two inductors, such as \"l1 l2\"")
                                                    : fmt::format("names two {}s, such as \"{}\"",
                                                                  what_of(domain_), example_of(domain_));
        std::vector<End> ends;
        if (!entry) {
            fail(entry_.place, fmt::format("{} \"{}\" lacks its \"{}\", which {}", draft_.type->type,
                                           entry_.key, key, wanted));
            return ends;
        }
        if (entry->value.kind == Value::Kind::string)
            for (const auto word : words_of(entry->value.text)) ends.push_back(end_of(entry->value, word));
        if (ends.size() != count) fail(entry->value.place, fmt::format("\"{}\" {}", key, wanted));
        for (const End& end : ends) check_end(end);
        return ends;
    }

    void check_end(const End& end) {
        const std::string what = fmt::format("a {}", what_of(domain_));
        draft_.good = check_name(end.name, end.place, what, report_) && draft_.good;
    }

    End end_of(const Value& text, std::string_view word) const {
        const auto offset = static_cast<std::uint32_t>(word.data() - text.text.data());
        const std::string_view file = report_.sources().files[text.place.file].text;
        return {word, place_in(file, lines_, text, offset, static_cast<std::uint32_t>(word.size()))};
    }

    void read_pair(std::string_view key, Ends& ends) {
        const auto names = read_names(key, 2);
        if (names.size() != 2) return;
        ends = {names[0], names[1]};
        if (ends[0].name == ends[1].name)
            fail(ends[1].place,
                 key == "coils" ? fmt::format("\"{}\" couples \"{}\" with itself", entry_.key, ends[0].name)
                                : fmt::format("both ends of \"{}\" are at \"{}\"", entry_.key, ends[0].name));
    }

    // A mass or source stands between ground and its point.
    void read_single(std::string_view key) {
        const auto names = read_names(key, 1);
        if (names.size() != 1) return;
        draft_.ends = {End{ground, names[0].place}, names[0]};
        if (names[0].is_ground())
            fail(names[0].place, fmt::format("ground does not move; a {} is at a point", draft_.type->type));
    }

    // nodes = { in = "a", out = "b" } of an instance.
    void read_joined(const Entry& joined) {
        const Value& nodes = joined.value;
        if (nodes.kind != Value::Kind::table)
            return fail(nodes.place,
                        fmt::format("\"{}\" is a table such as {{ in = \"a\", out = \"b\" }}, not {}",
                                    joined.key, kind_name(nodes)));
        for (const auto& entry : nodes.entries) {
            const bool name = entry.value.kind == Value::Kind::string;
            const auto words = name ? words_of(entry.value.text) : std::vector<std::string_view>();
            if (words.size() != 1) {
                fail(entry.value.place, fmt::format("the name of a {} is wanted here", what_of(domain_)));
                continue;
            }
            const End end = end_of(entry.value, words[0]);
            check_end(end);
            draft_.joined.emplace_back(entry.key, end);
        }
    }

    const Entry& entry_;
    const Domain domain_;
    const Lines& lines_;  // of the file
    Report& report_;
    PoleDraft draft_;
};

}  // namespace

std::string_view joining_key(Domain domain) { return domain == Domain::circuit ? "nodes" : "points"; }

const Value* PoleDraft::find(std::string_view key) const {
    const Entry* found = front::find(entry->value, key);
    return found ? &found->value : nullptr;
}

std::vector<PoleDraft> read_poles(const Value& table, Domain domain, Report& report) {
    const Lines lines(report.sources().files[table.place.file].text);
    std::vector<PoleDraft> drafts;
    for (const auto& entry : table.entries) drafts.push_back(PoleReader(entry, domain, lines, report).read());
    return drafts;
}

}  // namespace deltaflow::front
