// Random linear diagrams with feedback, derivatives and algebraic loops against their Laplace transforms.
#include "tests/engine/laplace.hpp"
#include "tests/engine/run.hpp"

namespace deltaflow::engine_test {

namespace {

// Loops lose as many digits as their determinant is small; below 1/20 a case is left out.
constexpr double loop_digits = 1e-11;
constexpr double smallest_determinant = 0.05;
constexpr int terms = 100;
constexpr double stop = 2;

// A source that acts once: gain s^power.
struct Kick {
    int at, power;
    double gain, t;

    std::string block(int n) const {
        if (power >= 0)
            return fmt::format("k{} = {{ type = \"impulse\", at = {}, size = {}, order = {} }}\n", n, t, gain,
                               power);
        return power == -1 ? fmt::format("k{} = {{ type = \"step\", at = {}, size = {} }}\n", n, t, gain)
                           : fmt::format("k{} = {{ type = \"ramp\", at = {}, slope = {} }}\n", n, t, gain);
    }
};

std::string model_text(const LinearDiagram& d, const std::vector<Kick>& kicks) {
    std::string text = "[blocks]\n" + d.blocks(), record;
    for (std::size_t n = 0; n < kicks.size(); ++n) text += kicks[n].block(static_cast<int>(n));
    for (int i = 0; i < d.size(); ++i) {
        text += fmt::format("in{} = \"0", i);
        for (std::size_t n = 0; n < kicks.size(); ++n)
            if (kicks[n].at == i) text += fmt::format(" + k{}", n);
        text += "\"\n";
        record += fmt::format("\"y{}\", ", i);
    }
    return text + fmt::format("[simulation]\nstop = {}\nrecord = [{}]\n", stop, record);
}

using Responses = std::vector<std::vector<Expansion>>;  // per kick, per signal

// The value of signal i at t, left or right limit.
Expansion::Value value_at(const Responses& responses, const std::vector<Kick>& kicks, int i, double t,
                          bool right) {
    Expansion::Value sum;
    for (std::size_t n = 0; n < kicks.size(); ++n) {
        if (t < kicks[n].t || (t == kicks[n].t && !right)) continue;
        const auto v = responses[n][static_cast<std::size_t>(i)].after(t - kicks[n].t);
        sum.value += v.value;
        sum.size += v.size;
        sum.last += v.last;
    }
    return sum;
}

bool agrees(double seen, const Expansion::Value& wanted) {
    return std::abs(seen - wanted.value) <= loop_digits * (1 + wanted.size);
}

void check_instant(const Trace& trace, const Responses& responses, const std::vector<Kick>& kicks,
                   std::size_t n, int i) {
    const auto left = value_at(responses, kicks, i, kicks[n].t, false);
    const auto right = value_at(responses, kicks, i, kicks[n].t, true);
    const auto impulses = responses[n][static_cast<std::size_t>(i)].impulses();
    double seen_left = static_cast<double>(left.value), seen_right = seen_left;
    std::vector<double> seen;
    for (const Happening& h : happenings(trace, fmt::format("y{}", i)))
        if (h.t == kicks[n].t) {
            seen_left = h.left;
            seen_right = h.right;
            seen = h.impulses;
        }
    INFO("y" << i << " at " << kicks[n].t);
    CHECK(agrees(seen_left, left));
    CHECK(agrees(seen_right, right));
    check_impulses(seen, impulses, loop_digits);
}

// Whether the case says anything: the expansions converge and the loops are well conditioned.
bool is_sound(const Responses& responses, const std::vector<Kick>& kicks, int size) {
    for (int i = 0; i < size; ++i)
        if (const auto v = value_at(responses, kicks, i, stop, true); v.last > 1e-15 || v.size > 1e6)
            return false;
    return true;
}

bool try_case(Draw& draw) {
    const LinearDiagram d = LinearDiagram::draw(draw);
    std::vector<Kick> kicks;
    for (const double t : {1.0, 1.5})
        kicks.push_back({draw.integer(0, d.size() - 1), draw.integer(-2, 2), draw.quarter(2), t});
    const std::string text = model_text(d, kicks);
    INFO(text);
    const Real determinant = std::abs(d.at_infinity().determinant());
    if (determinant < 1e-12) {
        CHECK_THAT(refusal(text), Catch::Contains("singular"));
        return true;
    }
    if (determinant < smallest_determinant) return false;
    Responses responses;
    for (const Kick& k : kicks) responses.push_back(d.respond(k.at, k.gain, k.power, terms));
    if (!is_sound(responses, kicks, d.size())) return false;
    const Trace trace = run(text, {0.5, 1, 1.25, 1.5, 2});
    for (int i = 0; i < d.size(); ++i) {
        for (std::size_t n = 0; n < kicks.size(); ++n) check_instant(trace, responses, kicks, n, i);
        for (std::size_t k = 0; k < trace.t.size(); ++k) {
            INFO("y" << i << " at " << trace.t[k]);
            CHECK(agrees(trace.samples[signal_index(trace, fmt::format("y{}", i))][k],
                         value_at(responses, kicks, i, trace.t[k], true)));
        }
    }
    return true;
}

}  // namespace

TEST_CASE("Three hundred random linear diagrams with feedback agree with their Laplace transforms",
          "[engine][random]") {
    Draw draw(2003);
    int tried = 0;
    for (int n = 0; n < 1000 && tried < 300; ++n) tried += try_case(draw);
    CHECK(tried == 300);
}

TEST_CASE("Random transfer functions, improper ones too, agree with their expansions", "[engine][random]") {
    Draw draw(31);
    for (int n = 0; n < 150; ++n) {
        std::vector<double> numerator, denominator{draw.chance(2) ? 1.0 : 0.5};
        for (int k = draw.integer(0, 4); k >= 0; --k) numerator.push_back(draw.quarter(2));
        for (int k = draw.integer(0, 3); k > 0; --k) denominator.push_back(draw.integer(-4, 4) / 4.0);
        const Kick kick{0, draw.integer(-2, 2), draw.quarter(2), 1};
        const std::string text =
            "[blocks]\n" + kick.block(0) +
            fmt::format(
                "y = {{ type = \"transfer_function\", in = \"k0\", numerator = [{}], denominator = [{}] }}\n"
                "[simulation]\nstop = 2\nrecord = [\"y\"]\n",
                fmt::join(numerator, ", "), fmt::join(denominator, ", "));
        INFO(text);
        const Responses responses{
            {times_power(quotient(numerator, denominator, terms), kick.gain, kick.power)}};
        const Trace trace = run(text, {0.5, 1, 1.25, 1.5, 2});
        const auto list = happenings(trace, "y");
        const auto right = value_at(responses, {kick}, 0, 1, true);
        check_impulses(list.empty() ? std::vector<double>() : list[0].impulses, responses[0][0].impulses(),
                       loop_digits);
        CHECK(agrees(list.empty() ? 0 : list[0].right, right));
        for (std::size_t k = 0; k < trace.t.size(); ++k)
            CHECK(agrees(trace.samples[0][k], value_at(responses, {kick}, 0, trace.t[k], true)));
    }
}

}  // namespace deltaflow::engine_test
