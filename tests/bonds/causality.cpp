// Causality that follows changes of mode, against the same mode assigned from nothing.
#include "bonds/causality.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

using namespace deltaflow;
using bonds::Type;

namespace {

struct RandomGraph {
    std::mt19937& random;
    bonds::Graph g = {};
    std::vector<std::uint32_t> joints = {};

    std::uint32_t below(std::size_t n) { return static_cast<std::uint32_t>(random() % n); }
    std::uint32_t add(Type type) {
        g.elements.push_back({type, fmt::format("x{}", g.elements.size()), {}});
        return static_cast<std::uint32_t>(g.elements.size() - 1);
    }
    void join(std::uint32_t a, std::uint32_t b) {
        if (random() % 2) std::swap(a, b);
        g.bonds.push_back({fmt::format("b{}", g.bonds.size()), {}, a, b});
    }
    std::uint32_t two_port(std::uint32_t a, std::uint32_t b) {
        const std::uint32_t x = add(random() % 2 ? Type::TF : Type::GY);
        if (random() % 3 == 0) g.elements[x].parameter = 0;  // modulated
        g.bonds.push_back({fmt::format("b{}", g.bonds.size()), {}, a, x});
        g.bonds.push_back({fmt::format("b{}", g.bonds.size()), {}, x, b});
        return x;
    }
    void control(std::uint32_t x) {
        g.elements[x].automaton = static_cast<int>(g.automata.size());
        g.elements[x].off = random() % 2 ? bonds::Off::effort : bonds::Off::flow;
        bonds::Automaton a;
        a.states = {"a", "b", "c"};
        a.on = {1, 0, 1};
        g.automata.push_back(a);
    }

    // Junctions in a tree with a few more bonds, everything else hung onto them.
    void build(std::size_t junctions) {
        for (std::size_t i = 0; i < junctions; ++i) {
            const std::uint32_t x = add(random() % 2 ? Type::zero : Type::one);
            if (random() % 3 == 0) control(x);
            for (std::size_t j = random() % 12 == 0 ? 2 : 1; j > 0 && i > 0; --j) {
                const std::uint32_t to = below(i);
                random() % 5 == 0 ? void(two_port(joints[to], x)) : join(joints[to], x);
            }
            joints.push_back(x);
            for (std::size_t leaves = 1 + random() % 3; leaves > 0; --leaves) hang(x);
        }
    }
    void hang(std::uint32_t at) {
        constexpr Type leaves[] = {Type::R, Type::C, Type::I, Type::C, Type::I, Type::Se, Type::Sf, Type::Sw};
        const std::uint32_t x = add(leaves[random() % (random() % 8 == 0 ? 8 : 5)]);
        if (g.elements[x].type == Type::Sw) control(x);
        join(at, x);
    }
};

bonds::Mode random_mode(const bonds::Graph& g, std::mt19937& random) {
    bonds::Mode mode(g.automata.size());
    for (auto& state : mode) state = static_cast<std::uint32_t>(random() % 3);
    return mode;
}

// Nothing, if the mode has no causality.
template <class Assign>
std::optional<bonds::Causality> tried(const Assign& assign) {
    try {
        return assign();
    } catch (const bonds::CausalConflict&) {
        return std::nullopt;
    }
}

}  // namespace

TEST_CASE("Causality follows a change of mode to what it is when assigned from nothing", "[bonds]") {
    std::mt19937 random(4);
    int compared = 0, conflicts = 0, dependent = 0;
    for (int graph = 0; graph < 300; ++graph) {
        RandomGraph r{random};
        r.build(2 + random() % 24);
        const bonds::Ports ports(r.g);
        bonds::CausalityOfModes causality(r.g, ports);
        bonds::Mode mode = random_mode(r.g, random);
        for (int change = 0; change < 20; ++change) {
            const auto followed = tried([&] {
                causality.move_to(mode);
                return causality.now();
            });
            const auto anew = tried([&] { return bonds::assign_causality(r.g, ports, mode); });
            REQUIRE(followed.has_value() == anew.has_value());
            if (anew) {
                REQUIRE(followed->effort_by == anew->effort_by);
                REQUIRE(followed->dependent == anew->dependent);
                dependent += static_cast<int>(std::count(anew->dependent.begin(), anew->dependent.end(), 1));
            }
            ++(anew ? compared : conflicts);
            if (mode.empty()) break;
            if (random() % 8 == 0) mode = random_mode(r.g, random);
            mode[random() % mode.size()] = static_cast<std::uint32_t>(random() % 3);
        }
    }
    CHECK(compared > 1000);
    CHECK(conflicts > 100);
    CHECK(dependent > 1000);
}

TEST_CASE("A conflict of sources is told alike whichever mode was there before", "[bonds]") {
    std::mt19937 random(7);
    int conflicts = 0;
    const auto path_of = [](const auto& assign) {
        try {
            assign();
        } catch (const bonds::CausalConflict& conflict) {
            return conflict.path;
        }
        return std::vector<std::uint32_t>();
    };
    while (conflicts < 100) {
        RandomGraph r{random};
        r.build(2 + random() % 12);
        const bonds::Ports ports(r.g);
        bonds::CausalityOfModes causality(r.g, ports);
        for (int change = 0; change < 10; ++change) {
            const bonds::Mode mode = random_mode(r.g, random);
            const auto path = path_of([&] { causality.move_to(mode); });
            CHECK(path == path_of([&] { bonds::assign_causality(r.g, ports, mode); }));
            conflicts += !path.empty();
        }
    }
}

TEST_CASE("A switch changes causality only where it is felt", "[bonds]") {
    // Storages in a row: pairs meet in junctions that are off at first, so a switch joins two of them.
    bonds::Graph g;
    const auto add = [&](Type type) {
        g.elements.push_back({type, "", {}});
        return static_cast<std::uint32_t>(g.elements.size() - 1);
    };
    const auto join = [&](std::uint32_t a, std::uint32_t b) { g.bonds.push_back({"", {}, a, b}); };
    std::uint32_t before = 0;
    for (int i = 0; i < 100; ++i) {
        const std::uint32_t speed = add(Type::one), body = add(Type::I);
        join(speed, body);
        if (i > 0) {
            const std::uint32_t touch = add(Type::zero);
            g.elements[touch].automaton = static_cast<int>(g.automata.size());
            g.automata.emplace_back().states = {"apart", "together"};
            g.automata.back().on = {0, 1};
            join(before, touch);
            join(touch, speed);
        }
        before = speed;
    }
    const bonds::Ports ports(g);
    bonds::CausalityOfModes causality(g, ports);
    bonds::Mode mode(g.automata.size(), 0);
    causality.move_to(mode);
    CHECK(causality.changed().size() == g.elements.size());
    for (int i = 0; i < 99; ++i) {
        mode[static_cast<std::size_t>(i)] = 1;
        causality.move_to(mode);
        CHECK(causality.changed().size() < 6);
        CHECK(std::count(causality.now().dependent.begin(), causality.now().dependent.end(), 1) == 1);
        mode[static_cast<std::size_t>(i)] = 0;
        causality.move_to(mode);
        CHECK(causality.changed().size() < 6);
    }
}
