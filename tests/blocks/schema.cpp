// The JSON schema is JSON, and speaks of every block.
#include "blocks/catalogue.hpp"
#include "blocks/json_text.hpp"
#include "bonds/catalogue.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

using namespace deltaflow;

namespace {

// A recogniser of JSON (RFC 8259) without its rarer escapes; throws where the text is none.
class Json {
public:
    explicit Json(std::string_view text) : text_(text) {}

    void check() {
        value();
        blank();
        if (!text_.empty()) fail("nothing more");
    }

private:
    [[noreturn]] void fail(const char* wanted) const {
        throw std::runtime_error(fmt::format("{} wanted before: {}", wanted, text_.substr(0, 30)));
    }

    void blank() {
        while (!text_.empty() && (text_.front() == ' ' || text_.front() == '\n')) text_.remove_prefix(1);
    }

    bool accept(std::string_view token) {
        blank();
        if (text_.substr(0, token.size()) != token) return false;
        text_.remove_prefix(token.size());
        return true;
    }

    void expect(const char* token) {
        if (!accept(token)) fail(token);
    }

    void value() {
        if (accept("{")) return members();
        if (accept("[")) return items();
        if (accept("\"")) return string();
        if (accept("true") || accept("false") || accept("null")) return;
        number();
    }

    void members() {
        if (accept("}")) return;
        do {
            expect("\"");
            string();
            expect(":");
            value();
        } while (accept(","));
        expect("}");
    }

    void items() {
        if (accept("]")) return;
        do value();
        while (accept(","));
        expect("]");
    }

    void string() {
        while (!text_.empty() && text_.front() != '"') text_.remove_prefix(text_.front() == '\\' ? 2 : 1);
        expect("\"");
    }

    void number() {
        const auto length = text_.find_first_not_of("-+.0123456789eE");
        if (length == 0) fail("a value");
        text_.remove_prefix(length);
    }

    std::string_view text_;
};

}  // namespace

TEST_CASE("The schema is well-formed and refers only to what it defines", "[schema]") {
    const std::string schema = bonds::model_schema();
    CHECK_NOTHROW(Json(schema).check());
    const std::string_view mark = "\"#/$defs/";
    for (auto at = schema.find(mark); at != std::string::npos; at = schema.find(mark, at + 1)) {
        const auto begin = at + mark.size();
        const std::string name = schema.substr(begin, schema.find('"', begin) - begin);
        INFO(name);
        CHECK(schema.find(fmt::format("    \"{}\": {{", name)) != std::string::npos);
    }
}

TEST_CASE("The schema has every block with its keys", "[schema]") {
    const std::string schema = bonds::model_schema();
    for (const BlockType& type : catalogue()) {
        INFO(type.type);
        const auto begin = schema.find(fmt::format("\n    \"block_{}\": {{", type.type));
        REQUIRE(begin != std::string::npos);
        const std::string entry = schema.substr(begin, schema.find("\n    }", begin) - begin);
        for (const Port& port : type.inputs)
            CHECK(entry.find(fmt::format("\"{}\": {{", port.name)) != std::string::npos);
        for (const Parameter& p : type.parameters)
            CHECK(entry.find(fmt::format("\"{}\": {{", p.name)) != std::string::npos);
    }
}

TEST_CASE("JSON text is escaped and indented", "[schema]") {
    CHECK(json_text::string("a\"b\\c\n") == "\"a\\\"b\\\\c\\u000a\"");
    CHECK(json_text::pretty("{\"a\":[1,\"{,\\\"}\"],\"b\":{},\"c\":[]}") ==
          "{\n  \"a\": [\n    1,\n    \"{,\\\"}\"\n  ],\n  \"b\": {},\n  \"c\": []\n}\n");
}

TEST_CASE("The schema has every element with its keys", "[schema]") {
    const std::string schema = bonds::model_schema();
    for (const bonds::ElementType& type : bonds::elements()) {
        INFO(type.type);
        const auto begin = schema.find(fmt::format("\n    \"element_{}\": {{", type.type));
        REQUIRE(begin != std::string::npos);
        const std::string entry = schema.substr(begin, schema.find("\n    }", begin) - begin);
        for (const auto& p : type.parameters)
            CHECK(entry.find(fmt::format("\"{}\": {{", p.name)) != std::string::npos);
    }
}
