// Parts of a bond graph that share nothing run by themselves, and come out as if they had not.
#include "blocks/fraction_book.hpp"
#include "engine/compile/islands.hpp"
#include "engine/course.hpp"
#include "engine/exact.hpp"
#include "tests/engine/run.hpp"

namespace deltaflow::engine_test {

namespace {

// At t = 1 all at once: a cradle with a rider, with a pinnacle and a mythical mode; two carts that couple; a
// step. Beside them a part that oscillates, and blocks.
const std::string many = R"toml(
[parameters]
e = 0.8
[elements]
body1  = { type = "I", value = 1, momentum = 1 }
body2  = { type = "I", value = 1, displacement = 1 }
body3  = { type = "I", value = 1, displacement = 1 }
v1     = { type = "1" }
v2     = { type = "1" }
v3     = { type = "1" }
hit    = { type = "0", automaton = "F13" }
bounce = { type = "MSf", flow = "e * pre(v1.flow - v3.flow)" }
grip   = { type = "0", automaton = "F23" }
cart1  = { type = "I", value = 2, momentum = 6, displacement = -3 }
cart2  = { type = "I", value = 1 }
w1     = { type = "1" }
w2     = { type = "1" }
hook   = { type = "0", automaton = "coupling" }
swing  = { type = "1" }
mass   = { type = "I", value = 2, momentum = 3 }
spring = { type = "C", value = "1/50" }
damper = { type = "R", value = "1/4" }
[bonds]
b1 = "v1 -> body1"
b2 = "v2 -> body2"
b3 = "v3 -> body3"
b4 = "v1 -> hit"
b5 = "hit -> v3"
b6 = "bounce -> hit"
b7 = "v3 -> grip"
b8 = "grip -> v2"
c1 = "w1 -> cart1"
c2 = "w2 -> cart2"
c3 = "w1 -> hook"
c4 = "hook -> w2"
s1 = "swing -> mass"
s2 = "swing -> spring"
s3 = "swing -> damper"
[automata.F13]
initial = "off"
states  = { off = "off", on = "on" }
transitions = [
  { from = "off", to = "on", when = "body1.displacement >= body3.displacement and pre(v1.flow - v3.flow) > 0" },
  { from = "on", to = "off", when = "pre(v1.flow - v3.flow) < 0" },
]
[automata.F23]
initial = "on"
states  = { on = "on", off = "off" }
transitions = [
  { from = "on", to = "off", when = "abs(impulse(b8.effort)) > 0.5" },
  { from = "off", to = "on", when = "abs(v2.flow - v3.flow) < 0.3" },
]
[automata.coupling]
initial = "open"
states  = { open = "off", closed = "on" }
transitions = [ { from = "open", to = "closed", when = "cart1.displacement >= cart2.displacement" } ]
[blocks]
u = { type = "step", at = 1, size = 2 }
y = { type = "integrator", in = "u" }
[simulation]
stop = 3
)toml";

const std::string shown =
    R"("v1.flow", "v2.flow", "v3.flow", "b5.effort", "b8.effort", "w1.flow", "w2.flow", "c3.effort", )"
    R"("swing.flow", "spring.displacement", "y", "u")";

std::string parts() { return many + "record = [" + shown + "]\n"; }
// What all storages hold reads all of them.
std::string joined() { return many + "record = [" + shown + ", \"total.energy\"]\n"; }

std::size_t count_islands(const std::string& text) {
    const FlatModel model = model_of(text);
    std::size_t count = 0;
    for_each_island(model, model.settings.simultaneous, [&](const CutIsland&) { ++count; });
    return count;
}

std::vector<std::uint32_t> modes(const Trace& trace, const Event& e) {
    const auto list = trace.modes_of(e);
    return {list.begin(), list.end()};
}

void check_same_jumps(const Trace& a, const Event& of_a, const Trace& b, const Event& of_b) {
    std::vector<Jump> seen;
    const auto total = static_cast<std::uint32_t>(a.signals.size());
    for (const Jump& jump : b.jumps_of(of_b))
        if (jump.signal < total) seen.push_back(jump);
    const auto wanted = a.jumps_of(of_a);
    REQUIRE(wanted.size() == seen.size());
    for (std::size_t j = 0; j < seen.size(); ++j) {
        CHECK(wanted[j].signal == seen[j].signal);
        CHECK(wanted[j].left == close_to(seen[j].left));
        CHECK(wanted[j].right == close_to(seen[j].right));
        const auto impulses = b.impulses_of(seen[j]);
        check_impulses(a.impulses_of(wanted[j]), {impulses.begin(), impulses.end()});
    }
}

std::vector<std::string> sorted(std::vector<std::string> names) {
    std::sort(names.begin(), names.end());
    return names;
}

void check_same_events(const Trace& a, const Trace& b) {
    REQUIRE(a.events.size() == b.events.size());
    for (std::size_t i = 0; i < a.events.size(); ++i) {
        const Event &one = a.events[i], &other = b.events[i];
        CAPTURE(i, one.t, one.epsilon, one.index);
        CHECK(one.t == close_to(other.t));
        CHECK(one.epsilon == other.epsilon);
        CHECK(one.index == other.index);
        CHECK(one.committed == other.committed);
        CHECK(sorted(a.causes_of(one)) == sorted(b.causes_of(other)));
        CHECK(modes(a, one) == modes(b, other));
        check_same_jumps(a, one, b, other);
    }
}

void check_same_shares(const std::vector<std::pair<std::uint32_t, double>>& a,
                       const std::vector<std::pair<std::uint32_t, double>>& b) {
    REQUIRE(a.size() == b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        CHECK(a[i].first == b[i].first);
        CHECK(a[i].second == close_to(b[i].second));
    }
}

}  // namespace

