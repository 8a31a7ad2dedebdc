// What the command line changes: --set, --record, --max-blocks.
#include "engine/simulate.hpp"
#include "tests/load/model_text.hpp"

using namespace deltaflow;
using namespace deltaflow::test;
using Names = std::vector<std::string>;

namespace {

const std::string text = R"toml(
[parameters]
mass = 2
force = "3*mass"
[blocks]
v = { type = "integrator", in = "force", initial = "force" }
w = "2*v"
[simulation]
stop = 5
record = ["v"]
)toml";

FlatModel set(const std::string& name, const std::string& value) {
    return load(text, {{{name, value}}, {}, {}});
}
std::string set_message(const std::string& name, const std::string& value) {
    return message(text, {{{name, value}}, {}, {}});
}

}  // namespace

TEST_CASE("option --set gives a parameter another value, or another expression") {
    CHECK(parameters_of(load(text), "v") == std::vector<double>{6});
    CHECK(parameters_of(set("mass", "4"), "v") == std::vector<double>{12});
    CHECK(parameters_of(set("mass", "1/4"), "v") == std::vector<double>{0.75});
    CHECK(parameters_of(set("force", "mass - 5"), "v") == std::vector<double>{-3});
}

TEST_CASE("option --set simulation.key changes a setting") {
    CHECK(set("simulation.stop", "7").settings.stop == 7);
    CHECK(set("simulation.stop", "mass^2").settings.stop == 4);
    CHECK(set("simulation.method", "rk4").settings.method == Method::rk4);
    CHECK(to_string(*set("simulation.step", "1/3").settings.step) == "1/3");
    CHECK(recorded_names(set("simulation.record", "w,v")) == Names{"w", "v"});
}

TEST_CASE("a wrong --set is shown with a caret, like a wrong file") {
    CHECK(set_message("mas", "4") ==
          "--set:1:1: the model has no parameter \"mas\"; did you mean \"mass\"?\n"
          "    1 | mas=4\n"
          "      | ^~~\n"
          "      = its parameters: mass, force\n");
    CHECK(set_message("mass", "4 + forc") ==
          "--set:1:10: there is no parameter \"forc\"; did you mean \"force\"?\n"
          "    1 | mass=4 + forc\n"
          "      |          ^~~~\n");
    CHECK(set_message("simulation.stpo", "4") ==
          "--set:1:12: unknown key \"stpo\" of [simulation]; did you mean \"stop\"?\n"
          "    1 | simulation.stpo=4\n"
          "      |            ^~~~\n");
    CHECK(set_message("simulation.method", "rk5").substr(0, 11) == "--set:1:19:");
    CHECK(set_message("mass", "").find("the expression is empty") != std::string::npos);
    CHECK(set_message("mass", "force").find("mass -> force -> mass") != std::string::npos);
}

TEST_CASE("option --record replaces what the model records") {
    LoadOptions options;
    options.record = Names{"w", "v"};
    CHECK(recorded_names(load(text, options)) == Names{"w", "v"});
    options.record = Names{"ww"};
    CHECK(message(text, options) ==
          "--record:1:1: there is no \"ww\" in the model; did you mean \"w\"?\n"
          "    1 | ww\n"
          "      | ^~\n");
}

TEST_CASE("option --max-blocks refuses before anything is built, and allows what fits") {
    LoadOptions options;
    options.max_blocks = 6;
    const std::string two = oscillator + "[blocks]\nmany = { type = \"oscillator\", force = 0, count = 2 }";
    const std::string three = oscillator + "[blocks]\nmany = { type = \"oscillator\", force = 0, count = 3 }";
    CHECK(message(two, options) == "");
    CHECK(message(three, options).find("the model would have 9 blocks; at most 6 are allowed") !=
          std::string::npos);
}

TEST_CASE("settings that no file could give are refused, whoever set them") {
    FlatModel model = load_model_text("model.toml", text);
    const auto refused = [&](auto change) {
        FlatModel changed = model;
        change(changed.settings);
        try {
            simulate(changed);
            return false;
        } catch (const ModelError& error) {
            return error.kind == ErrorKind::option;
        }
    };
    CHECK(!refused([](Settings&) {}));
    CHECK(refused([](Settings& s) { s.stop = -1; }));
    CHECK(refused([](Settings& s) { s.stop = NAN; }));
    CHECK(refused([](Settings& s) { s.tolerance = 0; }));
    CHECK(refused([](Settings& s) { s.absolute = -1; }));
    CHECK(refused([](Settings& s) { s.step = Rational(0); }));
    CHECK(refused([](Settings& s) { s.every = Rational(-1); }));
}
