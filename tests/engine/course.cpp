// The run as a whole: parts of a trace, threads, where samples stand.
#include "deltaflow/sink.hpp"
#include "engine/run/samples.hpp"
#include "tests/engine/run.hpp"

#include <fmt/format.h>

namespace deltaflow::engine_test {

namespace {

const std::string balls = R"toml(
[diagrams.ball]
parameters = { e = 0.8, h = 10 }
outputs = ["y"]
[diagrams.ball.blocks]
a = "-9.81 - (1 + e) * pre(v) * hit"
hit = { type = "crossing", in = "y", direction = "falling" }
v = { type = "integrator", in = "a" }
y = { type = "integrator", in = "v", initial = "h" }
[blocks]
low = { type = "ball", h = 1 }
same = { type = "ball", h = 1 }
high = { type = "ball", h = 7, e = 0.9 }
many = { type = "ball", count = 12, h = 3 }
[simulation]
stop = 3
every = "1/5000"
record = ["low.y", "same.y", "high.y", "many[3].y"]
)toml";

void check_same(const Trace& a, const Trace& b) {
    CHECK(a.t == b.t);
    CHECK(a.samples == b.samples);
    REQUIRE(a.events.size() == b.events.size());
    for (std::size_t i = 0; i < a.events.size(); ++i) {
        CHECK(a.events[i].t == b.events[i].t);
        CHECK(a.events[i].epsilon == b.events[i].epsilon);
        CHECK(a.causes_of(a.events[i]) == b.causes_of(b.events[i]));
        REQUIRE(a.events[i].jump_count == b.events[i].jump_count);
    }
    CHECK(a.impulses == b.impulses);
    CHECK(a.statistics.steps == b.statistics.steps);
}

// Counts parts and looks at their order.
class Watching final : public Sink {
public:
    void begin(const Trace& heading) override { signals = heading.signals.size(); }
    void take(const Trace& part) override {
        ++parts;
        CHECK(part.samples.size() == signals);
        for (const double t : part.t) {
            CHECK(t > last_sample);
            last_sample = t;
        }
        for (const Event& event : part.events) {
            CHECK(event.t >= last_event);
            CHECK(event.t > passed);
            last_event = event.t;
        }
        samples += part.t.size();
        events += part.events.size();
        passed = std::max({passed, part.t.empty() ? passed : part.t.back(), last_event});
    }
    void end(const Trace& closing) override { ended = closing.end_reason; }

    std::size_t signals = 0, parts = 0, samples = 0, events = 0;
    double last_sample = -1, last_event = -1, passed = -1;
    EndReason ended = EndReason::error;
};

}  // namespace

TEST_CASE("Islands give the same trace on any number of threads", "[engine][course]") {
    const FlatModel model = model_of(balls);
    RunControl control;
    const Trace one = simulate(model, control);
    CHECK(one.events.size() > 8);
    for (const unsigned threads : {2u, 5u, 0u}) {
        control.threads = threads;
        check_same(one, simulate(model, control));
    }
}

TEST_CASE("A run is handed on in parts, in order of time, and part by part it is the whole",
          "[engine][course]") {
    const FlatModel model = model_of(balls);
    const Trace whole = simulate(model);
    Watching watching;
    run(model, watching);
    CHECK(watching.parts > 5);
    CHECK(watching.samples == whole.t.size());
    CHECK(watching.events == whole.events.size());
    CHECK(watching.ended == EndReason::stop);
}

TEST_CASE("A digest keeps the first and the last events and counts the others", "[engine][course]") {
    const FlatModel model = model_of(balls);
    const Trace whole = simulate(model);
    Digest digest(3, 2);
    run(model, digest);
    const Trace kept = digest.trace();
    REQUIRE(kept.events.size() == 5);
    CHECK(kept.t.empty());
    CHECK(kept.statistics.events == whole.events.size());
    for (std::size_t i = 0; i < 5; ++i) {
        const Event& event = whole.events[i < 3 ? i : whole.events.size() - 5 + i];
        CHECK(kept.events[i].t == event.t);
        CHECK(kept.causes_of(kept.events[i]) == whole.causes_of(event));
        REQUIRE(kept.jumps_of(kept.events[i]).size() == whole.jumps_of(event).size());
        for (std::size_t j = 0; j < whole.jumps_of(event).size(); ++j)
            CHECK(kept.jumps_of(kept.events[i])[j].right == whole.jumps_of(event)[j].right);
    }
}

TEST_CASE("Samples of a grid stand at the nearest doubles of their fractions", "[engine][course]") {
    Settings settings;
    settings.start = -0.5;
    settings.stop = 100;
    for (const Rational& every : {Rational(1, 10), Rational(1, 3), Rational(7, 1000), Rational(22, 7)}) {
        settings.every = every;
        const SampleTimes times(settings);
        CHECK(times[times.size() - 1] <= settings.stop);
        for (std::size_t k = 0; k < times.size(); k += 13)
            CHECK(times[k] == to_double(exact(settings.start) + every * Rational(Integer(k))));
        CHECK(to_double(exact(settings.start) + every * Rational(Integer(times.size()))) > settings.stop);
    }
}

TEST_CASE("More samples than anybody could write are refused", "[engine][course]") {
    FlatModel model = model_of("[blocks]\ny = \"t\"\n");
    model.settings.every = Rational(Integer(1), Integer("1000000000000000"));
    CHECK_THROWS_AS(simulate(model), ModelError);
}

}  // namespace deltaflow::engine_test