TEST_CASE("a bond graph is cut into its connected parts", "[engine][islands]") {
    CHECK(count_islands(parts()) == 4);  // cradle, carts, swing, blocks
    CHECK(count_islands(joined()) == 2);
    CHECK(count_islands(parts() + "simultaneous = \"sequential\"\n") == 3);  // automata wait for each other
    CHECK(check(model_of(parts())).islands == 4);
    // A block that reads two parts joins them, and so does an automaton.
    std::string read = parts();
    read.replace(read.find("[simulation]"), 0, "sum = \"v1.flow + w1.flow\"\n");
    CHECK(count_islands(read) == 3);
    std::string steered = parts();
    steered.replace(steered.find("cart1.displacement >="), 21, "swing.flow < 0 and cart1.displacement >=");
    CHECK(count_islands(steered) == 3);
}

TEST_CASE("parts of a bond graph come out as the whole would", "[engine][islands]") {
    const Trace apart = run(parts()), whole = run(joined());
    REQUIRE(apart.t.size() == whole.t.size());
    for (std::size_t s = 0; s < apart.signals.size(); ++s)
        for (std::size_t i = 0; i < apart.t.size(); ++i) {
            CAPTURE(apart.signals[s], apart.t[i]);
            CHECK(apart.samples[s][i] == close_to(whole.samples[s][i]));
        }
    CHECK(std::any_of(whole.events.begin(), whole.events.end(), [](const Event& e) { return !e.committed; }));
    check_same_events(apart, whole);
    CHECK(apart.first_mode == whole.first_mode);
    CHECK(apart.elements == whole.elements);
    CHECK(apart.energy.stored_at_start == close_to(whole.energy.stored_at_start));
    CHECK(apart.energy.stored_at_end == close_to(whole.energy.stored_at_end));
    check_same_shares(apart.energy.supplied, whole.energy.supplied);
    check_same_shares(apart.energy.dissipated, whole.energy.dissipated);
    REQUIRE(apart.energy.instants.size() == whole.energy.instants.size());
    for (std::size_t i = 0; i < apart.energy.instants.size(); ++i) {
        const EnergyEvent &one = apart.energy.instants[i], &other = whole.energy.instants[i];
        CHECK(one.t == close_to(other.t));
        CHECK(one.epsilon == other.epsilon);
        CHECK(one.stored_before - one.stored_after == close_to(other.stored_before - other.stored_after));
        check_same_shares(one.dissipated, other.dissipated);
    }
}

TEST_CASE("numeric impulses know parts of a bond graph, too", "[engine][islands]") {
    const Changes numeric{{"simulation.impulses", "numeric"}, {"simulation.step", "1/1000"}};
    const Trace apart = run(parts(), {}, numeric), whole = run(joined(), {}, numeric);
    for (const char* const signal : {"v1.flow", "v2.flow", "v3.flow", "w1.flow", "w2.flow", "y"})
        CHECK(last_sample(apart, signal) == close_to(last_sample(whole, signal), 1e-9));
}

