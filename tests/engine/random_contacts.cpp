// Random rows and stacks of bodies with contacts against references that are worked out here: impacts by a
// quadratic program, falling stacks by joining bodies one impact after the other.
#include "tests/engine/run.hpp"
#include "tests/engine/seeds.hpp"

#include <fmt/format.h>
#include <Eigen/Dense>

#include <random>

using namespace deltaflow;
using namespace deltaflow::engine_test;

namespace {

struct Body {
    double mass, position, velocity;
};

struct Row {
    std::vector<Body> bodies;
    std::vector<double> restitution;  // of the contact of each body with the next
};

class Dice {
public:
    explicit Dice(unsigned seed) : random_(seed) {}
    int whole(int a, int b) { return std::uniform_int_distribution<int>(a, b)(random_); }
    double real(double a, double b) { return std::uniform_real_distribution<double>(a, b)(random_); }

private:
    std::mt19937 random_;
};

// Bodies that touch do not part: each is at most as fast as the one behind it.
Row draw_row(Dice& dice) {
    Row row;
    const int n = dice.whole(2, 9);
    double position = 0, velocity = dice.real(-1, 1);
    for (int i = 0; i < n; ++i) {
        row.bodies.push_back({dice.real(0.5, 2), position, velocity});
        row.restitution.push_back(dice.whole(0, 4) / 4.0);
        const bool touches = dice.whole(0, 3) > 0;
        if (!touches) position += 100;
        velocity = touches ? velocity - (dice.whole(0, 1) ? dice.real(0, 1) : 0) : dice.real(-1, 1);
    }
    return row;
}

std::string text_of(const Row& row, bool backwards) {
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < row.bodies.size(); ++i) {
        const Body& b = row.bodies[i];
        lines.push_back(fmt::format(
            "m{0} = {{ type = \"mass\", at = \"x{0}\", value = {1}, position = {2}, velocity = {3} }}\n", i,
            b.mass, b.position, b.velocity));
        if (i > 0)
            lines.push_back(
                fmt::format("c{0} = {{ type = \"contact\", between = \"x{0} x{1}\", restitution = {2} }}\n",
                            i, i - 1, row.restitution[i - 1]));
    }
    if (backwards) std::reverse(lines.begin(), lines.end());
    std::string text = "[mechanics]\n";
    for (const auto& line : lines) text += line;
    return text + "[simulation]\nstop = 1\n";
}

// min (v - v0)' M (v - v0) / 2 with u(v) + r u(v0) >= 0 at contacts that are closed: Hildreth's method, one
// multiplier (impulse) after the other.
std::vector<double> after_impact(const Row& row) {
    std::vector<double> v, impulse(row.bodies.size(), 0.0);
    for (const Body& b : row.bodies) v.push_back(b.velocity);
    const std::vector<double> before = v;
    for (int sweep = 0; sweep < 200000; ++sweep) {
        double change = 0;
        for (std::size_t i = 0; i + 1 < v.size(); ++i) {
            if (row.bodies[i + 1].position - row.bodies[i].position > 1) continue;
            const double left = 1 / row.bodies[i].mass, right = 1 / row.bodies[i + 1].mass;
            const double wanted = v[i + 1] - v[i] + row.restitution[i] * (before[i + 1] - before[i]);
            const double next = std::max(0.0, impulse[i] - wanted / (left + right)), by = next - impulse[i];
            impulse[i] = next;
            v[i] -= by * left;
            v[i + 1] += by * right;
            change = std::max(change, std::abs(by));
        }
        if (change < 1e-15) break;
    }
    return v;
}

double energy(const Row& row, const std::vector<double>& v) {
    double sum = 0;
    for (std::size_t i = 0; i < v.size(); ++i) sum += row.bodies[i].mass * v[i] * v[i] / 2;
    return sum;
}

}  // namespace

TEST_CASE("Rows of bodies part after an impact as a quadratic program says", "[networks]") {
    for (unsigned seed = 0; seed < tests::seeds(200); ++seed) {
        Dice dice(seed);
        const Row row = draw_row(dice);
        INFO("seed " << seed << "\n" << text_of(row, false));
        const std::vector<double> wanted = after_impact(row);
        std::vector<double> before;
        for (const Body& b : row.bodies) before.push_back(b.velocity);
        for (const bool backwards : {false, true}) {
            const Trace trace = run(text_of(row, backwards), {0.0});
            std::vector<double> found;
            for (std::size_t i = 0; i < wanted.size(); ++i) {
                found.push_back(sample(trace, fmt::format("x{}.velocity", i), 0));
                CHECK(found[i] == close_to(wanted[i], 1e-9));
            }
            CHECK(energy(row, found) <= energy(row, before) * (1 + 1e-12) + 1e-12);
        }
    }
}

