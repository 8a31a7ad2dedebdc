// Many runs together have the bits that each has alone: compiled once, and in lanes.
#include "engine/ensemble.hpp"

#include "deltaflow/deltaflow.hpp"
#include "engine/front/load.hpp"
#include "engine/sweep.hpp"
#include "tests/paths.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <bit>
#include <filesystem>

using namespace deltaflow;

namespace {

// The bits of a run, and how it ended.
std::string told(const Trace& trace) {
    std::string text =
        fmt::format("{} {:x} {}", name_of(trace.end_reason), std::bit_cast<std::uint64_t>(trace.end_t),
                    trace.errors.empty() ? "" : trace.errors.front().text);
    const auto add = [&](double x) { text += fmt::format(" {:x}", std::bit_cast<std::uint64_t>(x)); };
    for (const double t : trace.t) add(t);
    for (const auto& column : trace.samples)
        for (const double x : column) add(x);
    for (const Event& event : trace.events) add(event.t);
    for (const Jump& jump : trace.jumps) add(jump.left), add(jump.right);
    for (const double x : trace.impulses) add(x);
    for (const auto& x : trace.last) add(x.value_or(0));
    return text;
}

RunControl with_last_values() {
    RunControl control;
    control.last_values = true;
    return control;
}

std::string alone(const FlatModel& model) {
    try {
        return told(simulate(model, with_last_values()));
    } catch (const ModelError& error) {
        return error.diagnostics.front().message;
    }
}

std::vector<std::string> together(const std::vector<FlatModel>& models) {
    std::vector<TraceSink> sinks(models.size());
    std::vector<Ensemble::Member> members;
    for (std::size_t i = 0; i < models.size(); ++i) members.push_back({models[i], &sinks[i]});
    Ensemble().run(members, with_last_values());
    std::vector<std::string> all;
    for (std::size_t i = 0; i < models.size(); ++i) {
        try {
            if (members[i].mistake) std::rethrow_exception(members[i].mistake);
            all.push_back(told(sinks[i].trace()));
        } catch (const ModelError& error) {
            all.push_back(error.diagnostics.front().message);
        }
    }
    return all;
}

void check_same(const std::vector<FlatModel>& models) {
    const std::vector<std::string> all = together(models);
    for (std::size_t i = 0; i < models.size(); ++i) {
        INFO("run " << i);
        CHECK((all[i] == alone(models[i])));
    }
}

// Each parameter in turn a little other, zero, and what others are.
std::vector<FlatModel> varied(const ModelFiles& files, const Model& model) {
    std::vector<FlatModel> all;
    std::size_t parameters = 0;
    for (const auto& [name, value] : model.parameters()) {
        if (++parameters > 2) break;
        for (const double x : {value, 0.9 * value, 1.05 * value, 0.0, 1.0, 1.1 * value}) try {
                LoadOptions options;
                options.set = {{name, fmt::format("{:.17g}", x)}};
                all.push_back(load_model(files, options));
            } catch (const ModelError&) {  // not every value makes sense
            }
    }
    return all;
}

// Values of one parameter.
std::vector<FlatModel> family(const std::string& text, const std::string& name, int count, double from,
                              double to) {
    const ModelFiles files = read_model_text("family.toml", text);
    std::vector<FlatModel> all;
    for (int i = 0; i < count; ++i) {
        LoadOptions options;
        options.set = {{name, fmt::format("{:.17g}", from + (to - from) * i / count)}};
        all.push_back(load_model(files, options));
    }
    return all;
}

const std::string van_der_pol = R"toml(
[parameters]
mu = 1.0
[blocks]
x = { type = "integrator", in = "v", initial = 2 }
v = { type = "integrator", in = "mu * (1 - x^2) * v - x", initial = "mu / 7" }
e = "x^2 + v^2"
[simulation]
stop = 3
method = "rk4"
step = 0.007
every = 0.1
)toml";

const std::string ball_path = test::project_folder() + "/diagrams/bouncing_ball.toml";

}  // namespace

TEST_CASE("all shipped models with other numbers run together as they run alone", "[ensemble][slow]") {
    for (const auto& entry : std::filesystem::directory_iterator(test::project_folder() + "/diagrams")) {
        const std::string path = entry.path().string();
        if (entry.path().extension() != ".toml") continue;
        INFO(path);
        const ModelFiles files = read_model(path);
        if (load_model(files, {}).diagram.nodes.size() > 300) continue;  // these take long
        check_same(varied(files, Model::load(path)));
    }
}

TEST_CASE("lanes have the bits of single runs", "[ensemble]") {
    check_same(family(van_der_pol, "mu", 70, 0.1, 5));
}

