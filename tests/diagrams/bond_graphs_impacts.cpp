// Bodies that meet, stick and slide: the bond graphs of 000, and the collisions of 002.
#include "tests/diagrams/bond_graphs.hpp"

#include <array>
#include <fstream>
#include <iterator>
#include <tuple>

using namespace deltaflow;
using namespace deltaflow::test;

TEST_CASE("Two bodies collide in a pinnacle", "[diagrams][bonds]") {
    struct Case {
        const char* e;
        double v1, v2, impulse, after, x1, x2;  // positions at t = 5
    };
    const Case cases[] = {{"1", 5.0 / 3, 11.0 / 3, 8.0 / 3, 19.0 / 2, 11, 17},
                          {"4/5", 9.0 / 5, 17.0 / 5, 12.0 / 5, 451.0 / 50, 57.0 / 5, 81.0 / 5},
                          {"1/2", 2, 3, 2, 17.0 / 2, 12, 15},
                          {"0", 7.0 / 3, 7.0 / 3, 4.0 / 3, 49.0 / 6, 13, 13}};
    for (const auto& [e, v1, v2, impulse, after, x1, x2] : cases) {
        INFO("e = " << e);
        const bool parts = v1 < v2;
        const Trace trace = run_diagram("two_body_collision", {{"e", e}});
        REQUIRE(trace.events.size() == (parts ? 2 : 1));
        const Event& hit = trace.events[0];
        check_row(trace, hit, {2, 0, 0, true, {{"touch", "together"}}});
        check_jump(trace, hit, "v1.flow", 3, v1);
        check_jump(trace, hit, "v2.flow", 1, v2);
        check_jump(trace, hit, "body1.effort", 0, 0, {-impulse});
        check_jump(trace, hit, "contact.effort", 0, 0, {impulse});
        check_jump(trace, hit, "body2.momentum", 1, v2);
        CHECK(value_at(trace, hit, "body1.momentum") + value_at(trace, hit, "body2.momentum") == close_to(7));
        CHECK(value_at(trace, hit, "total.energy") == close_to(after));
        if (parts) {
            check_row(trace, trace.events[1], {2, 1, 0, true, {{"touch", "apart"}}});
            CHECK(find_jump(trace, trace.events[1], "v1.flow") == nullptr);
        }
        check_loss(trace, 2, "contact", 19.0 / 2, after);
        check_samples(trace, "body1.displacement",
                      [v = v1](double t) { return t < 2 ? 3 * t : 6 + v * (t - 2); });
        check_samples(trace, "body2.displacement",
                      [v = v2](double t) { return t < 2 ? 4 + t : 6 + v * (t - 2); });
        CHECK(sample_at(trace, "body1.displacement", 5) == close_to(x1));
        CHECK(sample_at(trace, "body2.displacement", 5) == close_to(x2));
    }
}

TEST_CASE("Momentum is conserved whatever the masses, and energy as restitution says", "[diagrams][bonds]") {
    for (const auto& [m1, m2, e] :
         {std::array{0.1, 7.0, 0.3}, {1.0, 1.0, 1.0}, {1e3, 1.0, 0.9}, {3.0, 5.0, 0.0}}) {
        INFO("m1 = " << m1 << ", m2 = " << m2 << ", e = " << e);
        const Trace trace =
            run_diagram("two_body_collision", {{"m1", text(m1)}, {"m2", text(m2)}, {"e", text(e)}});
        const double p = 3 * m1 + m2, v = p / (m1 + m2), mu = m1 * m2 / (m1 + m2);
        const double before = 4.5 * m1 + 0.5 * m2, lost = (1 - e * e) * mu * 2;
        const Event& hit = event_at(trace, 2);
        check_jump(trace, hit, "v1.flow", 3, v - e * m2 / (m1 + m2) * 2);
        check_jump(trace, hit, "v2.flow", 1, v + e * m1 / (m1 + m2) * 2);
        CHECK(value_at(trace, hit, "body1.momentum") + value_at(trace, hit, "body2.momentum") == close_to(p));
        const EnergyEvent& row = energy_at(trace, 2);
        CHECK(row.stored_before == close_to(before));
        CHECK(row.stored_before - row.stored_after == Approx(lost).epsilon(1e-12).margin(1e-12 * before));
        CHECK(share_of(trace, row.dissipated, "contact") ==
              Approx(lost).epsilon(1e-12).margin(1e-12 * before));
        check_ledger(trace);
    }
}

