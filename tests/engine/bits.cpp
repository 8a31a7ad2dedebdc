// Same input, same bits.
#include "tests/engine/run.hpp"

#include <bit>

namespace deltaflow::engine_test {

namespace {

// FNV-1a over the bits of every double of a trace.
class Hash {
public:
    void add(double x) {
        auto bits = std::bit_cast<std::uint64_t>(x == 0 ? 0.0 : x);
        for (int i = 0; i < 8; ++i) {
            value_ = (value_ ^ (bits & 255)) * 1099511628211U;
            bits >>= 8;
        }
    }
    std::uint64_t value() const { return value_; }

private:
    std::uint64_t value_ = 14695981039346656037U;
};

std::uint64_t hash(const Trace& trace) {
    Hash h;
    for (const double t : trace.t) h.add(t);
    for (const auto& row : trace.samples)
        for (const double x : row) h.add(x);
    for (const Event& e : trace.events) {
        h.add(e.t);
        h.add(e.epsilon);
    }
    for (const Jump& j : trace.jumps) {
        h.add(j.signal);
        h.add(j.left);
        h.add(j.right);
    }
    for (const double x : trace.impulses) h.add(x);
    h.add(trace.end_t);
    return h.value();
}

const char* const every_kind = R"toml(
[blocks]
kick = { type = "impulse", at = "1/3", period = "7/10", order = 1 }
y = "0.3*y + x + exp(-t)*z"
z = { type = "integrator", in = "-x + kick" }
w = { type = "integrator", in = "kick*cos(t) - w" }
x = { type = "integrator", in = "v" }
v = { type = "integrator", in = "-sin(x) + hit - past/5", initial = 2 }
hit = { type = "crossing", in = "x - 1/2" }
past = { type = "delay", in = "x", by = "1/3" }
k = { type = "hold", in = "y", period = "1/7" }
b = "if(x, v, -v)"
[simulation]
stop = 2
record = ["x", "v", "w", "k", "b", "kick"]
)toml";

}  // namespace

TEST_CASE("A model run twice gives the same bits, by every method", "[engine][bits]") {
    for (const char* method : {"taylor", "dopri5", "rk4", "rosenbrock4", "euler"}) {
        INFO(method);
        const Changes set{
            {"simulation.method", method}, {"simulation.step", "1/100"}, {"simulation.tolerance", "1e-8"}};
        const Trace once = run(every_kind, {}, set);
        CHECK(once.events.size() > 10);
        CHECK(hash(once) == hash(run(every_kind, {}, set)));
    }
}

// Only + - * / act on these numbers, and those are the same on every machine. Who changes the order of
// operations on purpose puts the new hash here.
TEST_CASE("A polynomial model gives the bits that it gave before", "[engine][bits]") {
    const Trace trace = run(R"toml(
[blocks]
kick = { type = "impulse", at = "1/3", size = 0.7, order = 2, period = "3/2" }
push = { type = "step", at = "4/5", size = -1.3 }
x = { type = "integrator", in = "v", initial = 0.1 }
v = { type = "integrator", in = "push + kick", initial = 0.2 }
y = "0.3*y - t*x/7 + der(v)"
k = { type = "hold", in = "x", period = "1/3", phase = "1/10" }
q = "t*t*kick"
[simulation]
stop = 4
)toml");
    CHECK(hash(trace) == 0xaf568c610df1554dU);
}

}  // namespace deltaflow::engine_test