namespace {

struct Group {
    double mass, bottom, velocity;  // of its lowest body
    std::vector<std::size_t> bodies;
};

// Bodies above the ground and each other fall without rebound: whoever meets stays together, and on the
// ground at rest.
std::vector<double> fallen(const Row& row, double gravity, double stop) {
    std::vector<Group> groups;
    for (std::size_t i = 0; i < row.bodies.size(); ++i)
        groups.push_back({row.bodies[i].mass, row.bodies[i].position, row.bodies[i].velocity, {i}});
    double t = 0;
    bool lying = false;                                     // is the first group on the ground?
    const auto ahead = [&](double x, double v, double a) {  // until x + v s + a s^2 / 2 falls to zero
        if (a == 0) return v < 0 ? -x / v : 1e9;
        const double root = std::sqrt(v * v - 2 * a * x);
        return (v + root) / -a;
    };
    while (true) {
        double first = stop - t;
        std::size_t who = groups.size();
        for (std::size_t g = 0; g < groups.size(); ++g) {
            const Group& up = groups[g];
            double s = 1e9;
            if (g == 0 && !lying) s = ahead(up.bottom, up.velocity, -gravity);
            if (g == 1 && lying) s = ahead(up.bottom - groups[0].bottom, up.velocity, -gravity);
            if (g > (lying ? 1u : 0u))
                s = ahead(up.bottom - groups[g - 1].bottom, up.velocity - groups[g - 1].velocity, 0);
            if (s < first) first = s, who = g;
        }
        for (std::size_t g = lying ? 1 : 0; g < groups.size(); ++g) {
            groups[g].bottom += groups[g].velocity * first - gravity * first * first / 2;
            groups[g].velocity -= gravity * first;
        }
        t += first;
        if (who == groups.size()) break;
        if (who == 0) {
            lying = true;
            groups[0].velocity = 0;
            continue;
        }
        Group &low = groups[who - 1], &up = groups[who];
        const double sum = low.mass + up.mass;
        low.velocity = who == 1 && lying ? 0 : (low.mass * low.velocity + up.mass * up.velocity) / sum;
        low.mass = sum;
        low.bodies.insert(low.bodies.end(), up.bodies.begin(), up.bodies.end());
        groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(who));
    }
    std::vector<double> positions(row.bodies.size());
    for (const Group& group : groups)
        for (const std::size_t i : group.bodies) positions[i] = group.bottom;
    return positions;
}

}  // namespace

TEST_CASE("Stacks of bodies that fall end where joining them one by one says", "[networks]") {
    for (unsigned seed = 0; seed < tests::seeds(30); ++seed) {
        Dice dice(seed);
        Row row;
        double height = 0;
        const int n = dice.whole(1, 6);
        for (int i = 0; i < n; ++i) {
            height += dice.real(0.1, 1);
            row.bodies.push_back({dice.real(0.5, 2), height, dice.real(-2, 2)});
            row.restitution.push_back(0);
        }
        std::string text = text_of(row, dice.whole(0, 1) == 1);
        std::string more = "floor = { type = \"contact\", between = \"x0 ground\" }\n";
        for (int i = 0; i < n; ++i)
            more += fmt::format("g{0} = {{ type = \"force\", at = \"x{0}\", value = {1} }}\n", i,
                                -10 * row.bodies[static_cast<std::size_t>(i)].mass);
        text.insert(text.find('\n') + 1, more);
        INFO("seed " << seed << "\n" << text);
        for (const double stop : {0.4, 1.0}) {
            const Trace trace = run(text, {0.4, 1.0});
            const std::vector<double> wanted = fallen(row, 10, stop);
            for (std::size_t i = 0; i < wanted.size(); ++i)
                CHECK(sample(trace, fmt::format("x{}.position", i), stop) == close_to(wanted[i], 1e-9));
        }
    }
}