TEST_CASE("Two masses collide head-on and part, or stay in contact", "[diagrams][bonds]") {
    struct Case {
        const char* e;
        double f1, f2, impulse, after, q1, q2;  // positions at t = 4
    };
    for (const auto& [e, f1, f2, impulse, after, q1, q2] :
         {Case{"0", 1, 1, 6, 5.0 / 2, 10, 10}, Case{"1/2", -0.5, 2, 9, 25.0 / 4, 7, 12},
          Case{"1", -2, 3, 12, 35.0 / 2, 4, 14}}) {
        INFO("e = " << e);
        const Trace trace = run_diagram("collision", {{"e", e}});
        const bool parts = f1 < f2;
        REQUIRE(trace.events.size() == (parts ? 2 : 1));
        const Event& hit = trace.events[0];
        check_row(trace, hit, {2, 0, 0, true, {{"state", "Act"}}});
        check_jump(trace, hit, "mass1.flow", 4, f1);
        check_jump(trace, hit, "mass2.flow", -1, f2);
        check_jump(trace, hit, "mass1.momentum", 8, 2 * f1);
        check_jump(trace, hit, "mass2.momentum", -3, 3 * f2);
        check_jump(trace, hit, "b3.effort", 0, 0, {impulse});
        if (parts) check_row(trace, trace.events[1], {2, 1, 0, true, {{"state", "Inact"}}});
        check_loss(trace, 2, "contact", 35.0 / 2, after);
        CHECK(sample_at(trace, "mass1.displacement", 4) == close_to(q1));
        CHECK(sample_at(trace, "mass2.displacement", 4) == close_to(q2));
        check_samples(trace, "mass1.displacement",
                      [v = f1](double t) { return t < 2 ? 4 * t : 8 + v * (t - 2); });
        check_ledger(trace);
    }
}

TEST_CASE("A blow breaks stiction in a mythical mode, or moves both bodies", "[diagrams][bonds]") {
    const Trace loose = run_diagram("stiction_breakaway");
    REQUIRE(loose.events.size() == 2);
    check_row(loose, loose.events[0], {1, 0, 0, false, {{"stiction", "stuck"}}});
    check_jump(loose, loose.events[0], "v1.flow", 0, 0.5);
    check_jump(loose, loose.events[0], "v2.flow", 0, 0.5);
    check_jump(loose, loose.events[0], "b4.effort", 0, 0, {0.5});
    check_row(loose, loose.events[1], {1, 0, 1, true, {{"stiction", "sliding"}}});
    check_jump(loose, loose.events[1], "v1.flow", 0, 1);
    check_jump(loose, loose.events[1], "F", 0, 0, {1});
    CHECK(impulse_at(loose, loose.events[1], "b4.effort") == 0);
    check_samples(loose, "v1.flow", [](double t) { return step(t); });
    check_samples(loose, "v2.flow", [](double) { return 0; });

    for (const char* threshold : {"3/5", "1/2"}) {  // not broken at the threshold itself
        INFO("F_br = " << threshold);
        const Trace stuck = run_diagram("stiction_breakaway", {{"F_br", threshold}});
        REQUIRE(stuck.events.size() == 1);
        check_row(stuck, stuck.events[0], {1, 0, 0, true, {{"stiction", "stuck"}}});
        check_jump(stuck, stuck.events[0], "b4.effort", 0, 0, {0.5});
        check_samples(stuck, "v1.flow", [](double t) { return step(t) / 2; });
        check_samples(stuck, "v2.flow", [](double t) { return step(t) / 2; });
    }
}

