// The order of lines has no part in a bond graph: neither in what is refused nor in what comes out.
#include "tests/engine/run.hpp"

namespace deltaflow::engine_test {

namespace {

// Runs a graph with its elements, and then its bonds, in every order; hands over each trace.
template <class Check>
void in_any_order(std::vector<std::string> elements, std::vector<std::string> bonds, const std::string& rest,
                  const Check& check) {
    const auto text = [&] {
        std::string t = "[elements]\n";
        for (const auto& line : elements) t += line + "\n";
        t += "[bonds]\n";
        for (const auto& line : bonds) t += line + "\n";
        return t + rest;
    };
    for (auto* lines : {&elements, &bonds}) {
        std::sort(lines->begin(), lines->end());
        do {
            INFO(text());
            check(run(text()));
        } while (std::next_permutation(lines->begin(), lines->end()));
    }
}

}  // namespace

TEST_CASE("Storages that contradict each other at the start jump alike in any order", "[bonds][order]") {
    // Three capacitors side by side: 1 V, 2 V and -3 V. The largest one tells what is there before the start.
    in_any_order({"a = { type = \"C\", value = 1, displacement = 1 }",
                  "b = { type = \"C\", value = 2, displacement = 4 }",
                  "c = { type = \"C\", value = 0.5, displacement = -1.5 }", "r = { type = \"R\", value = 1 }",
                  "j = { type = \"0\" }"},
                 {"ja = \"j -> a\"", "jb = \"j -> b\"", "jc = \"j -> c\"", "jr = \"j -> r\""},
                 "[simulation]\nstop = 1\nrecord = [\"j.effort\", \"a.flow\", \"b.flow\", \"c.flow\"]\n",
                 [](const Trace& trace) {
                     check_once(trace, "j.effort", 0, 2, 1);
                     check_impulses(happenings(trace, "a.flow").at(0).impulses, {0});
                     check_impulses(happenings(trace, "b.flow").at(0).impulses, {-2});
                     check_impulses(happenings(trace, "c.flow").at(0).impulses, {2});
                     CHECK(last_sample(trace, "j.effort") == close_to(std::exp(-1 / 3.5)));
                 });
}

TEST_CASE("Resistors with laws beside each other are solved in any order", "[bonds][order]") {
    // e = 6 is shared by f |f| + f in series with sinh(f): one flow for both.
    in_any_order({"s = { type = \"Se\", effort = 6 }", "p = { type = \"R\", law = \"f*abs(f) + f\" }",
                  "q = { type = \"R\", law = \"sinh(f)\" }", "r = { type = \"R\", law = \"f*abs(f) + f\" }",
                  "j = { type = \"1\" }"},
                 {"sj = \"s -> j\"", "jp = \"j -> p\"", "jq = \"j -> q\"", "jr = \"j -> r\""},
                 "[simulation]\nstop = 1\nrecord = [\"j.flow\"]\n", [](const Trace& trace) {
                     const double f = last_sample(trace, "j.flow");
                     CHECK(2 * (f * std::abs(f) + f) + std::sinh(f) == close_to(6));
                 });
    // And 10 in parallel: each has its own, found by solving its law.
    in_any_order({"s = { type = \"Se\", effort = -10 }", "p = { type = \"R\", law = \"f*abs(f) + f\" }",
                  "q = { type = \"R\", law = \"sinh(f)\" }",
                  "c = { type = \"C\", value = 3, displacement = 1 }", "j = { type = \"0\" }"},
                 {"sj = \"s -> j\"", "jp = \"j -> p\"", "jq = \"j -> q\"", "jc = \"j -> c\""},
                 "[simulation]\nstop = 1\nrecord = [\"p.flow\", \"q.flow\"]\n", [](const Trace& trace) {
                     CHECK(last_sample(trace, "p.flow") == close_to(-(std::sqrt(41.0) - 1) / 2));
                     CHECK(last_sample(trace, "q.flow") == close_to(-std::asinh(10)));
                 });
}

TEST_CASE("Switches in series that are open on the way refuse nothing", "[bonds][order]") {
    // At t = 1 one switch closes and one opens; one after the other both would be open in series.
    const Trace trace = run(R"toml(
[elements]
s = { type = "Se", effort = 1 }
j = { type = "1" }
r = { type = "R", value = 1 }
a = { type = "Sw", automaton = "p" }
b = { type = "Sw", automaton = "q" }
[bonds]
sj = "s -> j"
jr = "j -> r"
ja = "j -> a"
jb = "j -> b"
[automata.p]
initial = "open"
states = { open = "off", closed = "on" }
transitions = [{ from = "open", to = "closed", when = "t >= 1" }]
[automata.q]
initial = "closed"
states = { closed = "on", open = "off" }
transitions = [{ from = "closed", to = "open", when = "t >= 1" }]
[simulation]
stop = 2
record = ["a.effort", "b.effort"]
)toml");
    CHECK(sample(trace, "a.effort", 0.5) == close_to(1));
    CHECK(last_sample(trace, "b.effort") == close_to(1));
    CHECK(trace.warnings.empty());
}

}  // namespace deltaflow::engine_test
