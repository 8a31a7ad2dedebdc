// Numbers of runs taken apart, and chance that needs no memory: every draw is a hash of seed, name and
// number.
#include "engine/study/points.hpp"

#include "engine/study/sobol.hpp"

#include <fmt/format.h>
#include <boost/math/special_functions/erf.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace deltaflow {

namespace {

using Draw = SweepAxis::Draw;

// A good mixture of all bits (splitmix64).
std::uint64_t mixed(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

// FNV-1a of the name: what is drawn for it does not depend on what else there is.
std::uint64_t key_of(const std::string& name, std::uint64_t seed) {
    std::uint64_t key = 0xcbf29ce484222325;
    for (const char c : name) key = (key ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return mixed(key ^ mixed(seed));
}

// Between 0 and 1, never one of them.
double fraction(std::uint64_t bits) { return (static_cast<double>(bits >> 11) + 0.5) * 0x1p-53; }
double chance(std::uint64_t key, std::uint64_t number) { return fraction(mixed(key ^ mixed(number))); }

// A permutation of 0 ... n - 1 that nobody keeps: four rounds of Feistel's network on enough bits, again as
// long as it leads beyond n.
std::uint64_t shuffled(std::uint64_t i, std::uint64_t n, std::uint64_t key) {
    int half = 1;
    while (half < 32 && (std::uint64_t{1} << (2 * half)) < n) ++half;
    const std::uint64_t mask = (std::uint64_t{1} << half) - 1;
    do {
        std::uint64_t left = i >> half, right = i & mask;
        for (std::uint64_t round = 0; round < 4; ++round) {
            const std::uint64_t next = left ^ (mixed(key ^ mixed(right + (round << 40))) & mask);
            left = right;
            right = next;
        }
        i = (left << half) | right;
    } while (i >= n);
    return i;
}

double value_of(const Draw& draw, double u) {
    return draw.kind == Draw::Kind::uniform
               ? draw.first + (draw.second - draw.first) * u
               : draw.first - draw.second * std::numbers::sqrt2 * boost::math::erfc_inv(2 * u);
}

// By chance, as Box and Muller do it.
double value_by_chance(const Draw& draw, std::uint64_t key, std::size_t run) {
    const double u = chance(key, 2 * run), v = chance(key, 2 * run + 1);
    if (draw.kind == Draw::Kind::uniform) return value_of(draw, u);
    return draw.first + draw.second * std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v);
}

// The first axis of its file, or one that belongs to none, counts; what is drawn counts once.
template <class Count>
void for_each_count(const std::vector<SweepAxis>& axes, const Count& count) {
    for (std::size_t a = 0; a < axes.size(); ++a) {
        const bool joined = a > 0 && axes[a].file >= 0 && axes[a].file == axes[a - 1].file;
        if (!axes[a].draw && !joined) count(axes[a].values.size());
    }
}

}  // namespace

double combinations(const std::vector<SweepAxis>& axes, std::size_t draws) {
    double count = 1;
    for_each_count(axes, [&](std::size_t n) { count *= static_cast<double>(n); });
    const auto is_drawn = [](const SweepAxis& axis) { return axis.draw.has_value(); };
    return std::any_of(axes.begin(), axes.end(), is_drawn) ? count * static_cast<double>(draws) : count;
}

Points::Points(std::vector<SweepAxis> axes, const Draws& draws) : axes_(std::move(axes)), draws_(draws) {
    for (const SweepAxis& axis : axes_) drawn_ += axis.draw ? 1 : 0;
    if (drawn_ == 0) draws_.runs = 1;
    size_ = draws_.runs;
    for_each_count(axes_, [&](std::size_t n) { size_ *= n; });
}

double Points::drawn(std::size_t a, std::size_t n, std::size_t run) const {
    const SweepAxis& axis = axes_[a];
    const std::uint64_t key = key_of(axis.name, draws_.seed);
    switch (draws_.sampling) {
        case Sampling::chance:
            return value_by_chance(*axis.draw, key, run);
        case Sampling::latin: {
            const auto part = static_cast<double>(shuffled(run, draws_.runs, key));
            return value_of(*axis.draw, (part + chance(key, run)) / static_cast<double>(draws_.runs));
        }
        case Sampling::sobol:
            // The same bits of an axis are turned over in all of its points; that keeps them evenly spread.
            return value_of(*axis.draw, fraction(sobol_point(drawn_, run)[n] ^ key));
    }
    return std::numeric_limits<double>::quiet_NaN();
}

std::vector<std::string> Points::values(std::size_t index) const {
    std::vector<std::string> values(axes_.size());
    const std::size_t run = index % draws_.runs;
    index /= draws_.runs;
    std::size_t nth = drawn_;
    for (std::size_t a = axes_.size(); a-- > 0;) {
        const SweepAxis& axis = axes_[a];
        if (axis.draw) {
            values[a] = fmt::format("{:.17g}", drawn(a, --nth, run));
            continue;
        }
        values[a] = axis.values[index % axis.values.size()];
        const bool joined = a > 0 && axis.file >= 0 && axes_[a - 1].file == axis.file;
        if (!joined) index /= axis.values.size();
    }
    return values;
}

std::string Points::description() const {
    std::string text = fmt::format("{} {} {}\n", static_cast<int>(draws_.sampling), draws_.runs, draws_.seed);
    for (const SweepAxis& axis : axes_) {
        text += axis.name;
        if (axis.draw)
            text += fmt::format(" {} {:.17g} {:.17g}", static_cast<int>(axis.draw->kind), axis.draw->first,
                                axis.draw->second);
        for (const std::string& value : axis.values) text += " " + value;
        text += fmt::format(" {}\n", axis.file);
    }
    return text;
}

}  // namespace deltaflow
