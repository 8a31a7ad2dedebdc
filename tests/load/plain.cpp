// A plain document is read in a way of its own, and comes out the same.
#include "engine/front/read/text.hpp"
#include "tests/paths.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <bit>
#include <filesystem>
#include <random>

using namespace deltaflow;
using namespace deltaflow::front;

namespace {

std::string as_text(const Place& p) { return fmt::format("{}:{}+{} ", p.line, p.column, p.length); }

// All that a value is, bit for bit.
std::string as_text(const Value& v) {
    std::string all = fmt::format("{}{} {} {} \"{}\"", as_text(v.place), static_cast<int>(v.kind), v.integer,
                                  std::bit_cast<std::uint64_t>(v.real), v.text);
    for (const Value& item : v.items) all += "\n" + as_text(item);
    for (const Entry& entry : v.entries)
        all += "\n" + entry.key + " " + as_text(entry.place) + as_text(entry.value);
    return all;
}

// Is it plain? Then both ways agree.
bool is_plain(const std::string& text) {
    const auto plain = parse_plain(text, 0);
    if (!plain) return false;
    REQUIRE(!check_text(text, 0));
    Diagnostic error;
    const auto any = parse_any(text, 0, error);
    CAPTURE(text, error.message);
    REQUIRE(any);
    REQUIRE(as_text(*plain) == as_text(*any));
    return true;
}

std::vector<std::string> texts_in(const std::string& folder) {
    std::vector<std::string> texts;
    for (const auto& entry : std::filesystem::directory_iterator(test::project_folder() + "/" + folder)) {
        if (entry.path().extension() != ".toml") continue;
        std::string text = read_text(entry.path().string());
        texts.push_back(std::move(text));
    }
    std::sort(texts.begin(), texts.end());
    return texts;
}

}  // namespace

TEST_CASE("models are plain, and come out the same either way", "[load]") {
    const auto models = texts_in("diagrams");
    const auto plain = std::count_if(models.begin(), models.end(), is_plain);
    CHECK(plain > static_cast<std::ptrdiff_t>(models.size() * 3 / 4));
    for (const char* folder : {"diagrams/library", "tests/bad", "tests/fuzz/corpus"})
        for (const std::string& text : texts_in(folder)) is_plain(text);
}

TEST_CASE("what is written in another way is left to those who know all of TOML", "[load]") {
    for (const char* value : {"1",
                              "-1",
                              "+1",
                              "0",
                              "-0",
                              "007",
                              "1_000",
                              "0x1F",
                              "999999999999999999",
                              "9223372036854775807",
                              "9223372036854775808",
                              "1.5",
                              "-1.5",
                              "+0.25",
                              "-0.0",
                              "1.",
                              ".5",
                              "1e5",
                              "1E-5",
                              "1.5e+300",
                              "1e400",
                              "1e-400",
                              "4.9e-324",
                              "0.1",
                              "3.0000000000000000000000000001",
                              "inf",
                              "-nan",
                              "true",
                              "false",
                              "truth",
                              "1979-05-27",
                              "07:32:00",
                              "\"\"",
                              "\"a # b\"",
                              "\"a\\tb\"",
                              "\"\"\"a\"\"\"",
                              "'a\\b'",
                              "''",
                              "'''a'''",
                              "\"\xC3\xA9\"",
                              "[]",
                              "[1, 2]",
                              "[1, 2,]",
                              "[,]",
                              "[1 2]",
                              "[ # one\n 1, # two\n\n 2 ]",
                              "[[1], []]",
                              "[1\n",
                              "{}",
                              "{ a = 1 }",
                              "{ a = 1, b = \"c\" }",
                              "{ a = 1, }",
                              "{ a = 1, a = 2 }",
                              "{ a.b = 1 }",
                              "{ a = 1\n}",
                              "{ a = { a = [{ a = 1 }] } }",
                              "1 # one",
                              "1 2",
                              "1\t",
                              "\"no end",
                              ""}) {
        is_plain(fmt::format("x = {}\ny = 2\n", value));
        is_plain(fmt::format("[a]\nx = [{}]\n", value));
        is_plain(fmt::format("x = {{ y = {} }}\n\n", value));
        is_plain(fmt::format("\nx = {}", value));
    }
    for (const char* text : {"[a]\n[b]\n[a.c]\nx = 1\n",
                             "[a.b]\n[a]\n",
                             "[a]\n[a]\n",
                             "a = 1\n[a]\n",
                             "a = {}\n[a.b]\n",
                             "[ a . b ] # c\nx=1\n",
                             "[a]b\n\n",
                             "[[a]]\n\n",
                             "[\"a\"]\n\n",
                             "[a.b.c]\n[a.b.d]\n[a.e]\nx = 1\n",
                             "a.b = 1\n\n",
                             "a = 1\na = 2\n",
                             "[a]\nb = 1\n[a.b]\n",
                             "\"a\" = 1\n\n",
                             "a-b_1 = 1\n\n",
                             "a = 1\r\nb = 2\r\n",
                             "\n\n",
                             "\t # c\n a = 1\n",
                             "# \x07\n\n",
                             "# \xC3\xA9\n\n",
                             "x\n\n",
                             "= 1\n\n"})
        is_plain(text);
    CHECK(is_plain("[a]\nx = { b = [1, 2.5, 'c'] } # d\n"));
}

TEST_CASE("damaged models never come out differently", "[load]") {
    std::mt19937 dice(1);
    const std::string letters = "[]{}=.,#\"'\\ \n\tab01-+e_";
    const auto models = texts_in("diagrams");
    int plain = 0;
    for (int i = 0; i < 6000; ++i) {
        std::string text = models[dice() % models.size()].substr(0, 1500);
        for (unsigned harm = 1 + dice() % 3; harm > 0 && !text.empty(); --harm) {
            const std::size_t at = dice() % text.size();
            if (dice() % 2)
                text.erase(at, 1 + dice() % 3);
            else
                text.insert(at, 1, letters[dice() % letters.size()]);
        }
        if (is_plain(text)) ++plain;
    }
    CHECK(plain > 500);
}
