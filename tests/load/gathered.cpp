// All of an array at once: sum(many[*].x).
#include "engine/simulate.hpp"
#include "tests/engine/run.hpp"

namespace deltaflow::engine_test {

TEST_CASE("an array is gathered by sum, product, min and max") {
    const Trace trace = run(R"toml(
[diagrams.rise]
outputs = ["x", "m"]
parameters = { k = 1 }
[diagrams.rise.blocks]
x = "k*t"
m = "k + 1"
[blocks]
many = { type = "rise", count = 4, k = "i + 1" }
a = "sum(many[*].x)"
b = "sum(many[*].m * many[*].x, 1)"
c = "max(many[*].x) - min(many[*].x)"
d = "product(many[*].m)"
e = { type = "switch", in = "sum(many[*].x) > 15" }
floor = "floor(many[3].x/3)"
[simulation]
stop = 2
record = ["a", "b", "c", "d", "e", "floor"]
)toml");
    CHECK(last_sample(trace, "a") == close_to(20));
    CHECK(last_sample(trace, "b") == close_to(81));
    CHECK(last_sample(trace, "c") == close_to(6));
    CHECK(last_sample(trace, "d") == close_to(120));
    CHECK(last_sample(trace, "floor") == 2);
    check_times(trace, "e", {1.5});
}

}  // namespace deltaflow::engine_test
