// Circuits and vessels as bond graphs.
#include "tests/diagrams/bond_graphs.hpp"

#include <array>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>

using namespace deltaflow;
using namespace deltaflow::test;

namespace {

constexpr double pi = 3.141592653589793238;

}

TEST_CASE("Two capacitors share their charge and lose energy in the switch", "[diagrams][bonds]") {
    for (const auto& [C1, C2, V1, V2] : {std::array{1.0, 4.0, 10.0, 0.0},
                                         {1.0, 1.0, 10.0, 0.0},
                                         {3.0, 1.0, 10.0, 4.0},
                                         {1e-6, 2e-3, -5.0, 1.0}}) {
        INFO("C1 = " << C1 << ", C2 = " << C2);
        const Changes set{{"C1", text(C1)}, {"C2", text(C2)}, {"V1", text(V1)}, {"V2", text(V2)}};
        const Trace trace = run_diagram("two_capacitors", set);
        const double charge = C1 * V1 + C2 * V2, v = charge / (C1 + C2);
        const double before = (C1 * V1 * V1 + C2 * V2 * V2) / 2, after = charge * v / 2;
        REQUIRE(trace.events.size() == 1);
        const Event& event = trace.events[0];
        check_row(trace, event, {1, 0, 0, true, {{"hand", "closed"}}});
        check_jump(trace, event, "left.effort", V1, v);
        check_jump(trace, event, "right.effort", V2, v);
        check_jump(trace, event, "switch.flow", 0, 0, {C2 * (v - V2)});
        CHECK(value_at(trace, event, "left.displacement") + value_at(trace, event, "right.displacement") ==
              close_to(charge));
        check_loss(trace, 1, "switch", before, after);
        CHECK(before - after == close_to(C1 * C2 / (C1 + C2) * (V1 - V2) * (V1 - V2) / 2));
        check_samples(trace, "right.effort", [=, before = V2](double t) { return t < 1 ? before : v; });
        check_samples(trace, "total.energy", [=](double t) { return t < 1 ? before : after; });
        check_ledger(trace);
    }
}

TEST_CASE("A ladder of n stages decays in n modes", "[diagrams][bonds]") {
    const double R = 1, C = 0.1, V = 5;
    for (const int n : {10, 2, 37}) {
        INFO("n = " << n);
        const Trace trace = run_diagram("rc_ladder", {{"n", std::to_string(n)}});
        CHECK(trace.events.size() == 1);
        // v_i = V (1 - sum of b_j sin(i a_j) exp(-rate_j t)), b_j = 2 cot(a_j/2)/(2 n + 1)
        const auto voltage = [=](int i, double t) {
            double v = 1;
            for (int j = 1; j <= n; ++j) {
                const double a = (2 * j - 1) * pi / (2 * n + 1), s = std::sin(a / 2);
                v -= 2 * std::cos(a / 2) / s / (2 * n + 1) * std::sin(i * a) *
                     std::exp(-4 * s * s * t / (R * C));
            }
            return V * v;
        };
        check_samples(trace, "stage[0].node.effort", [&](double t) { return voltage(1, t); });
        check_samples(trace, "out.effort", [&](double t) { return voltage(n, t); });
        check_samples(trace, "feed.flow", [&](double t) { return (V - voltage(1, t)) / R; });
        check_jump(trace, trace.events[0], "feed.flow", 0, V / R);
        // The source gave V times the charge of all capacitors.
        double charge = 0;
        for (int i = 1; i <= n; ++i) charge += C * voltage(i, 10);
        CHECK(sum_of(trace.energy.supplied) == close_to(V * charge));
        CHECK(trace.energy.dissipated.size() == static_cast<std::size_t>(n));
        check_ledger(trace);
    }
}

