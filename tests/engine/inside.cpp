// A block counts wherever it stands: at the top of the model or inside of an instance, read or not.
#include "tests/engine/run.hpp"

#include <fmt/format.h>

namespace deltaflow::engine_test {

namespace {

// The blocks as a model of their own, in an instance, and in each instance of an array; x is recorded.
std::vector<std::string> written_everywhere(const std::string& blocks) {
    const std::string inside =
        "[diagrams.inner]\noutputs = [\"x\"]\n[diagrams.inner.blocks]\n" + blocks + "[blocks]\n";
    const std::string settings = "[simulation]\nstop = 2\nrecord = ";
    return {"[blocks]\n" + blocks + settings + "[\"x\"]\n",
            inside + "a = { type = \"inner\" }\n" + settings + "[\"a.x\"]\n",
            inside + "a = { type = \"inner\", count = 3 }\n" + settings + "[\"a[1].x\"]\n"};
}

void check_end(const std::string& blocks, ErrorKind kind, double t, const std::string& words) {
    for (const std::string& text : written_everywhere(blocks)) {
        INFO(text);
        const Trace trace = try_run(text);
        REQUIRE(!trace.errors.empty());
        CHECK(trace.errors[0].kind == kind);
        CHECK(trace.errors[0].t == close_to(t, 1e-9));
        CHECK_THAT(trace.errors[0].text, Catch::Contains(words));
    }
}

constexpr const char* ramp = "x = { type = \"integrator\", in = \"1\" }\n";
const double edge = std::log(std::numeric_limits<double>::max()) / 1000;

}  // namespace

TEST_CASE("A block that nobody reads ends the run where it has no value", "[engine][finite]") {
    const std::string x = ramp;
    check_end(x + "y = \"exp(1000*x)\"\n", ErrorKind::not_finite, edge, "y)");
    check_end(x + "y = \"exp(1000*x)\"\nz = \"if(x - 9, y, 1)\"\n", ErrorKind::not_finite, edge, "y)");
    check_end(x + "y = \"exp(1000*x)\"\nz = \"tanh(y)\"\n", ErrorKind::not_finite, edge, "y)");
    check_end(x + "y = \"1/(x - 0.5)\"\n", ErrorKind::not_finite, 0.5, "y)");
    check_end(x + "y = \"exp(1000*x)\"\nh = { type = \"hold\", in = \"y\", period = 9 }\n",
              ErrorKind::not_finite, edge, "y)");
    const double z = 2 * std::acos(0.0) + std::asin(2.0 / 3);  // the fold of a loop: 1 + 1.5 sin(z) = 0
    check_end(x + "y = \"cos(z) + x + 2\"\nz = \"1.5*y\"\n", ErrorKind::not_finite, z / 1.5 - std::cos(z) - 2,
              "loop");
}

TEST_CASE("A block that nobody reads refuses what is not defined", "[engine][instant]") {
    const std::string x = ramp, kick = "kick = { type = \"impulse\", at = 0.5 }\n";
    check_end(x + kick + "y = \"kick*kick\"\n", ErrorKind::undefined, 0.5, "delta times delta");
    check_end(x + kick + "y = \"tan(kick)\"\n", ErrorKind::undefined, 0.5,
              "a nonlinear function of an impulse");
}

TEST_CASE("What a state depends on is defined at every instant", "[engine][instant]") {
    const std::string kick = "kick = { type = \"impulse\", at = 0.5 }\n";
    const std::string words = "a nonlinear function of an impulse";
    check_end(kick + "x = { type = \"integrator\", in = \"cos(kick) - x\" }\n", ErrorKind::undefined, 0.5,
              words);
    check_end(kick + "d = \"sin(t)*kick\"\nx = { type = \"integrator\", in = \"cos(d) - x\" }\n",
              ErrorKind::undefined, 0.5, words);
}

TEST_CASE("A block that nobody reads makes events wherever it stands", "[engine][events]") {
    const std::string blocks = std::string(ramp) +
                               "s = { type = \"step\", at = 0.25 }\nd = \"if(x - 1, s, 3)\"\n"
                               "h = { type = \"hysteresis\", in = \"x\", low = 0.5, high = 1.5 }\n";
    for (const std::string& text : written_everywhere(blocks)) {
        INFO(text);
        const Trace trace = run(text);
        std::vector<double> times;
        for (const Event& event : trace.events) times.push_back(event.t);
        CHECK(times.size() == 3);
        CHECK(times.front() == 0.25);
        CHECK(times.back() == close_to(1.5));
    }
}

}  // namespace deltaflow::engine_test
