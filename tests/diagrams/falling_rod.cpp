// The rod of paper 004 against 30-digit integrations of its equations.
#include "tests/diagrams/shipped.hpp"

using namespace deltaflow;
using namespace deltaflow::test;

namespace {

// Reference values have 16 digits; a run of many Taylor steps and one event after the other keeps 12.
constexpr double reference = 1e-11;
Approx near(double x) { return Approx(x).epsilon(reference).margin(reference); }

std::string state_of(const Trace& trace, const Event& event, std::string_view automaton) {
    for (std::size_t a = 0; a < trace.automata.size(); ++a)
        if (trace.automata[a].name == automaton) return trace.automata[a].states[trace.modes_of(event)[a]];
    return "?";
}

struct Row {
    double t;
    std::uint32_t index;
    bool committed;
    std::string friction;
};

void check_modes(const Trace& trace, const std::vector<Row>& rows) {
    REQUIRE(trace.events.size() == rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        INFO("event " << i);
        CHECK(trace.events[i].t == near(rows[i].t));
        CHECK(trace.events[i].epsilon == 0);
        CHECK(trace.events[i].index == rows[i].index);
        CHECK(trace.events[i].committed == rows[i].committed);
        CHECK(state_of(trace, trace.events[i], "friction") == rows[i].friction);
        CHECK(state_of(trace, trace.events[i], "contact") == "touch");
    }
}

void check_right(const Trace& trace, const Event& event, std::string_view signal, double right,
                 const std::vector<double>& impulses = {}) {
    INFO(signal << " at " << event.t << ", " << event.index);
    const Jump* jump = find_jump(trace, event, signal);
    REQUIRE(jump);
    CHECK(jump->right == near(right));
    const auto seen = trace.impulses_of(*jump);
    REQUIRE(seen.size() == impulses.size());
    for (std::size_t i = 0; i < impulses.size(); ++i) CHECK(seen[i] == near(impulses[i]));
}

Trace run_at(const Changes& set, const std::vector<double>& times) {
    FlatModel model = load_model(diagram_path("falling_rod"), {.set = set, .record = {}, .max_blocks = {}});
    model.settings.at = times;
    Trace trace = simulate(model);
    for (const RunError& error : trace.errors) FAIL_CHECK(error.text);
    return trace;
}

double sample(const Trace& trace, std::string_view signal, std::size_t i) {
    return trace.samples[signal_index(trace, signal)].at(i);
}

}  // namespace

TEST_CASE("A rod slides, sticks and slips again, and its jumps come out of the algebra",
          "[diagrams][bonds]") {
    CHECK(run_diagram("falling_rod").warnings.empty());
    const Trace trace = run_at({}, {0.08, 0.12, 0.22, 0.24, 0.3, 0.4});
    const double impact = 0.1009637554692304452831529;
    check_modes(trace, {{impact, 0, false, "stick"},
                        {impact, 1, false, "zero"},
                        {impact, 2, true, "left"},
                        {0.22658573892581626144, 0, true, "stick"},
                        {0.28441636883309645793, 0, false, "zero"},
                        {0.28441636883309645793, 1, true, "right"}});
    // Every mode of the impact is solved from the same left limits.
    check_right(trace, trace.events[0], "omega", 0.643319030497310875);
    check_right(trace, trace.events[0], "vx", 0.321659515248655437);
    check_right(trace, trace.events[1], "omega", 0.791777268304382615);
    check_right(trace, trace.events[1], "vAx", -0.39588863415219130);
    check_right(trace, trace.events[2], "omega", 0.668259968735606371);
    check_right(trace, trace.events[2], "vx", 0.267620815732348529);
    check_right(trace, trace.events[2], "vy", -0.57873010925722985);
    check_right(trace, trace.events[2], "vAx", -0.06650916863545465);
    check_right(trace, trace.events[2], "Fn", 3.985123776687170983788556, {0.411724331895920814});
    check_right(trace, trace.events[2], "Fx", 2.590330454846661139462562, {0.267620815732348529});
    const struct {
        double theta, omega, vx, vy, vAx, Fn;
    } rows[] = {{0.5235987755982989, 0, 0, -0.7848, 0, 0},
                {0.5097064715086993, 0.7912581519878079, 0.3162382866387757, -0.6906795590172682,
                 -0.06983322207803289, 3.8710311612849693},
                {0.3984769767824162, 1.4315423432088326, 0.5452295406862652, -1.3193853220211305,
                 -0.010230496071585798, 3.162009471510507},
                {0.3685334955092558, 1.5650428274552317, 0.5638032063311067, -1.4599606146399395, 0,
                 2.5249688845534837},
                {0.2621334949908403, 1.9832133653817599, 0.5190271700606234, -1.9154654067352292,
                 0.00509378115746155, 2.0507532441492637},
                {0.029056333956929258, 2.6823574402285986, 0.3791210371161363, -2.6812252022052494,
                 0.3011925300783334, 2.3682143206912323}};
    for (std::size_t i = 0; i < std::size(rows); ++i) {
        INFO("t = " << trace.t[i]);
        CHECK(sample(trace, "theta", i) == near(rows[i].theta));
        CHECK(sample(trace, "omega", i) == near(rows[i].omega));
        CHECK(sample(trace, "vx", i) == near(rows[i].vx));
        CHECK(sample(trace, "vy", i) == near(rows[i].vy));
        CHECK(sample(trace, "vAx", i) == near(rows[i].vAx));
        CHECK(sample(trace, "Fn", i) == near(rows[i].Fn));
    }
}