TEST_CASE("A coil with a free-wheeling diode keeps its current when it is switched off",
          "[diagrams][bonds]") {
    const Trace trace = run_diagram("switch_diode_circuit", {{"simulation.every", "1/20"}});
    const double i = 2 * (1 - std::exp(-2)), e = 10 * std::exp(-2);
    REQUIRE(trace.events.size() == 4);
    check_row(trace, trace.events[0], {0.4, 0, 0, false, {{"hand", "open"}, {"valve", "blocking"}}});
    check_jump(trace, trace.events[0], "coil.flow", i, 0);
    check_jump(trace, trace.events[0], "coil.effort", e, 0, {-i});
    check_row(trace, trace.events[1], {0.4, 0, 1, true, {{"hand", "open"}, {"valve", "conducting"}}});
    CHECK(find_jump(trace, trace.events[1], "coil.energy") == nullptr);
    check_jump(trace, trace.events[1], "coil.effort", e, 0);
    check_row(trace, trace.events[2], {1, 0, 0, false, {{"hand", "closed"}, {"valve", "conducting"}}});
    check_jump(trace, trace.events[2], "b3.flow", 0, 2);
    check_row(trace, trace.events[3], {1, 0, 1, true, {{"hand", "closed"}, {"valve", "blocking"}}});
    check_jump(trace, trace.events[3], "coil.effort", 0, e);
    const auto current = [](double t) {
        const double closed = t < 0.4 ? t : t < 1 ? 0.4 : t - 0.6;
        return 2 * (1 - std::exp(-5 * closed));
    };
    check_samples(trace, "coil.flow", current);
    check_samples(trace, "coil.effort",
                  [&](double t) { return t >= 0.4 && t < 1 ? 0 : 10 - 5 * current(t); });
    CHECK(sample_at(trace, "coil.flow", 1.1) == near_to(1.8358300027522023));
    CHECK(sample_at(trace, "coil.effort", 1.5) == near_to(0.11108996538242306));
    CHECK(trace.energy.instants.empty());
    check_ledger(trace);
}

TEST_CASE("A current that the diode cannot carry is destroyed with its energy", "[diagrams][bonds]") {
    const Changes negative{{"i0", "-1"}, {"opens", "0.05"}, {"closes", "0.5"}, {"simulation.every", "1/50"}};
    const Trace trace = run_diagram("switch_diode_circuit", negative);
    const double i = 2 - 3 * std::exp(-0.25);
    REQUIRE(trace.events.size() == 2);
    check_row(trace, trace.events[0], {0.05, 0, 0, true, {{"hand", "open"}, {"valve", "blocking"}}});
    check_jump(trace, trace.events[0], "coil.flow", i, 0);
    check_jump(trace, trace.events[0], "coil.effort", 10 - 5 * i, 0, {-i});
    check_row(trace, trace.events[1], {0.5, 0, 0, true, {{"hand", "closed"}, {"valve", "blocking"}}});
    check_loss(trace, 0.05, "switch", i * i / 2, 0);
    const auto current = [](double t) {
        return t < 0.05 ? 2 - 3 * std::exp(-5 * t) : t < 0.5 ? 0 : 2 * (1 - std::exp(-5 * (t - 0.5)));
    };
    check_samples(trace, "coil.flow", current);
    CHECK(sample_at(trace, "coil.flow", 0.04) == near_to(-0.4561922592339456));
    CHECK(sample_at(trace, "coil.effort", 0) == near_to(15));
    CHECK(sample_at(trace, "coil.effort", 0.1) == near_to(0));
    CHECK(sample_at(trace, "coil.effort", 1) == near_to(0.820849986238988));
    check_ledger(trace);
}

TEST_CASE("A diode across a coil that is charged backwards keeps it at rest", "[diagrams][bonds]") {
    // V < 0: the diode conducts, the coil is shorted, nothing but the resistor works.
    const Trace trace = run_diagram("switch_diode_circuit", {{"V", "-10"}});
    check_samples(trace, "coil.flow", [](double) { return 0; });
    check_samples(trace, "b3.flow", [](double t) { return t >= 0.4 && t < 1 ? 0 : -2; });
    check_ledger(trace);
}