TEST_CASE("Stiction that holds and breaks in turn stops time", "[diagrams][bonds]") {
    // |v1 - v2| = 1 after the blow, below v_th: stuck again, broken again. A push of 9 at rest does the same.
    for (const Changes& set :
         {Changes{{"v_th", "2"}}, Changes{{"P", "0"}, {"F0", "9"}, {"m1", "2"}, {"F_br", "2"}}}) {
        const Trace trace = try_diagram("stiction_breakaway", set);
        REQUIRE(trace.errors.size() == 1);
        CHECK(trace.errors[0].kind == ErrorKind::no_progress);
        CHECK(trace.errors[0].t == close_to(1));
        CHECK(trace.errors[0].text.find("stuck] -> [stiction = sliding] -> [stiction = stuck]") !=
              std::string::npos);
    }
}

TEST_CASE("Stiction that holds again only from above the threshold lets a push break it",
          "[diagrams][bonds]") {
    // The automaton of 000 with a third state: the bodies stick again once |v1 - v2| has been above v_th.
    std::ifstream file(diagram_path("stiction_breakaway"));
    std::string source{std::istreambuf_iterator<char>(file), {}};
    const std::size_t begin = source.find("states  ="), end = source.find("[simulation]");
    REQUIRE(begin < end);
    source.replace(begin, end - begin, R"(
states = { stuck = "on", breaking = "off", sliding = "off" }
transitions = [
  { from = "stuck", to = "breaking", when = "b4.effort > F_br or b4.effort < -F_br" },
  { from = "breaking", to = "sliding", when = "abs(v1.flow - v2.flow) >= v_th" },
  { from = "sliding", to = "stuck", when = "abs(v1.flow - v2.flow) < v_th" },
]
)");
    const Changes push{{"P", "0"}, {"F0", "9"}, {"m1", "2"}, {"F_br", "2"}};
    const Trace trace =
        simulate(load_model_text("edge.toml", source, {.set = push, .record = {}, .max_blocks = {}}));
    REQUIRE(trace.errors.empty());
    REQUIRE(trace.events.size() == 3);
    check_row(trace, trace.events[0], {1, 0, 0, false, {{"stiction", "stuck"}}});
    check_jump(trace, trace.events[0], "b4.effort", 0, 3);
    check_row(trace, trace.events[1], {1, 0, 1, true, {{"stiction", "breaking"}}});
    check_row(trace, trace.events[2], {1 + 0.1 / 4.5, 0, 0, true, {{"stiction", "sliding"}}});
    check_samples(trace, "v1.flow", [](double t) { return 4.5 * (t - 1) * step(t); });
    check_samples(trace, "v2.flow", [](double) { return 0; });
    check_ledger(trace);
}

TEST_CASE("A push below the breakaway force moves both bodies", "[diagrams][bonds]") {
    const Trace trace =
        run_diagram("stiction_breakaway", {{"P", "0"}, {"F0", "3"}, {"m1", "2"}, {"F_br", "2"}});
    check_jump(trace, event_at(trace, 1), "b4.effort", 0, 1);
    for (const char* v : {"v1.flow", "v2.flow"})
        check_samples(trace, v, [](double t) { return (t - 1) * step(t); });
    CHECK(sample_at(trace, "v2.flow", 3) == close_to(2));
    check_ledger(trace);
}

namespace {

void check_momenta(const Trace& trace, const Event& event, double p1, double p2, double p3) {
    INFO("momenta at <" << event.epsilon << ", " << event.index << ">");
    CHECK(value_at(trace, event, "body1.momentum") == close_to(p1));
    CHECK(value_at(trace, event, "body2.momentum") == close_to(p2));
    CHECK(value_at(trace, event, "body3.momentum") == close_to(p3));
    CHECK(value_at(trace, event, "total.energy") == close_to((p1 * p1 + p2 * p2 + p3 * p3) / 2));
}

}  // namespace

