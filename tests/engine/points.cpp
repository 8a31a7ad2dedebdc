// Points of studies: drawn from their numbers alone, and evenly where that is asked for.
#include "engine/study/points.hpp"

#include "engine/study/sobol.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <set>

using namespace deltaflow;

namespace {

using Kind = SweepAxis::Draw::Kind;

Points two_axes(Sampling sampling, std::size_t runs, std::uint64_t seed = 1) {
    return Points(
        {{"a", {}, SweepAxis::Draw{Kind::uniform, 0, 1}}, {"b", {}, SweepAxis::Draw{Kind::uniform, 0, 1}}},
        {sampling, runs, seed});
}

std::vector<double> axis_of(const Points& points, std::size_t axis) {
    std::vector<double> values;
    for (std::size_t i = 0; i < points.size(); ++i) values.push_back(std::stod(points.values(i)[axis]));
    return values;
}

}  // namespace

TEST_CASE("Sobol's sequence begins as published", "[engine][study]") {
    // Joe and Kuo's direction numbers, Gray code order: points 0 to 7 of dimensions 1 to 5, in eighths.
    const std::vector<std::vector<int>> eighths{{0, 0, 0, 0, 0}, {4, 4, 4, 4, 4}, {6, 2, 2, 2, 6},
                                                {2, 6, 6, 6, 2}, {3, 3, 5, 7, 3}, {7, 7, 1, 3, 7},
                                                {5, 1, 7, 5, 5}, {1, 5, 3, 1, 1}};
    for (std::uint64_t n = 0; n < eighths.size(); ++n) {
        const auto point = sobol_point(5, n);
        for (std::size_t d = 0; d < 5; ++d) {
            CAPTURE(n, d);
            CHECK(std::ldexp(static_cast<double>(point[d]), -61) == eighths[n][d]);
        }
    }
}

TEST_CASE("evenly spread points have one in each part of every axis", "[engine][study]") {
    for (const Sampling sampling : {Sampling::latin, Sampling::sobol})
        for (const std::uint64_t seed : {0, 1, 77}) {
            const Points points = two_axes(sampling, 256, seed);
            for (const std::size_t axis : {0, 1}) {
                std::set<int> parts;
                for (const double x : axis_of(points, axis)) parts.insert(static_cast<int>(256 * x));
                CHECK(parts.size() == 256);
            }
        }
    // Sobol's are so in two dimensions at once: one in each of 16 by 16 squares.
    const Points points = two_axes(Sampling::sobol, 256, 5);
    const auto a = axis_of(points, 0), b = axis_of(points, 1);
    std::set<std::pair<int, int>> squares;
    for (std::size_t i = 0; i < a.size(); ++i) squares.emplace(16 * a[i], 16 * b[i]);
    CHECK(squares.size() == 256);
    // A number of runs that is no power of two, and another order by another seed.
    const auto seven = axis_of(two_axes(Sampling::latin, 7, 1), 0),
               other = axis_of(two_axes(Sampling::latin, 7, 2), 0);
    std::set<int> parts;
    for (const double x : seven) parts.insert(static_cast<int>(7 * x));
    CHECK(parts == std::set<int>{0, 1, 2, 3, 4, 5, 6});
    CHECK(seven != other);
}

TEST_CASE("evenly spread normal values have their mean and deviation, nearly", "[engine][study]") {
    for (const Sampling sampling : {Sampling::latin, Sampling::sobol}) {
        const Points points({{"m", {}, SweepAxis::Draw{Kind::normal, 3, 0.5}}}, {sampling, 4096, 1});
        double mean = 0, square = 0;
        for (const double x : axis_of(points, 0)) mean += x / 4096;
        for (const double x : axis_of(points, 0)) square += (x - mean) * (x - mean) / 4096;
        CHECK(mean == Approx(3).margin(1e-3));
        CHECK(std::sqrt(square) == Approx(0.5).margin(2e-3));  // chance alone: 6e-3
    }
}

TEST_CASE("rows of a file stay together, and are combined with other axes", "[engine][study]") {
    const Points points({{"a", {"1", "2"}}, {"b", {"x", "y", "z"}, {}, 0}, {"c", {"3", "4", "5"}, {}, 0}});
    REQUIRE(points.size() == 6);
    CHECK(points.values(4) == std::vector<std::string>{"2", "y", "4"});
    CHECK(points.values(5) == std::vector<std::string>{"2", "z", "5"});
}