TEST_CASE("A buck converter is three circuits in turn", "[diagrams][bonds]") {
    const double V = 12, Ron = 0.1, L = 1e-4, C = 1e-4, period = 1e-4, duty = 0.4;
    for (const double R : {20.0, 2.0}) {  // the current dies away in each period, or never
        INFO("R = " << R);
        const Trace trace = run_diagram("buck_converter", {{"R", text(R)}});
        const TwoStates closed{-Ron / L, -1 / L, 1 / C, -1 / (R * C), V / L, 0};
        const TwoStates open{0, -1 / L, 1 / C, -1 / (R * C), 0, 0};
        struct Piece {
            double t;
            int circuit;  // 0 closed, 1 conducting, 2 blocking
            TwoStates::State x;
        };
        std::vector<Piece> pieces;
        TwoStates::State x{0, 0};
        for (int n = 0; n < 100; ++n) {
            const double begin = n * period, opens = begin + duty * period, end = (n + 1) * period;
            pieces.push_back({begin, 0, x});
            x = closed.at(x, opens - begin);
            pieces.push_back({opens, 1, x});
            const auto current = [&](double t) { return open.at(x, t - opens).first; };
            const double dead = current(end) > 0 ? end : zero_between(opens, end, current);
            TwoStates::State y = open.at(x, dead - opens);
            if (dead < end) {
                pieces.push_back({dead, 2, {0, y.second}});
                y = {0, y.second * std::exp(-(end - dead) / (R * C))};
            }
            x = y;
        }
        pieces.push_back({100 * period, 0, x});
        // The modes that last, in order.
        std::size_t next = 0;
        for (const Event& event : trace.events) {
            if (!event.committed) continue;
            REQUIRE(next < pieces.size());
            const Piece& piece = pieces[next++];
            check_row(trace, event,
                      {piece.t,
                       0,
                       event.index,
                       true,
                       {{"key", piece.circuit == 0 ? "closed" : "open"},
                        {"valve", piece.circuit == 1 ? "conducting" : "blocking"}}});
        }
        CHECK(next == pieces.size());
        CHECK(pieces.size() > 200);
        const auto piece_at = [&](double t) {
            return *std::prev(std::upper_bound(pieces.begin(), pieces.end(), t + 1e-15,
                                               [](double s, const Piece& p) { return s < p.t; }));
        };
        const auto state = [&](double t) -> TwoStates::State {
            const auto [t0, circuit, x0] = piece_at(t);
            if (circuit == 2) return {0, x0.second * std::exp(-(t - t0) / (R * C))};
            return (circuit == 0 ? closed : open).at(x0, t - t0);
        };
        check_samples(trace, "current.flow", [&](double t) { return state(t).first; });
        check_samples(trace, "out.effort", [&](double t) { return state(t).second; });
        CHECK(trace.energy.instants.empty());
        check_ledger(trace);
    }
}

namespace {

using Pressures = std::array<double, 3>;

void check_pressures(const Trace& trace, const Event& event, const Pressures& p) {
    const char* signals[] = {"chamber.p.effort", "sluice1.p.effort", "sluice2.p.effort"};
    for (std::size_t i = 0; i < 3; ++i) {
        INFO(signals[i] << " after " << event.t);
        CHECK(value_at(trace, event, signals[i]) == near_to(p[i]));
    }
}

}  // namespace

TEST_CASE("The vacuum chamber follows its schedule", "[diagrams][bonds]") {
    const Trace trace = run_diagram(
        "vacuum_chamber", {{"simulation.stop", "12"}, {"P_max", "0.2"}, {"simulation.every", "1/2"}});
    struct Move {
        double t;
        const char* controller;
        Pressures after;
        double volume, lost;  // through the door, and the energy
        const char* door;
    };
    const Move moves[] = {
        {2,
         "d2",
         {0.0483295992533672, 0.0483295992533672, 0.0121306131942527},
         0.319549841918075,
         0.0561616558084268,
         "door2.way"},
        {3, "none", {0.0421687977428061, 0.0421687977428061, 0.00944733105482029}, 0, 0, ""},
        {4,
         "d1",
         {0.0381559060712812, 1, 0.00735758882342885},
         0.974423331285767,
         0.474750414277026,
         "door1.way"},
        {5, "none", {0.0345248915323607, 1, 0.0057300959372038}, 0, 0, ""},
        {6,
         "d4",
         {0.0267766119605888, 0.606530659712633, 0.0267766119605888},
         -0.0446280175152404,
         0.000597497984202181,
         "door4.way"},
        {7, "none", {0.0236302771169292, 0.367879441171442, 0.0236302771169292}, 0, 0, ""},
        {8,
         "d3",
         {0.0213815589339565, 0.22313016014843, 1},
         1.96319344335428,
         0.963532124007311,
         "door3.way"},
        {9, "none", {0.0193468345793849, 0.135335283236613, 1}, 0, 0, ""},
        {10,
         "d2",
         {0.0233765815548812, 0.0233765815548812, 0.778800783071405},
         0.0587084170690176,
         0.00189567302911234,
         "door2.way"},
        {11,
         "d24",
         {0.110571120366716, 0.110571120366716, 0.110571120366716},
         0.991919078691834,
         0.290698749153344,
         "door4.way"}};
    std::vector<const Event*> committed;
    for (const Event& event : trace.events)
        if (event.committed) committed.push_back(&event);
    REQUIRE(committed.size() == std::size(moves));
    for (std::size_t i = 0; i < committed.size(); ++i) {
        const auto& [t, controller, after, volume, lost, door] = moves[i];
        const Event& event = *committed[i];
        INFO("t = " << t);
        CHECK(event.t == close_to(t));
        CHECK(state_of(trace, event, "controller") == controller);
        check_pressures(trace, event, after);
        if (lost == 0) continue;
        const EnergyEvent& row = energy_at(trace, t);
        CHECK(sum_of(row.dissipated) == near_to(lost));
        CHECK(row.stored_before + row.supplied - row.stored_after == near_to(lost));
        CHECK(share_of(trace, row.dissipated, door) == near_to(lost));
        const std::string_view inner = door;
        if (inner == "door2.way") CHECK(impulse_at(trace, event, "out2.flow") == near_to(volume));
        if (inner == "door4.way") CHECK(impulse_at(trace, event, "out4.flow") == near_to(volume));
    }
    const std::pair<double, Pressures> samples[] = {
        {1, {0.01809674836071919, 0.6065306597126334, 0.015576015661428097}},
        {2.5, {0.04514422549901715, 0.04514422549901715, 0.010705228570379805}},
        {4.5, {0.03629502057348815, 1, 0.006493049347166995}},
        {6.5, {0.02515429905366466, 0.4723665527410147, 0.02515429905366466}},
        {8.5, {0.020338767999675513, 0.17377394345044514, 1}},
        {10.5, {0.0218358456393821, 0.0218358456393821, 0.6872892787909722}},
        {11.5, {0.10238455388145401, 0.10238455388145401, 0.10238455388145401}},
        {12, {0.09480411194838348, 0.09480411194838348, 0.09480411194838348}}};
    for (const auto& [t, p] : samples) {
        CHECK(sample_at(trace, "chamber.p.effort", t) == near_to(p[0]));
        CHECK(sample_at(trace, "sluice1.p.effort", t) == near_to(p[1]));
        CHECK(sample_at(trace, "sluice2.p.effort", t) == near_to(p[2]));
    }
    CHECK(sample_at(trace, "admitted", 12) == near_to(3.93761677464005));
    CHECK(sample_at(trace, "pumped", 12) == near_to(3.945163319311064));
    CHECK(1.24 + sample_at(trace, "admitted", 12) - sample_at(trace, "pumped", 12) ==
          near_to(1.232453455328985));
    check_ledger(trace);
}

