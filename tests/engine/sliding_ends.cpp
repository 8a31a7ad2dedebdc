// Sliding that ends because something else decides.
#include "tests/engine/run.hpp"

using namespace deltaflow;
using namespace deltaflow::engine_test;

TEST_CASE("what slides is let go where another condition switches it off", "[sliding]") {
    // x comes to 20, slides there up to t = 6, and falls to 10 from then on.
    for (const char* on : {"x < 20 and t < 6", "(x < 20)*(t < 6)", "if(t < 6, if(x < 20, 1, 0), 0)",
                           "x < 20 and not (t >= 6 and t < 100)"}) {
        INFO(on);
        const Trace trace = run(std::string("[blocks]\non = \"") + on + R"toml("
x = { type = "integrator", in = "0.1*(10 - x) + 2*on", initial = 15 }
[simulation]
stop = 9
record = ["x", "on"]
)toml",
                                {5, 7, 9});
        CHECK(sample(trace, "x", 5) == close_to(20));
        CHECK(sample(trace, "on", 5) == close_to(0.5));
        CHECK(sample(trace, "x", 7) == close_to(10 + 10 * std::exp(-0.1)));
        CHECK(sample(trace, "x", 9) == close_to(10 + 10 * std::exp(-0.3)));
        REQUIRE(trace.sliding.size() == 1);
        CHECK(trace.sliding[0].to == close_to(6));
    }
}
