// What a run may take, set by a program that uses the library.
#include "deltaflow/deltaflow.hpp"
#include "tests/folder.hpp"

#include <catch2/catch.hpp>

#include <cmath>

namespace deltaflow::engine_test {

namespace {

const char* const endless =
    "[blocks]\nx = { type = \"integrator\", in = \"-x\", initial = 1 }\n"
    "[simulation]\nmethod = \"rk4\"\nstep = 1e-7\nstop = 1000\n";

}  // namespace

TEST_CASE("a limit of time ends a run of the library as if it was interrupted") {
    const Model model = Model::parse(endless);
    Options options = model.options();
    options.limit_seconds = 0.1;
    const Trace trace = simulate(model, options);
    CHECK(trace.end_reason == EndReason::interrupted);
    REQUIRE(trace.errors.size() == 1);
    CHECK(trace.errors[0].kind == ErrorKind::interrupted);
    CHECK(trace.end_t > 0);
    CHECK(trace.end_t < 1000);
    CHECK(trace.samples[0].size() == trace.t.size());
    options.limit_seconds = NAN;
    CHECK_THROWS_AS(simulate(model, options), Error);
}

TEST_CASE("a limit of memory ends a run of the library, and no model can set it") {
    const Model model = Model::parse("[blocks]\ny = \"t\"\n[simulation]\nstop = 1\nevery = 1e-8\n");
    Options options = model.options();
    options.limit_megabytes = 1;  // this program itself is larger
    const Trace trace = simulate(model, options);
    CHECK(trace.end_reason == EndReason::interrupted);
    CHECK_THROWS_AS(Model::parse("[blocks]\ny = \"t\"\n[simulation]\nlimit_seconds = 1\n"), Error);
}

TEST_CASE("samples within one step are handed on as they come") {
    const Model model = Model::parse("[blocks]\ny = \"t\"\n[simulation]\nstop = 1\nevery = 1e-6\n");
    struct Largest final : Sink {
        std::size_t part = 0, all = 0;
        bool in_order = true;
        double last = -1;
        void take(const Trace& trace) override {
            part = std::max(part, trace.t.size());
            all += trace.t.size();
            for (std::size_t i = 0; i < trace.t.size(); ++i) {
                in_order = in_order && trace.t[i] > last && trace.samples[0][i] == trace.t[i];
                last = trace.t[i];
            }
        }
    } sink;
    simulate(model, model.options(), sink);
    CHECK(sink.all == 1000001);
    CHECK(sink.part < 500000);
    CHECK(sink.in_order);
    CHECK(sink.last == 1);
}

TEST_CASE("models of the library read below their folder, and where they are allowed to") {
    const test::Folder folder;
    folder.write("data.csv", "t,u\n0,1\n1,2\n");
    const std::string path =
        folder.write("own/m.toml", "[blocks]\nu = { type = \"data\", file = \"../data.csv\" }\n");
    CHECK_THROWS_AS(Model::load(path), Error);
    CHECK(Model::load(path, {}, {folder.path().string()}).signals() == std::vector<std::string>{"u"});
}

}  // namespace deltaflow::engine_test
