// Random diagrams of sums, products, integrators and derivatives against exact piecewise polynomials.
#include "tests/engine/draw.hpp"
#include "tests/engine/pieces.hpp"
#include "tests/engine/run.hpp"

#include <fmt/format.h>

namespace deltaflow::engine_test {

namespace {

// Values are sums of some tens of terms of either sign; polynomials in t lose digits to cancellation that
// polynomials in t - start do not, so the size of what is added counts.
constexpr double cancellation = 1e-11;
constexpr std::size_t no_break = 1000;

// A diagram under construction, as text and as exact distributions.
struct Case {
    Draw& draw;
    Line line{{parse_rational("1/2").value(), whole(1), parse_rational("3/2").value()}};
    std::vector<Distribution> signals{};
    std::string text = "[blocks]\n";
    std::size_t undefined_at = no_break;

    std::string name(int i) const { return fmt::format("y{}", i); }
    int any() { return draw.integer(0, static_cast<int>(signals.size()) - 1); }
    const Distribution& signal(int i) const { return signals[static_cast<std::size_t>(i)]; }
    void add_block(const std::string& definition, const Distribution& y) {
        text += fmt::format("y{} = {}\n", signals.size(), definition);
        signals.push_back(y);
    }
    Rational fraction() { return whole(draw.integer(1, 6)) / whole(draw.one_of<int>({-2, -1, 1, 2, 4})); }

    void source() {
        const auto b = static_cast<std::size_t>(draw.integer(0, 2));
        const double at = to_double(line.breaks[b]);
        const Rational c = fraction();
        switch (draw.integer(0, 3)) {
            case 0:
                add_block(fmt::format("{{ type = \"step\", at = {}, size = {} }}", at, to_double(c)),
                          line.from(b, {c}));
                break;
            case 1:
                add_block(fmt::format("{{ type = \"ramp\", at = {}, slope = {} }}", at, to_double(c)),
                          line.from(b, {-c * line.breaks[b], c}));
                break;
            case 2: {
                const int order = draw.integer(0, 2);
                add_block(fmt::format("{{ type = \"impulse\", at = {}, size = {}, order = {} }}", at,
                                      to_double(c), order),
                          line.impulse(b, order, c));
                break;
            }
            default: {
                const Polynomial p{fraction(), fraction(), fraction()};
                add_block(fmt::format("{{ type = \"polynomial\", coefficients = [{}, {}, {}] }}",
                                      to_double(p[0]), to_double(p[1]), to_double(p[2])),
                          line.polynomial(p));
            }
        }
    }
    bool is_small(const Distribution& y) const {
        for (const auto& p : y.piece)
            if (p.size() > 9) return false;
        for (const auto& d : y.impulses)
            if (d.size() > 5) return false;
        return true;
    }
    void grow() {
        const int u = any(), v = any();
        const Rational c = fraction();
        switch (draw.integer(0, 4)) {
            case 0:
                source();
                break;
            case 1:
                add_block(fmt::format("\"({})*{} + {}\"", to_double(c), name(u), name(v)),
                          line.sum(c, signal(u), signal(v)));
                break;
            case 2:
                add_block(fmt::format("{{ type = \"integrator\", in = \"{}\", initial = {} }}", name(u),
                                      to_double(c)),
                          line.integral(signal(u), c));
                break;
            case 3:
                add_block(fmt::format("\"der({})\"", name(u)), line.derivative(signal(u)));
                break;
            default: {
                const auto p = line.product(signal(u), signal(v));
                if (!is_small(p.y)) return;
                add_block(fmt::format("{{ type = \"product\", in = [\"{}\", \"{}\"] }}", name(u), name(v)),
                          p.y);
                if (p.undefined_at) undefined_at = std::min(undefined_at, *p.undefined_at);
            }
        }
    }
};

double size_at(const Polynomial& p, double t) {
    double sum = 1, power = 1;
    for (const Rational& c : p) {
        sum += std::abs(to_double(c)) * power;
        power *= t;
    }
    return sum;
}

void check_signal(const Trace& trace, const Case& c, int i) {
    const Distribution& u = c.signal(i);
    const auto list = happenings(trace, c.name(i));
    for (std::size_t b = 0; b < c.line.breaks.size() && b < c.undefined_at; ++b) {
        const double t = to_double(c.line.breaks[b]);
        const double size = std::max(size_at(u.piece[b], t), size_at(u.piece[b + 1], t));
        INFO(c.name(i) << " at " << t);
        const double left = to_double(c.line.left(u, b)), right = to_double(c.line.right(u, b));
        const auto h = std::find_if(list.begin(), list.end(), [t](const Happening& e) { return e.t == t; });
        if (h == list.end()) {
            CHECK(u.impulses[b].empty());
            CHECK(left == right);
            continue;
        }
        CHECK(std::abs(h->left - left) <= cancellation * size);
        CHECK(std::abs(h->right - right) <= cancellation * size);
        REQUIRE(h->impulses.size() == u.impulses[b].size());
        for (std::size_t k = 0; k < h->impulses.size(); ++k)
            CHECK(h->impulses[k] == close_to(to_double(u.impulses[b][k]), cancellation));
    }
    for (std::size_t k = 0; k < trace.t.size(); ++k) {
        const double t = trace.t[k];
        std::size_t piece = 0;
        while (piece < c.line.breaks.size() && to_double(c.line.breaks[piece]) <= t) ++piece;
        INFO(c.name(i) << " at " << t);
        CHECK(std::abs(samples_of(trace, c.name(i))[k] - to_double(value_at(u.piece[piece], exact(t)))) <=
              cancellation * size_at(u.piece[piece], t));
    }
}

}  // namespace

TEST_CASE(
    "Four hundred random polynomial diagrams give exact jumps and impulses, or refuse what is undefined",
    "[engine][random]") {
    Draw draw(1936);
    int refused = 0;
    for (int n = 0; n < 400; ++n) {
        Case c{draw};
        for (int k = 0; k < 3; ++k) c.source();
        for (int k = draw.integer(2, 9); k > 0; --k) c.grow();
        c.text += "[simulation]\nstop = 2\n";
        INFO(c.text);
        const Trace trace = try_run(c.text, {0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2});
        if (c.undefined_at == no_break) {
            for (const RunError& error : trace.errors) FAIL_CHECK(error.text);
            CHECK(trace.t.size() == 8);
        } else {
            ++refused;
            REQUIRE(trace.errors.size() >= 1);
            CHECK(trace.errors[0].kind == ErrorKind::undefined);
            CHECK(trace.errors[0].t == to_double(c.line.breaks[c.undefined_at]));
            CHECK_THAT(trace.errors[0].text, Catch::Contains("not defined"));
        }
        for (int i = 0; i < static_cast<int>(c.signals.size()); ++i) check_signal(trace, c, i);
    }
    CHECK(refused > 40);
    CHECK(refused < 200);
}

}  // namespace deltaflow::engine_test