TEST_CASE("The cradle with a rider follows Table 1 of 000", "[diagrams][bonds]") {
    const Trace trace = run_diagram("cradle_with_rider", {{"F_th", "0.95"}});
    REQUIRE(trace.events.size() == 2);
    const Event &hit = trace.events[0], &part = trace.events[1];
    check_row(trace, hit, {1, 0, 0, true, {{"F13", "on"}, {"F23", "on"}}});
    check_momenta(trace, hit, -0.2, 0.6, 0.6);
    CHECK(impulse_at(trace, hit, "b5.effort") == close_to(1.2));
    CHECK(impulse_at(trace, hit, "b8.effort") == close_to(0.6));
    check_row(trace, part, {1, 1, 0, true, {{"F13", "off"}, {"F23", "on"}}});
    check_momenta(trace, part, -0.2, 0.6, 0.6);
    CHECK(sample_at(trace, "body1.displacement", 3) == close_to(0.6));
    CHECK(sample_at(trace, "body2.displacement", 3) == close_to(2.2));
    CHECK(sample_at(trace, "body3.displacement", 3) == close_to(2.2));
    const EnergyEvent& row = energy_at(trace, 1);
    CHECK(row.stored_before == close_to(0.5));
    CHECK(row.stored_after == close_to(0.38));
    CHECK(sum_of(row.dissipated) == close_to(0.12));
}

TEST_CASE("The cradle with a rider follows Table 2 of 000, mythical mode included", "[diagrams][bonds]") {
    for (const char* v_th : {"sqrt(0.1)", "0.1"}) {
        const Trace trace = run_diagram("cradle_with_rider", {{"v_th", v_th}});
        REQUIRE(trace.events.size() == 3);
        const Event &stuck = trace.events[0], &broken = trace.events[1], &part = trace.events[2];
        check_row(trace, stuck, {1, 0, 0, false, {{"F13", "on"}, {"F23", "on"}}});
        check_momenta(trace, stuck, -0.2, 0.6, 0.6);
        CHECK(impulse_at(trace, stuck, "b5.effort") == close_to(1.2));
        CHECK(impulse_at(trace, stuck, "b8.effort") == close_to(0.6));
        check_row(trace, broken, {1, 0, 1, true, {{"F13", "on"}, {"F23", "off"}}});
        check_momenta(trace, broken, 0.1, 0, 0.9);
        CHECK(impulse_at(trace, broken, "b5.effort") == close_to(0.9));
        CHECK(impulse_at(trace, broken, "b8.effort") == close_to(0));
        check_row(trace, part, {1, 1, 0, true, {{"F13", "off"}, {"F23", "off"}}});
        check_momenta(trace, part, 0.1, 0, 0.9);
        CHECK(sample_at(trace, "body1.displacement", 3) == close_to(1.2));
        CHECK(sample_at(trace, "body2.displacement", 3) == close_to(1));
        CHECK(sample_at(trace, "body3.displacement", 3) == close_to(2.8));
        check_loss(trace, 1, "hit", 0.5, 0.41);
    }
}

TEST_CASE("The rider breaks away above an impulse of 0.6, and not at all times", "[diagrams][bonds]") {
    CHECK(run_diagram("cradle_with_rider", {{"F_th", "0.600001"}}).events.size() == 2);
    CHECK(run_diagram("cradle_with_rider", {{"F_th", "0.599999"}}).events.size() == 3);
    const Trace loop = try_diagram("cradle_with_rider", {{"v_th", "1"}});
    REQUIRE(loop.errors.size() == 1);
    CHECK(loop.errors[0].kind == ErrorKind::no_progress);
    CHECK(loop.errors[0].text.find("[F13 = on, F23 = on] -> [F13 = on, F23 = off] -> [F13 = on, F23 = on]") !=
          std::string::npos);
}

