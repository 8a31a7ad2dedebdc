// Random systems that slide, against their sliding motion written out; other ways to run what slides.
#include "engine/exact.hpp"
#include "tests/engine/draw.hpp"
#include "tests/engine/run.hpp"
#include "tests/engine/simulation_held.hpp"

#include <fmt/format.h>

using namespace deltaflow;
using namespace deltaflow::engine_test;

namespace {

using Row = std::vector<double>;

double dot(const Row& a, const Row& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

// x' = A x + b - k sign(c x), with c k > 0: both sides point at c x = 0 where |c (A x + b)| < c k.
struct Filippov {
    std::vector<Row> A;
    Row b, k, c, x;

    explicit Filippov(Draw& draw) {
        const int n = draw.integer(2, 4);
        const auto row = [&](int largest) {
            Row r;
            for (int i = 0; i < n; ++i) r.push_back(draw.quarter(largest));
            return r;
        };
        for (int i = 0; i < n; ++i) A.push_back(row(1));
        do {
            b = row(1);
            k = row(2);
            c = row(2);
            x = row(1);
            x[0] = -dot(Row(c.begin() + 1, c.end()), Row(x.begin() + 1, x.end())) / c[0];
        } while (dot(c, k) < 1 || std::abs(rate(x)) > 0.5 * dot(c, k));
    }
    double rate(const Row& at) const {
        double sum = dot(c, b);
        for (std::size_t i = 0; i < A.size(); ++i) sum += c[i] * dot(A[i], at);
        return sum;
    }
    std::string sum_of(const Row& r, double constant) const {
        std::string text = fmt::format("{}", constant);
        for (std::size_t i = 0; i < r.size(); ++i) text += fmt::format(" + ({}) * x{}", r[i], i);
        return text;
    }
    std::string model(const std::string& control, double stop) const {
        std::string text = "[blocks]\n";
        for (std::size_t i = 0; i < A.size(); ++i)
            text +=
                fmt::format("x{0} = {{ type = \"integrator\", in = \"{1} - ({2}) * u\", initial = {3} }}\n",
                            i, sum_of(A[i], b[i]), k[i], x[i]);
        return text + "s = \"" + sum_of(c, 0) + "\"\nu = \"" + control +
               fmt::format("\"\n[simulation]\nstop = {}\n", stop);
    }
    std::string equivalent() const {
        Row row(x.size(), 0);
        for (std::size_t i = 0; i < A.size(); ++i)
            for (std::size_t j = 0; j < x.size(); ++j) row[j] += c[i] * A[i][j];
        return "(" + sum_of(row, dot(c, b)) + fmt::format(") / ({})", dot(c, k));
    }
};

}  // namespace

TEST_CASE("random systems slide as their equivalent control says", "[sliding][slow]") {
    Draw draw(20261117);
    int left = 0;
    for (int trial = 0; trial < 40; ++trial) {
        const Filippov f(draw);
        INFO(f.model("sign(s)", 3));
        const Trace trace = run(f.model("sign(s)", 3), {}, {{"simulation.method", "taylor"}});
        const Trace other = run(f.model("sign(s)", 3), {}, {{"simulation.method", "dopri5"}});
        const Trace wanted = run(f.model(f.equivalent(), 3));
        REQUIRE(!trace.sliding.empty());
        CHECK(trace.sliding[0].from == 0);
        const double end = trace.sliding[0].to;
        left += end < 3;
        for (std::size_t i = 0; i < trace.t.size(); ++i) {
            if (trace.t[i] >= end) break;
            CHECK(std::abs(samples_of(trace, "s")[i]) < 1e-13);
            CHECK(samples_of(trace, "u")[i] == close_to(samples_of(wanted, "u")[i], 1e-11));
            CHECK(samples_of(trace, "x0")[i] == close_to(samples_of(wanted, "x0")[i], 1e-11));
            CHECK(std::abs(samples_of(trace, "u")[i]) <= 1 + 1e-12);
        }
        if (end < 3) {
            const double u = sample(run(f.model(f.equivalent(), 3), {end}), "u", end);
            CHECK(std::abs(u) == close_to(1, 1e-10));
        }
        REQUIRE(other.sliding.size() == trace.sliding.size());
        for (std::size_t i = 0; i < trace.sliding.size(); ++i)
            CHECK(other.sliding[i].to == close_to(trace.sliding[i].to, 1e-6));
        for (std::size_t j = 0; j < f.x.size(); ++j) {
            const std::string name = fmt::format("x{}", j);
            CHECK(last_sample(other, name) == close_to(last_sample(trace, name), 1e-6));
        }
    }
    CHECK(left > 5);
}

TEST_CASE("a steep slope in place of the jump comes to the same motion", "[sliding][slow]") {
    const auto model = [](const std::string& u) {
        return "[blocks]\nx = { type = \"integrator\", in = \"v\", initial = 1 }\n"
               "v = { type = \"integrator\", in = \"0.5 * sin(3 * t) - 2 * u\" }\ns = \"x + v\"\nu = \"" +
               u + "\"\n[simulation]\nstop = 4\n";
    };
    const Trace sharp = run(model("sign(s)"));
    const Trace steep = run(model("tanh(s / 1e-5)"), {}, {{"simulation.tolerance", "1e-9"}});
    REQUIRE(sharp.sliding.size() == 1);
    CHECK(last_sample(sharp, "x") == close_to(last_sample(steep, "x"), 1e-4));
    CHECK(last_sample(sharp, "u") == close_to(last_sample(steep, "u"), 1e-3));
}

TEST_CASE("a run that slides can be saved and taken up, to the last bit", "[sliding][slow]") {
    const std::string text = R"toml(
[blocks]
v = { type = "integrator", in = "2 * sin(t) - R", initial = 1 }
R = "1.25 * sign(v)"
w = { type = "integrator", in = "v - if(w - 0.1, 1, -0.5 - 0.25 * v)" }
[simulation]
stop = 12
)toml";
    for (const Method method : {Method::taylor, Method::automatic, Method::dopri5, Method::rk4,
                                Method::rosenbrock4, Method::euler}) {
        INFO(name_of(method));
        const Model model = Model::parse(text);
        Options options = model.options();
        options.method = method;
        if (method == Method::rk4 || method == Method::euler) options.step = 0.0078125;
        const Trace alone = held::run(model, options, 1, held::Way::held);
        CHECK(alone.errors.empty());
        CHECK(alone.sliding.size() > 3);
        CHECK(held::difference(alone, held::run(model, options, 7, held::Way::looked_at)) == "");
        CHECK(held::difference(alone, held::run(model, options, 7, held::Way::restored)) == "");
    }
}

