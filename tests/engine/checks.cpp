// What is known of a model before it runs: regularity, warnings, loops.
#include "tests/engine/run.hpp"

#include <map>

namespace deltaflow::engine_test {

namespace {
std::map<std::string, std::string> regularities(const CheckReport& report) {
    return {report.signals.begin(), report.signals.end()};
}
}  // namespace

TEST_CASE("Each signal is told how regular it is", "[engine][check]") {
    const CheckReport report = check(model_of(R"toml(
[blocks]
smooth = "sin(t)"
step = { type = "step", at = 1 }
delta = "der(step)"
delta1 = "der(delta)"
delta2 = { type = "impulse", at = 1, order = 2 }
c0 = { type = "integrator", in = "step" }
c1 = { type = "integrator", in = "c0" }
sum = "c1 + step"
scaled = "t * delta1"
kink = "abs(smooth)"
product = "c0 * c1"
)toml"));
    const std::map<std::string, std::string> wanted{
        {"smooth", "smooth"}, {"step", "jump"}, {"delta", "delta"}, {"delta1", "delta1"},
        {"delta2", "delta2"}, {"c0", "C0"},     {"c1", "C1"},       {"sum", "jump"},
        {"scaled", "delta1"}, {"kink", "C0"},   {"product", "C0"}};
    CHECK(regularities(report) == wanted);
    CHECK(report.warnings.empty());
    CHECK(report.loops.empty());
    CHECK(report.blocks == 11);
    CHECK(report.states == 2);
}

TEST_CASE("A decision whose sides agree where it switches does not jump", "[engine][check]") {
    const CheckReport report = check(model_of(R"toml(
[blocks]
u = "sin(t)"
part = "max(u, 0)"
twice = "max(u, 2*u)"
clip = "min(t - 1, 3)"
bent = "if(u - 1, 2*u - 2, 0)"
torn = "if(u - 1, 2*u - 1, 0)"
side = "if(u, 1, -1)"
)toml"));
    const std::map<std::string, std::string> wanted{{"u", "smooth"}, {"part", "C0"}, {"twice", "C0"},
                                                    {"clip", "C0"},  {"bent", "C0"}, {"torn", "jump"},
                                                    {"side", "jump"}};
    CHECK(regularities(report) == wanted);
}

TEST_CASE("An impulse that may meet a jump is warned of, with the path that brings it", "[engine][check]") {
    const CheckReport report = check(model_of(R"toml(
[blocks]
push = { type = "step", at = 1 }
kick = "der(push)"
switched = { type = "step", at = 2 }
y = "kick * switched"
)toml"));
    REQUIRE(report.warnings.size() == 1);
    CHECK(report.warnings[0].place.line == 6);
    std::string text = report.warnings[0].message;
    for (const auto& note : report.warnings[0].notes) text += "\n" + note;
    CHECK_THAT(text, Catch::Contains("delta") && Catch::Contains("push -> kick") && Catch::Contains("pre("));
}

TEST_CASE("Two impulses, and impulses in conditions, are warned of", "[engine][check]") {
    const auto warnings = [](const std::string& block) {
        return check(model_of(
                         "[blocks]\nd = { type = \"impulse\", at = 1 }\ns = { type = \"step\", at = 2 }\n" +
                         block))
            .warnings.size();
    };
    CHECK(warnings("y = \"d*d\"") == 1);
    CHECK(warnings("y = { type = \"switch\", in = \"d\" }") == 1);
    CHECK(warnings("y = \"if(s, d, 0)\"") == 1);
    CHECK(warnings("y = \"exp(d)\"") >= 1);
    CHECK(warnings("y = { type = \"hold\", in = \"d\", period = 1 }") == 1);
    CHECK(warnings("y = \"d*t\"") == 0);
    CHECK(warnings("y = \"d*pre(s)\"") == 0);
}

TEST_CASE("The bouncing ball draws no warning", "[engine][check]") {
    const CheckReport report = check(model_of(R"toml(
[blocks]
a = "-9.81 + F"
F = "-1.8 * pre(v) * hit"
hit = { type = "crossing", in = "y", direction = "falling" }
v = { type = "integrator", in = "a" }
y = { type = "integrator", in = "v", initial = 10 }
)toml"));
    CHECK(report.warnings.empty());
    CHECK(report.loops.empty());
    CHECK(regularities(report) ==
          std::map<std::string, std::string>{
              {"a", "delta"}, {"F", "delta"}, {"hit", "delta"}, {"v", "jump"}, {"y", "C0"}});
}

TEST_CASE("Algebraic loops are listed by their blocks, and only real ones", "[engine][check]") {
    const CheckReport report = check(model_of(R"toml(
[blocks]
a = "0.5*b + t"
b = "0.5*a"
x = { type = "integrator", in = "-x" }
p = { type = "integrator", in = "t - der(q)" }
q = "2*p"
)toml"));
    REQUIRE(report.loops.size() == 2);
    CHECK(report.loops[0] == std::vector<std::string>{"a", "b"});
    CHECK(report.loops[1] == std::vector<std::string>{"p", "q"});
    CHECK(report.islands == 3);
}

}  // namespace deltaflow::engine_test