TEST_CASE("Masses and restitution move the rider's cradle as the general formulas say", "[diagrams][bonds]") {
    const double m1 = 2, m2 = 0.5, m3 = 1.5, eps = 0.3, M = m2 + m3, v = 1;
    const Changes masses{{"m1", "2"}, {"m2", "1/2"}, {"m3", "3/2"}, {"e", "0.3"}};
    const double P13 = (1 + eps) * m1 * M * v / (m1 + M);
    Changes hold = masses;
    hold.emplace_back("F_th", "10");
    const Trace stuck = run_diagram("cradle_with_rider", hold);
    const Event& hit = event_at(stuck, 1);
    check_jump(stuck, hit, "body1.momentum", m1, m1 * v * (m1 - eps * M) / (m1 + M));
    CHECK(impulse_at(stuck, hit, "b5.effort") == close_to(P13));
    CHECK(impulse_at(stuck, hit, "b8.effort") == close_to(m2 / M * P13));
    Changes slip = masses;
    slip.emplace_back("F_th", "0.1");
    const Trace broken = run_diagram("cradle_with_rider", slip);
    REQUIRE(broken.events.size() == 3);
    check_jump(broken, broken.events[1], "body1.momentum", m1, m1 * v * (m1 - eps * m3) / (m1 + m3));
    check_jump(broken, broken.events[1], "body3.momentum", 0, (1 + eps) * m1 * m3 * v / (m1 + m3));
}

namespace {

// The impact module in closed form: a falling shaft, a board on a spring and a damper.
struct ImpactModule {
    double m_s = 1, m_p = 2, k = 60, b = 12, F = -10, e = 0.5;
    double t0 = 0, x_s = 0.1, v_s = 0, x_p = 0, v_p = 0;

    double shaft(double t) const { return x_s + v_s * (t - t0) + F / m_s * (t - t0) * (t - t0) / 2; }
    TwoStates::State board(double t) const {
        return TwoStates{0, 1, -k / m_p, -b / m_p, 0, 0}.at({x_p, v_p}, t - t0);
    }
    double gap(double t) const { return shaft(t) - board(t).first; }
    // To the next impact: the first step of a ten-thousandth in which the gap closes.
    void go_on() {
        const double h = 1e-4;
        double t = t0 + h;
        while (gap(t + h) > 0) t += h;
        const double hit = zero_between(t, t + h, [this](double s) { return gap(s); });
        std::tie(x_p, v_p) = board(hit);
        v_s += F / m_s * (hit - t0);
        x_s = x_p;
        t0 = hit;
    }
    void bounce() {
        const double dv = v_s - v_p, P = -(1 + e) * m_s * m_p / (m_s + m_p) * dv;
        v_s += P / m_s;
        v_p -= P / m_p;
    }
};

// (m_s + m_p) x'' = F - k x - b x' from (x, v) at t0.
TwoStates::State in_contact(const ImpactModule& m, double x, double v, double t) {
    const double M = m.m_s + m.m_p;
    return TwoStates{0, 1, -m.k / M, -m.b / M, 0, m.F / M}.at({x, v}, t);
}

}  // namespace