TEST_CASE("sliding in exact numbers", "[sliding][slow]") {
    FractionBook book;
    const ExactTrace trace = run_exactly(load_model_text("model.toml", R"toml(
[blocks]
v = { type = "integrator", in = "t - 1 - R", initial = "3/4" }
R = "3/2 * sign(v)"
x = { type = "integrator", in = "if(x - 1/3, -1, 2)" }
[simulation]
stop = 4
)toml"),
                                         book);
    CHECK(trace.errors.empty());
    const auto signal = [&](const std::string& name) {
        for (const ExactSignal& s : trace.signals)
            if (s.name == name) return s;
        FAIL(name);
        return ExactSignal();
    };
    // 3/4 - 5/2 t + t^2/2 = 0 at (5 - sqrt(19)) / 2; R = t - 1 up to 5/2.
    const ExactSignal r = signal("R"), x = signal("x");
    REQUIRE(r.pieces.size() == 3);
    CHECK(to_double(r.pieces[1].from) == close_to((5 - std::sqrt(19.0)) / 2));
    CHECK(to_double(r.pieces[2].from) == 2.5);
    REQUIRE(r.pieces[1].p.size() == 2);
    CHECK(to_double(r.pieces[1].p[0]) == -1);
    CHECK(to_double(r.pieces[1].p[1]) == 1);
    REQUIRE(x.pieces.size() == 2);
    CHECK(to_double(x.pieces[1].from) == close_to(1.0 / 6));
}

TEST_CASE("on samples what slides stays within a step of it", "[sliding][slow]") {
    const std::string text = R"toml(
[blocks]
v = { type = "integrator", in = "t - 1 - 1.5 * sign(v)", initial = 1 }
x = { type = "integrator", in = "v" }
[simulation]
stop = 6
)toml";
    const Trace exact = run(text);
    double before = 0;
    for (const char* const step : {"1/50", "1/500"}) {
        INFO(step);
        const Trace trace = run(text, {}, {{"simulation.impulses", "numeric"}, {"simulation.step", step}});
        const double error = std::abs(last_sample(trace, "x") - last_sample(exact, "x"));
        const double h = std::string(step) == "1/50" ? 0.02 : 0.002;
        CHECK(error < 20 * h);
        if (before > 0) CHECK(error < before / 4);
        before = error;
    }
}