TEST_CASE("A flat rod slides and then sticks for good, or sticks at once", "[diagrams][bonds]") {
    Changes set{{"theta0", "0.1001674211615597963455232"},
                {"tip_height", "0.01"},
                {"mu", "0.8"},
                {"simulation.stop", "0.17"}};
    const double impact = 0.04515236409857309044508111;
    const Trace at_once = run_at(set, {0.12, 0.16});
    check_modes(at_once, {{impact, 0, true, "stick"}});
    check_right(at_once, at_once.events[0], "omega", 0.3305433027607729341029342);
    CHECK(sample(at_once, "omega", 0) == near(0.879383646640242));
    CHECK(sample(at_once, "Fn", 1) == near(2.434846883887245));
    set.emplace_back("vx0", "-0.2");
    const Trace later = run_at(set, {0.06, 0.12, 0.16});
    check_modes(later, {{impact, 0, false, "stick"},
                        {impact, 1, false, "zero"},
                        {impact, 2, true, "left"},
                        {0.11933028418672012733, 0, true, "stick"}});
    check_right(later, later.events[2], "vx", -0.10502908793435478, {});
    CHECK(sample(later, "omega", 0) == near(0.43292043738893615));
    CHECK(sample(later, "vAx", 0) == near(-0.11477487866992155));
    CHECK(sample(later, "omega", 2) == near(1.1605618803371127));
}

TEST_CASE("A rod that turns fast enough leaves the floor", "[diagrams][bonds]") {
    // Fn < 0 in contact as soon as l omega^2 sin(theta) > g: a rod that starts out spinning lifts off.
    const Trace trace = run_at(
        {{"theta0", "1.2"}, {"vx0", "8"}, {"mu", "0.7"}, {"tip_height", "0.5"}, {"simulation.stop", "0.6"}},
        {0.6});
    bool lifted = false;
    for (const Event& event : trace.events) lifted = lifted || state_of(trace, event, "contact") == "free";
    CHECK(lifted);
}

TEST_CASE("A tip that could rest only on a floor that pulls slides on", "[diagrams][bonds]") {
    // As the tip comes to rest, sticking would take Fn = -0.0295 and not touching would let it fall.
    const Trace trace = run_at({{"m", "2.5"},
                                {"l", "0.7"},
                                {"J", "0.3"},
                                {"g", "3.7"},
                                {"theta0", "0.9"},
                                {"tip_height", "0.2"},
                                {"mu", "0.4"},
                                {"simulation.stop", "0.75"}},
                               {0.5, 0.75});
    const double impact = 0.32879797461071475, rest = 0.6941689841641596;
    check_modes(trace, {{impact, 0, false, "stick"},
                        {impact, 1, false, "zero"},
                        {impact, 2, true, "left"},
                        {rest, 0, false, "stick"},
                        {rest, 1, false, "zero"},
                        {rest, 2, true, "right"}});
    CHECK(sample(trace, "omega", 0) == near(1.723481915394343));
    CHECK(sample(trace, "theta", 1) == near(0.12640618724762873));
    CHECK(sample(trace, "vx", 1) == near(0.3969603991558164));
    CHECK(sample(trace, "Fn", 1) == near(1.5120202981669006));
}

// Sliding to the left presses the tip into the floor: Fn has the denominator J + m l^2 cos (cos - mu sin).
TEST_CASE("a rod that slides into Painleve's paradox is told so where its force grows without bound",
          "[diagrams]") {
    const Changes set{{"mu", "2.5"}, {"vx0", "-30"}, {"theta0", "0.4"}, {"tip_height", "0.001"}};
    const FlatModel model =
        load_model(diagram_path("falling_rod"), {.set = set, .record = {}, .max_blocks = {}});
    const Trace trace = simulate(model);
    REQUIRE(trace.errors.size() == 1);
    CHECK(trace.errors[0].kind == ErrorKind::not_finite);
    CHECK_THAT(trace.errors[0].text, Catch::Matchers::Contains("Painleve's paradox"));
    const double end = trace.errors[0].t;
    // What it was just before: the angle goes on smoothly while the force grows.
    FlatModel again = model;
    again.settings.at = {end - 1e-6};
    const double theta = sample(simulate(again), "theta", 0);
    CHECK(1.0 / 3 + std::cos(theta) * (std::cos(theta) - 2.5 * std::sin(theta)) == Approx(0).margin(1e-4));
}