TEST_CASE("The safety constraint of the vacuum chamber fails on unsafe schedules", "[diagrams][bonds]") {
    const auto fails_at = [](const Changes& set) {
        const Trace trace = try_diagram("vacuum_chamber", set);
        if (trace.errors.empty()) return -1.0;
        CHECK(trace.errors[0].kind == ErrorKind::assertion);
        CHECK(trace.errors[0].text.find("above P_max") != std::string::npos);
        return trace.errors[0].t;
    };
    CHECK(fails_at({}) == -1);
    CHECK(fails_at({{"open2", "0.1"}}) == close_to(0.1));
    // exp(-t/2) + exp(-t/10)/5 = 1.1 at t = 0.2018591...
    CHECK(fails_at({{"open2", "0.20185911"}}) == close_to(0.20185911));
    CHECK(fails_at({{"open2", "0.20185913"}}) == -1);
    CHECK(fails_at({{"simulation.stop", "12"}}) == close_to(11));
}

TEST_CASE("The controller of the vacuum chamber has 33 transitions and moves one door in each",
          "[diagrams][bonds]") {
    const Trace trace = run_diagram("vacuum_chamber");
    const auto controller = std::find_if(trace.automata.begin(), trace.automata.end(),
                                         [](const AutomatonNames& a) { return a.name == "controller"; });
    REQUIRE(controller != trace.automata.end());
    CHECK(controller->states.size() == 9);
    // From the text: pairs of open doors in the names of the states.
    std::ifstream file(diagram_path("vacuum_chamber"));
    const std::string source{std::istreambuf_iterator<char>(file), {}};
    const std::string part = source.substr(source.find("[automata.controller]"));
    const auto doors = [](const std::string& state) {
        std::array<bool, 5> open{};
        if (state != "none")
            for (const char c : state.substr(1)) open[static_cast<std::size_t>(c - '0')] = true;
        return open;
    };
    std::set<std::pair<std::string, std::string>> seen;
    const std::regex pattern(R"re(from = "(\w+)", to = "(\w+)", when = "want(\d) (>|<=) 0")re");
    for (std::sregex_iterator it(part.begin(), part.end(), pattern), end; it != end; ++it) {
        const std::string from = (*it)[1], to = (*it)[2];
        INFO(from << " -> " << to);
        const auto door = static_cast<std::size_t>((*it)[3].str()[0] - '0');
        auto moved = doors(from);
        moved[door] = (*it)[4] == ">";
        CHECK(moved == doors(to));
        CHECK(moved != doors(from));
        CHECK_FALSE((moved[1] && moved[2]));
        CHECK_FALSE((moved[3] && moved[4]));
        seen.emplace(from, to);
    }
    CHECK(seen.size() + controller->states.size() == 33);
}
