// The house: who may include whom, and numbers that may only fall.
#include "tests/house/sources.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <set>

using namespace deltaflow::house;

namespace {

using Arrows = std::map<std::string, std::set<std::string>>;

// What each room may include: what the table says, what that may include, and itself.
Arrows allowed() {
    Arrows arrows;
    for (const auto& row : table("tests/house/rooms.txt")) {
        auto& all = arrows[row[0]];
        all.insert(row[0]);
        for (std::size_t i = 1; i < row.size(); ++i) {
            const auto& further = arrows.at(row[i]);  // rooms stand below those they include
            all.insert(further.begin(), further.end());
        }
    }
    return arrows;
}

// Numbers of limits belong to no room.
bool is_free(const std::string& include) { return include == "engine/limits.hpp"; }

std::map<std::string, std::size_t> ratchets() {
    std::map<std::string, std::size_t> all;
    for (const auto& row : table("tests/house/ratchets.txt")) {
        std::string name = row[0];
        for (std::size_t i = 1; i + 1 < row.size(); ++i) name += " " + row[i];
        all[name] = std::stoul(row.back());
    }
    return all;
}

// What one room may have at most; those that are not in the table keep to what all shall come to.
struct Sizes {
    std::size_t files = 30, lines = 350, function = 40, fields = 15, methods = 30;
};

std::map<std::string, Sizes> sizes() {
    std::map<std::string, Sizes> all;
    for (const auto& row : table("tests/house/sizes.txt")) {
        REQUIRE(row.size() == 6);
        all[row[0]] = {std::stoul(row[1]), std::stoul(row[2]), std::stoul(row[3]), std::stoul(row[4]),
                       std::stoul(row[5])};
    }
    return all;
}

void check_all(const char* what, const std::vector<Part>& parts, std::size_t most) {
    for (const Part& part : parts) {
        INFO(what << " of " << part.name << ": at most " << most);
        CHECK(part.size <= most);
    }
}

// Matches in files whose path begins with `top`.
std::size_t total(const std::vector<Source>& all, const std::string& pattern, const std::string& top = "") {
    std::size_t count = 0;
    for (const Source& source : all)
        if (source.path.rfind(top, 0) == 0) count += count_matches(source, pattern);
    return count;
}

}  // namespace

TEST_CASE("rooms include what they may, and nothing else", "[house]") {
    const Arrows arrows = allowed();
    for (const Source& source : sources()) {
        const auto room = arrows.find(room_of(source.path));
        INFO(source.path << " is in a room that tests/house/rooms.txt does not have");
        REQUIRE(room != arrows.end());
        for (const std::string& include : includes(source)) {
            INFO(source.path << " may not include " << include);
            CHECK((is_free(include) || room->second.count(room_of(include)) == 1));
        }
    }
}

TEST_CASE("files, functions and classes do not grow", "[house]") {
    const auto known = sizes();
    std::map<std::string, std::size_t> files;
    for (const Source& source : sources()) {
        const auto row = known.find(source.folder());
        const Sizes most = row == known.end() ? Sizes() : row->second;
        INFO(source.path << ", a file of tests/house/sizes.txt");
        CHECK(++files[source.folder()] <= most.files);
        CHECK(source.lines.size() <= most.lines);
        check_all("lines", functions(source), most.function);
        check_all("fields", fields(source), most.fields);
        check_all("methods", methods(source), most.methods);
    }
}

TEST_CASE("what is typed is not spelt, and only the program knows exit codes", "[house]") {
    const auto all = sources();
    CHECK(total(all, R"(^\s*friend (?!.*operator))") <= ratchets().at("friends"));
    CHECK(total(all, R"re((method|impulses|riemann|simultaneous|zeno|end_reason) [!=]= ")re") <=
          ratchets().at("settings compared with words"));
    CHECK(total(all, R"(exit_code\()", "engine/") <= ratchets().at("exit codes outside of app"));
}