TEST_CASE("parts of a bond graph have the same bits on any number of threads", "[engine][islands]") {
    const FlatModel model = model_of(parts());
    std::vector<Trace> traces;
    for (const unsigned threads : {1U, 2U, 5U}) {
        RunControl control;
        control.threads = threads;
        traces.push_back(simulate(model, control));
    }
    for (const Trace& trace : traces) {
        CHECK(trace.samples == traces[0].samples);
        CHECK(trace.modes == traces[0].modes);
        CHECK(trace.impulses == traces[0].impulses);
        CHECK(trace.energy.stored_at_end == traces[0].energy.stored_at_end);
    }
}

TEST_CASE("parts of a bond graph go on from a saved state", "[engine][islands]") {
    FlatModel model = computing_all(model_of(parts()));
    const std::size_t count = model_of(parts()).record.size();
    const Trace whole = simulate(model_of(parts()));
    for (const double t : {0.5, 1.0, 2.0}) {
        TraceSink before, after;
        RunControl control;
        Course first(model, count, control);
        first.observe(before);
        first.start();
        first.advance_exactly_to(t);
        const auto state = first.save();
        Course second(model, count, control);
        second.observe(after);
        after.begin(second.so_far());
        second.restore(state);
        second.run();
        second.finish();
        const Trace& rest = after.trace();
        for (std::size_t s = 0; s < count; ++s) CHECK(rest.samples[s].back() == whole.samples[s].back());
        REQUIRE(!whole.events.empty());
        if (!rest.events.empty()) CHECK(modes(rest, rest.events.back()) == modes(whole, whole.events.back()));
        CHECK(rest.energy.stored_at_end == whole.energy.stored_at_end);
    }
}

TEST_CASE("a part that ends the run ends all, with what they stored then", "[engine][islands]") {
    std::string text = parts();
    text.replace(text.find("[simulation]"), 0,
                 "stop_here = { type = \"terminate\", in = \"1 - y\" }\n");  // at t = 1.5
    const Trace trace = try_run(text);
    CHECK(trace.end_reason == EndReason::terminated);
    CHECK(trace.end_t == close_to(1.5));
    const Trace shorter = run(parts(), {}, {{"simulation.stop", "1.5"}});
    CHECK(trace.energy.stored_at_end == close_to(shorter.energy.stored_at_end));
    check_same_shares(trace.energy.dissipated, shorter.energy.dissipated);
}

TEST_CASE("parts of a bond graph have closed forms", "[engine][islands]") {
    const FractionBook book;
    std::string text = parts();
    for (const std::string line :
         {"s1 = \"swing -> mass\"\n", "s2 = \"swing -> spring\"\n", "s3 = \"swing -> damper\"\n",
          "swing  = { type = \"1\" }\n", "mass   = { type = \"I\", value = 2, momentum = 3 }\n",
          "spring = { type = \"C\", value = \"1/50\" }\n", "damper = { type = \"R\", value = \"1/4\" }\n",
          "\"swing.flow\", \"spring.displacement\", "})
        text.erase(text.find(line), line.size());
    const ExactTrace apart = run_exactly(model_of(text), book);
    const ExactTrace whole =
        run_exactly(model_of(text.substr(0, text.rfind("]")) + ", \"total.energy\"]\n"), book);
    CHECK(apart.errors.empty());
    REQUIRE(apart.signals.size() + 1 == whole.signals.size());
    for (std::size_t s = 0; s < apart.signals.size(); ++s) {
        CAPTURE(apart.signals[s].name);
        REQUIRE(apart.signals[s].pieces.size() == whole.signals[s].pieces.size());
        for (std::size_t p = 0; p < apart.signals[s].pieces.size(); ++p)
            CHECK(apart.signals[s].pieces[p].p == whole.signals[s].pieces[p].p);
        CHECK(apart.signals[s].impulses.size() == whole.signals[s].impulses.size());
    }
}

// Islands are compiled side by side, too.
TEST_CASE("of several islands that cannot be compiled the first is told, on any number of threads",
          "[engine][islands]") {
    std::string text = "[blocks]\n";
    for (int i = 0; i < 40; ++i)
        text += i < 3 ? fmt::format("x{0} = {{ type = \"integrator\", in = \"-x{0}\" }}\n", i)
                      : fmt::format("x{0} = \"der(x{0}) + t\"\n", i);
    const auto mistake = [&](const char* threads) -> std::string {
        try {
            run(text + "[simulation]\nthreads = " + threads + "\n");
        } catch (const ModelError& error) {
            return error.what();
        }
        return "none";
    };
    const std::string told = mistake("1");
    CHECK_THAT(told, Catch::Contains("a loop takes derivatives") && Catch::Contains("x3"));
    for (const char* threads : {"2", "7", "0"}) CHECK(mistake(threads) == told);
}

}  // namespace deltaflow::engine_test