TEST_CASE("The impact module bounces as its closed form does", "[diagrams][bonds]") {
    for (const double e : {1.0, 0.8, 0.5}) {
        INFO("e = " << e);
        const Trace trace = run_diagram("impact_module", {{"e", text(e)}, {"simulation.stop", "1.1"}});
        ImpactModule module;
        module.e = e;
        std::size_t n = 0;
        for (const int last = e == 0.5 ? 6 : 8; n < static_cast<std::size_t>(last); ++n) {
            INFO("impact " << n + 1);
            module.go_on();
            const auto [v_s, v_p] = std::pair(module.v_s, module.v_p);
            module.bounce();
            REQUIRE(trace.events.size() >= 2 * n + 2);
            const Event &hit = trace.events[2 * n], &part = trace.events[2 * n + 1];
            check_row(trace, hit, {module.t0, 0, 0, true, {{"touch", "Act"}}});
            check_row(trace, part, {module.t0, 1, 0, true, {{"touch", "Inact"}}});
            CHECK(find_jump(trace, hit, "v_s.flow")->left == close_to(v_s));
            CHECK(find_jump(trace, hit, "v_s.flow")->right == close_to(module.v_s));
            CHECK(find_jump(trace, hit, "v_p.flow")->left == close_to(v_p));
            CHECK(find_jump(trace, hit, "v_p.flow")->right == close_to(module.v_p));
            CHECK(impulse_at(trace, hit, "lambda") == close_to(module.v_s - v_s));
            const EnergyEvent& row = energy_at(trace, module.t0);
            CHECK(sum_of(row.dissipated) == close_to((1 - e * e) / 3 * (v_s - v_p) * (v_s - v_p)));
        }
        if (e < 1) continue;
        const double x_s[] = {0.01045694996615868, -0.05098124171742865, -0.14728775020242535,
                              -0.18061682208773774, -0.1808078724231657};
        const double v_p[] = {-0.6252207431465976, -0.18304072045669098, -0.6449010482476938,
                              -0.03641531340115686, -0.12179531272276362};
        const Trace even = run_diagram("impact_module", {{"e", "1"}, {"simulation.stop", "1"}});
        const double times[] = {0.2, 0.3, 0.5, 0.8, 1};
        for (std::size_t i = 0; i < 5; ++i) {
            CHECK(sample_at(even, "shaft.displacement", times[i]) == near_to(x_s[i]));
            CHECK(sample_at(even, "v_p.flow", times[i]) == near_to(v_p[i]));
        }
        check_ledger(even);
    }
}

TEST_CASE("A plastic impact keeps the shaft on the board", "[diagrams][bonds]") {
    const double t1 = std::sqrt(2.0) / 10, v1 = -std::sqrt(2.0) / 3;
    const Trace trace = run_diagram("impact_module", {{"e", "0"}});
    REQUIRE(trace.events.size() == 1);
    check_row(trace, trace.events[0], {t1, 0, 0, true, {{"touch", "Act"}}});
    check_jump(trace, trace.events[0], "v_s.flow", -std::sqrt(2.0), v1);
    check_jump(trace, trace.events[0], "v_p.flow", 0, v1);
    check_jump(trace, trace.events[0], "lambda", 0, 8.552284749830793, {2 * std::sqrt(2.0) / 3});
    check_loss(trace, t1, "contact", 1, 1.0 / 3);
    const auto contact = [=](double t) { return in_contact({}, 0, v1, t - t1); };
    for (const char* x : {"shaft.displacement", "board.displacement"})
        check_samples(trace, x, [&](double t) {
            return t < t1 ? (*x == 's' ? 0.1 - 5 * t * t : 0) : contact(t).first;
        });
    check_samples(trace, "lambda", [&](double t) {
        const auto [x, v] = contact(t);
        return t < t1 ? 0 : (-10 - 60 * x - 12 * v) / 3 + 10;
    });
    CHECK(sample_at(trace, "v_s.flow", 2) == near_to(-0.017931893073660662));
    CHECK(sample_at(trace, "lambda", 0.5) == near_to(11.393759062026508));
    check_ledger(trace);
}