TEST_CASE("lanes know functions, sources, several islands and blocks side by side", "[ensemble]") {
    check_same(family(R"toml(
[parameters]
w = 1.0
[diagrams.swing]
inputs = ["a"]
outputs = ["phi"]
[diagrams.swing.blocks]
phi = { type = "integrator", in = "om", initial = 2 }
om = { type = "integrator", in = "-w^2 * sin(phi) - 0.1 * om + a + atan(phi) / 50", initial = 0 }
[blocks]
u = { type = "sine", amplitude = "w", omega = 3, phase = 0.1 }
s = { type = "swing", count = 5, a = "u" }
q = { type = "integrator", in = "tanh(q) - q + cos(w * t) + exp(-t) + t^2", initial = "w" }
[simulation]
stop = 2
method = "rk4"
step = 0.01
)toml",
                      "w", 40, 0.5, 1.5));
}

TEST_CASE("a lane that leaves the finite range is run alone, and says so as it does there", "[ensemble]") {
    const auto models = family(R"toml(
[parameters]
a = 1.0
[blocks]
x = { type = "integrator", in = "a * x^3", initial = 1 }
[simulation]
stop = 3
method = "rk4"
step = 0.05
)toml",
                               "a", 33, -1, 1);
    check_same(models);
    CHECK_THAT(together(models).back(), Catch::Contains("error"));
    CHECK_THAT(together(models).front(), Catch::StartsWith("stop"));
}

TEST_CASE("runs of other lengths, and models that are none, stay what they are among lanes", "[ensemble]") {
    auto models = family(van_der_pol, "mu", 12, 0.1, 2);
    models[3].settings.stop = 2;
    models[5].settings.stop = -1;
    models[7].settings.method = Method::taylor;
    models[9].settings.at = {0.5, 0.25};
    check_same(models);
}

TEST_CASE("numbers that change what can be known of a model are compiled anew", "[ensemble]") {
    check_same(family(R"toml(
[parameters]
k = 1.0
[blocks]
u = { type = "pulse", at = 0.25, width = 0.5, size = "k" }
x = { type = "integrator", in = "k * u + (k - 1) * t^3 - k * x", initial = 1 }
m = "max(x, k * u)"
n = "max(k * x, x)"
[simulation]
stop = 1
)toml",
                      "k", 9, -1, 2));
}

TEST_CASE("a model with other values has the programs of the one that it was made of", "[ensemble]") {
    const Model ball = Model::load(ball_path);
    simulate(ball);
    const Model soft = ball.with({{"e", "0.5"}});
    const auto first = ball.prepared(ball.options()), second = soft.prepared(soft.options());
    CHECK(first->can_rebind);
    CHECK(second->facts == first->facts);
    CHECK(second->systems != first->systems);
    CHECK((told(simulate(soft)) == told(simulate(Model::load(ball_path, {{"e", "0.5"}})))));
}

// Each island comes to a pole of its own; the first ends the run, and the other has gone further by then.
TEST_CASE("what an island meets behind the end of a run is of no account", "[ensemble]") {
    const FlatModel model = load_model_text("poles.toml", R"toml(
[blocks]
a = { type = "integrator", in = "1" }
b = "1/(1.02 - a)"
c = { type = "integrator", in = "1" }
d = "1/(1.03 - c)"
[simulation]
method = "rk4"
step = 0.05
)toml");
    const Trace trace = simulate(model, with_last_values());
    CHECK(trace.end_reason == EndReason::error);
    CHECK(trace.end_t == Approx(1.02));
    CHECK(trace.last[2].value_or(0) == Approx(1.02));
    CHECK(trace.last[3].value_or(0) == Approx(100));
}

TEST_CASE("several models are simulated at once through the library", "[ensemble]") {
    const Model model = Model::parse(van_der_pol);
    std::vector<Model> models;
    for (const char* mu : {"0.5", "1", "1.5", "2", "2.5"}) models.push_back(model.with({{"mu", mu}}));
    std::vector<TraceSink> kept(models.size());
    std::vector<Sink*> sinks;
    for (TraceSink& sink : kept) sinks.push_back(&sink);
    const auto mistakes = simulate(models, model.options(), sinks);
    for (std::size_t i = 0; i < models.size(); ++i) {
        CHECK_FALSE(mistakes[i]);
        CHECK((told(kept[i].trace()) == told(simulate(models[i]))));
    }
    Options wrong = model.options();
    wrong.stop = -1;
    for (const auto& mistake : simulate(models, wrong, sinks)) {
        REQUIRE(mistake);
        CHECK_THROWS_AS(std::rethrow_exception(mistake), Error);
    }
}
