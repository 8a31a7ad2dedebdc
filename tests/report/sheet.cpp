// Files that are written in any order while a run goes on.
#include "report/text/sheet.hpp"

#include "engine/simulate.hpp"
#include "report/write/csv.hpp"
#include "report/write/json.hpp"
#include "tests/paths.hpp"

#include <catch2/catch.hpp>

#include <random>

using namespace deltaflow;
using report::MemorySheet, report::Output, report::Regions, report::Sheet, report::text_of;

namespace {

// In a hurry from some number of writes on.
class HurriedSheet final : public Sheet {
public:
    explicit HurriedSheet(int& writes) : writes_(writes) {}
    void put(std::uint64_t at, std::string_view text) override {
        --writes_;
        text_.put(at, text);
    }
    void get(std::uint64_t at, std::span<char> text) override { text_.get(at, text); }
    void cut(std::uint64_t size) override { text_.cut(size); }
    std::unique_ptr<Sheet> another() override { return std::make_unique<HurriedSheet>(writes_); }
    void become(Sheet& other) override { text_.become(dynamic_cast<HurriedSheet&>(other).text_); }
    bool hurries() const override { return writes_ < 0; }
    const std::string& text() const { return text_.text(); }

private:
    int& writes_;
    MemorySheet text_;
};

std::string without_blanks(std::string text) {
    text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
    return text;
}

// Columns of words, some of which grow faster than others; what stands on the sheet, and what should.
std::pair<std::string, std::string> grown(Sheet& sheet, const std::string& (*text)(const Sheet&),
                                          unsigned seed) {
    std::mt19937 dice(seed);
    Regions regions(sheet, 1 << dice() % 10);
    std::vector<std::string> expected;
    for (std::size_t i = 0; i < 1 + seed % 4; ++i) {
        expected.push_back("[lead" + std::to_string(i) + ":");
        regions.open(expected.back());
    }
    const std::size_t words = dice() % 2000;
    for (std::size_t i = 0; i < words; ++i) {
        const std::size_t region = std::min<std::size_t>(dice() % 8, expected.size() - 1);
        const std::string word(dice() % (i % 100 == 99 ? 3000 : 20), static_cast<char>('a' + i % 26));
        regions.add(region, word);
        expected[region] += word;
    }
    std::string all;
    for (const std::string& region : expected) all += region;
    all += "tail";
    const std::uint64_t size = regions.close("tail");
    CHECK(size == text(sheet).size());
    return {text(sheet), all};
}

// A file on the way to a run's end.
template <class Sink>
std::string streamed(const FlatModel& model) {
    Output output;
    Sink sink(output, [] { return std::make_unique<MemorySheet>(); });
    run(model, sink);
    return output.text();
}

std::string without_clock(const std::string& json) { return json.substr(0, json.find("\"seconds\"")); }

}  // namespace

TEST_CASE("regions that grow stand one behind the other in the end", "[report]") {
    const auto text = +[](const Sheet& sheet) -> const std::string& {
        return dynamic_cast<const MemorySheet&>(sheet).text();
    };
    for (unsigned seed = 0; seed < 100; ++seed) {
        MemorySheet sheet;
        const auto [found, expected] = grown(sheet, text, seed);
        REQUIRE(found == expected);
    }
}

TEST_CASE("regions that are ended in a hurry have blanks between them, and nothing is lost", "[report]") {
    const auto text = +[](const Sheet& sheet) -> const std::string& {
        return dynamic_cast<const HurriedSheet&>(sheet).text();
    };
    for (unsigned seed = 0; seed < 100; ++seed) {
        int writes = static_cast<int>(seed * 7);
        HurriedSheet sheet(writes);
        const auto [found, expected] = grown(sheet, text, seed);
        REQUIRE(without_blanks(found) == expected);
    }
}

TEST_CASE("JSON as it comes is JSON of the whole trace", "[report]") {
    FlatModel model = load_model(test::project_folder() + "/diagrams/bouncing_ball.toml");
    for (const Rational& every : {Rational(1, 10), Rational(1, 50000)}) {
        model.settings.every = every;
        const Trace trace = simulate(model);
        const std::string whole = text_of([&](Output& output) { report::write_json(trace, output); });
        REQUIRE(without_clock(streamed<report::JsonSink>(model)) == without_clock(whole));
    }
}

TEST_CASE("CSV of a bond graph gets its columns when a mode shows an impulse", "[report]") {
    for (const char* name : {"clutch", "falling_rod", "newtons_cradle", "collision"}) {
        const FlatModel model = load_model(test::project_folder() + "/diagrams/" + name + ".toml");
        const Trace trace = simulate(model);
        const std::string whole = text_of([&](Output& output) { report::write_csv(trace, output); });
        REQUIRE(streamed<report::WideningCsvSink>(model) == whole);
        CHECK(whole.find(".delta") != std::string::npos);
    }
}