TEST_CASE("Impacts that pile up end in contact", "[diagrams][bonds]") {
    const Trace trace = run_diagram("impact_module");
    const double times[] = {0.1414213562373095, 0.24224972134659856, 0.28759399356638843, 0.30931015011501506,
                            0.3199579155091424, 0.3252323392352445,  0.32785755111866605, 0.32916720119662224,
                            0.3298212926976578, 0.3301481557367586,  0.33031154166225174, 0.3303932232369377};
    for (std::size_t n = 0; n < std::size(times); ++n) CHECK(trace.events[2 * n].t == near_to(times[n]));
    CHECK(trace.events.back().t == near_to(0.3304748972235614));
    CHECK(state_of(trace, trace.events.back(), "touch") == "Act");
    struct Sample {
        double t, x, v, lambda;
    };
    for (const auto& [t, x, v, lambda] :
         {Sample{0.5, -0.17126860841368502, -0.32487263364633495, 11.391529369525706},
          Sample{0.8, -0.21030303229787484, 0.03025204839923293, 10.751719119027232},
          Sample{1, -0.1939002835325184, 0.11176924682606114, 10.09759535001279},
          Sample{2, -0.16572480031455974, -0.018110023385708118, 10.053602766500694}}) {
        CHECK(sample_at(trace, "shaft.displacement", t) == near_to(x));
        CHECK(sample_at(trace, "board.displacement", t) == near_to(x));
        CHECK(sample_at(trace, "v_s.flow", t) == near_to(v));
        CHECK(sample_at(trace, "v_p.flow", t) == near_to(v));
        CHECK(sample_at(trace, "lambda", t) == near_to(lambda));
    }
    check_ledger(trace, nine_digits);
    const Trace slower = run_diagram("impact_module", {{"e", "0.8"}});
    CHECK(slower.events.back().t == near_to(0.7514580405812345));
    CHECK(sample_at(slower, "shaft.displacement", 0.8) == near_to(-0.20914163709479111));
    CHECK(sample_at(slower, "board.displacement", 1) == near_to(-0.19486845002717054));
    CHECK(sample_at(slower, "shaft.displacement", 2) == near_to(-0.16543169511486344));
    // The same without "continue": the run ends where the impacts pile up.
    const Trace stopped = try_diagram("impact_module", {{"simulation.zeno", "stop"}});
    CHECK(stopped.end_reason == EndReason::zeno);
    CHECK(stopped.end_t == near_to(0.3304748972235614));
    const Trace failed = try_diagram("impact_module", {{"simulation.zeno", "error"}});
    REQUIRE(failed.errors.size() == 1);
    CHECK(failed.errors[0].kind == ErrorKind::no_progress);
}

TEST_CASE("A board that swings back throws the shaft off and catches it again", "[diagrams][bonds]") {
    // No damper, a weak force: in contact x = -1/60 + ..., and lambda = m_s x'' - F falls to 0 at x = 2/60.
    const Trace trace = run_diagram(
        "impact_module", {{"e", "0"}, {"F", "-1"}, {"b", "0"}, {"gap", "1"}, {"simulation.stop", "4"}});
    const double t1 = std::sqrt(2.0);
    ImpactModule m;
    m.F = -1;
    m.b = 0;
    const double v1 = -std::sqrt(2.0) / 3, released = 1.0 / 30;
    const auto contact = [&](double t) { return in_contact(m, 0, v1, t - t1); };
    const double t2 = zero_between(2, 2.4, [&](double t) { return contact(t).first - released; });
    m.t0 = t2;
    m.x_s = m.x_p = released;
    m.v_s = m.v_p = contact(t2).second;
    m.go_on();
    REQUIRE(trace.events.size() == 3);
    check_row(trace, trace.events[0], {t1, 0, 0, true, {{"touch", "Act"}}});
    check_row(trace, trace.events[1], {t2, 0, 0, true, {{"touch", "Inact"}}});
    check_row(trace, trace.events[2], {m.t0, 0, 0, true, {{"touch", "Act"}}});
    CHECK(find_jump(trace, trace.events[1], "v_s.flow") == nullptr);
    const double v3 = (m.v_s + 2 * m.v_p) / 3;
    check_jump(trace, trace.events[2], "v_s.flow", m.v_s, v3);
    check_jump(trace, trace.events[2], "v_p.flow", m.v_p, v3);
    check_samples(trace, "shaft.displacement", [&](double t) {
        if (t < t1) return 1 - t * t / 2;
        if (t < t2) return contact(t).first;
        if (t < m.t0) return released + contact(t2).second * (t - t2) - (t - t2) * (t - t2) / 2;
        return in_contact(m, m.x_p, v3, t - m.t0).first;
    });
    check_ledger(trace);
}
