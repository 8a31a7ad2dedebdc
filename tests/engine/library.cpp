// The public face of models: what they were made of, who waits for runs, and runs again.
#include "deltaflow/deltaflow.hpp"

#include "report/ask/ask.hpp"

#include <catch2/catch.hpp>

#include <thread>

namespace deltaflow::engine_test {

namespace {

const char* const ball = R"toml(
[parameters]
g = 9.81
e = "4/5"
[blocks]
F   = "-(1 + e) * pre(v) * hit"
hit = { type = "crossing", in = "y", direction = "falling" }
v   = { type = "integrator", in = "F - g" }
y   = { type = "integrator", in = "v", initial = 10 }
[simulation]
stop = 4
)toml";

const char* const endless =
    "[blocks]\nx = { type = \"integrator\", in = \"sin(1000*t) - x\" }\n[simulation]\nstop = 1e9\n";

bool same(const Trace& a, const Trace& b) {
    return a.t == b.t && a.samples == b.samples && a.impulses == b.impulses;
}

}  // namespace

TEST_CASE("a model tells its parameters, and what it was made of", "[engine][simulation]") {
    const Model model = Model::parse(ball, "ball.toml").with({{"g", "e + 1"}}).recording({"v"});
    CHECK(model.parameters() == std::vector<std::pair<std::string, double>>{{"g", 1.8}, {"e", 0.8}});
    const Origin origin = model.origin();
    CHECK(origin.path == "ball.toml");
    CHECK(origin.text == ball);
    REQUIRE(origin.record);
    const Model again = Model::parse(origin.text, origin.path, origin.sets).recording(*origin.record);
    CHECK(same(simulate(model), simulate(again)));
}

TEST_CASE("a run that somebody ends keeps what there is", "[engine][simulation]") {
    std::atomic<bool> end = false;
    double told = 0;
    Watch watch;
    watch.interrupt = &end;
    watch.progress = [&](double fraction) {
        told = fraction;
        end = true;
    };
    TraceSink sink;
    const Model model = Model::parse(endless, "endless.toml");
    simulate(model, model.options(), sink, watch);
    const Trace trace = std::move(sink.trace());
    CHECK(told > 0);
    CHECK(trace.end_reason == EndReason::interrupted);
    CHECK(trace.end_t > 0);
    CHECK(trace.end_t < 1e9);
}

TEST_CASE("further runs of a model are its first run, whatever came between", "[engine][simulation]") {
    const Model model = Model::parse(ball, "ball.toml");
    Options other = model.options();
    other.method = Method::dopri5;
    other.tolerance = 1e-6;
    const Trace first = simulate(model), rough = simulate(model, other);
    CHECK(!same(first, rough));
    CHECK(same(first, simulate(model)));
    CHECK(same(rough, simulate(Model::parse(ball, "ball.toml"), other)));
    std::atomic<int> differ = 0;
    {
        std::vector<std::jthread> threads;
        for (int k = 0; k < 4; ++k)
            threads.emplace_back([&, k] {
                for (int i = 0; i < 20; ++i)
                    if (!same(k % 2 ? first : rough, k % 2 ? simulate(model) : simulate(model, other)))
                        ++differ;
            });
    }
    CHECK(differ == 0);
}

TEST_CASE("what happens is told in parts whose causes have names", "[engine][simulation]") {
    Simulation simulation(Model::parse(ball, "ball.toml"));
    TraceSink kept;
    simulation.observe(kept);
    simulation.advance_to(2);
    REQUIRE(kept.so_far().events.size() == 1);
    CHECK(kept.so_far().causes_of(kept.so_far().events[0]) == std::vector<std::string>{"hit"});
}

TEST_CASE("a run is packed and unpacked, and other bytes are refused", "[engine][simulation]") {
    const Trace trace = simulate(Model::parse(ball, "ball.toml"));
    std::vector<std::byte> bytes = report::pack(trace);
    CHECK(same(trace, report::unpack(bytes)));
    bytes.pop_back();
    CHECK_THROWS_AS(report::unpack(bytes), Error);
}

TEST_CASE("a model is asked in public words", "[engine][simulation]") {
    const Model model = Model::parse(ball, "ball.toml").with({{"simulation.stop", "2"}});
    CHECK(report::check(model, report::Form::json).find("\"F\": \"delta\"") != std::string::npos);
    CHECK(report::exact(model, report::Form::text).text.find("27/25 sqrt(545)") != std::string::npos);
    CHECK(report::explain(model, {}, report::Form::text).text.find("25.2129 delta") != std::string::npos);
    CHECK_THROWS_AS(report::explain(model, {.at = {}, .event = 7}, report::Form::text), Error);
    CHECK_THROWS_AS(report::hypa(model, report::Form::text), Error);
    CHECK_THROWS_AS(report::compare(model, {-1}, "y", report::Form::text), Error);
    CHECK(report::show(model, {}, report::Form::dot).starts_with("digraph"));
    CHECK(report::catalogue().find("\"integrator\"") != std::string::npos);
}

}  // namespace deltaflow::engine_test
