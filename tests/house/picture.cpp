// The rooms as a picture: what stands on what. Arrows that follow from others are left out.
#include "tests/docs/markdown.hpp"
#include "tests/docs/replay.hpp"
#include "tests/house/sources.hpp"
#include "tests/paths.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>

using namespace deltaflow::house;

namespace {

struct Room {
    std::string name;
    std::vector<std::string> stands_on;  // directly
    std::set<std::string> below;         // everything that it may include
    std::size_t floor = 0;
};

std::vector<Room> rooms() {
    std::vector<Room> all;
    const auto find = [&](const std::string& name) {
        return *std::find_if(all.begin(), all.end(), [&](const Room& r) { return r.name == name; });
    };
    for (const auto& row : table("tests/house/rooms.txt")) {
        Room room{row[0], {}, {}, 0};
        for (std::size_t i = 1; i < row.size(); ++i) {
            const Room other = find(row[i]);
            room.below.insert(other.below.begin(), other.below.end());
            room.floor = std::max(room.floor, other.floor + 1);
        }
        for (std::size_t i = 1; i < row.size(); ++i)
            if (room.below.count(row[i]) == 0) room.stands_on.push_back(row[i]);
        room.below.insert(row.begin() + 1, row.end());
        all.push_back(room);
    }
    return all;
}

// Most rooms stand on each other; wings have columns of their own.
double column_of(const std::string& room) {
    const std::map<std::string, double> wings{{"include/deltaflow", 0},     {"engine/front/read", 0},
                                              {"engine/front/flatten", 0},  {"engine/front", 0},
                                              {"report/explain", 0},        {"engine/numerics", 2},
                                              {"engine/solve/steppers", 2}, {"report/hypa", 2},
                                              {"engine/solve/exact", 3},    {"report/ask", 2},
                                              {"engine/run/germs", 0},      {"engine/run/flow", 0},
                                              {"engine/run/instants", 0},   {"engine/run/rounded", 0},
                                              {"engine/run/exact", 2},      {"python/source", 2},
                                              {"blocks/types", 0},          {"report/editor", 3}};
    const auto wing = wings.find(room);
    return wing == wings.end() ? 1 : wing->second;
}

constexpr double wide = 158, high = 26, across = 182, up = 44, edge = 12;

struct Place {
    double x, y;  // of the middle of the upper edge
};

Place place_of(const Room& room, std::size_t floors) {
    return {edge + wide / 2 + across * column_of(room.name),
            edge + up * static_cast<double>(floors - room.floor)};
}

std::string picture_of(const std::vector<Room>& all) {
    std::size_t floors = 0;
    std::map<std::string, Place> places;
    for (const Room& room : all) floors = std::max(floors, room.floor);
    for (const Room& room : all) places[room.name] = place_of(room, floors);
    const double width = 2 * edge + 3 * across + wide,
                 height = 2 * edge + up * static_cast<double>(floors) + high;
    std::string svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
        "role=\"img\">\n<title>Rooms of the house, and what each stands on</title>\n<style>\n"
        "  text {{ font: 12.5px system-ui, \"DejaVu Sans\", sans-serif; fill: #1f2328; text-anchor: middle; "
        "}}\n"
        "  .page {{ fill: #ffffff; }} .room {{ fill: #f6f8fa; stroke: #8c959f; }} .arrow {{ fill: none; "
        "stroke: "
        "#0969da; }}\n  @media screen and (prefers-color-scheme: dark) {{\n    text {{ fill: #f0f6fc; }} "
        ".page {{ fill: "
        "#0d1117; }} .room {{ fill: #151b23; stroke: #656c76; }} .arrow {{ stroke: #58a6ff; }}\n  "
        "}}\n</style>\n"
        "<rect class=\"page\" width=\"{0}\" height=\"{1}\"/>\n",
        width, height);
    for (const Room& room : all)
        for (const std::string& other : room.stands_on) {
            const Place from = places[room.name], to = places[other];
            svg +=
                fmt::format("<path class=\"arrow\" d=\"M{} {}C{} {} {} {} {} {}\"/>\n", from.x, from.y + high,
                            from.x, from.y + high + up / 2, to.x, to.y - up / 2, to.x, to.y);
        }
    for (const Room& room : all) {
        const Place p = places[room.name];
        svg += fmt::format(
            "<rect class=\"room\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"4\"/>\n<text x=\"{}\" "
            "y=\"{}\">{}</text>\n",
            p.x - wide / 2, p.y, wide, high, p.x, p.y + 17.5, room.name);
    }
    return svg + "</svg>\n";
}

}  // namespace

TEST_CASE("the picture of the house shows its rooms", "[house][docs]") {
    const std::string path = deltaflow::test::project_folder() + "/docs/pictures/rooms.svg";
    const std::string drawn = picture_of(rooms());
    if (deltaflow::test::refreshing()) std::ofstream(path) << drawn;
    INFO("./dev docs brings it up to date");
    CHECK(deltaflow::test::text_of(path) == drawn);
}
