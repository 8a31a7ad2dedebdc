// Oscillators, motors, presses and clutches as bond graphs.
#include "tests/diagrams/bond_graphs.hpp"

using namespace deltaflow;
using namespace deltaflow::test;

TEST_CASE("A mass on a spring and a damper, whatever its damping", "[diagrams][bonds]") {
    struct Case {
        double m, b, k, F0, x, v, stored, dissipated, supplied;  // at t = 5
    };
    for (const auto& [m, b, k, F0, x, v, stored, dissipated, supplied] :
         {Case{1, 2, 10, 10, 1.0036582018923124, 0.014605350003761385, 5.036755589252915, 4.999826429670209,
               10.036582018923125},
          Case{1, 2, 1, 1, 0.9595723180054871, 0.03368973499542734, 0.460957015863243, 0.4986153021422442,
               0.9595723180054871},
          Case{2, 0, 8, 4, 0.9195357645382263, -0.5440211108893698, 3.678143058152905, 0,
               3.678143058152905}}) {
        INFO("m = " << m << ", b = " << b << ", k = " << k);
        const Trace trace = run_diagram("mass_spring_damper",
                                        {{"m", text(m)}, {"b", text(b)}, {"k", text(k)}, {"F0", text(F0)}});
        const TwoStates oscillator{0, 1, -k / m, -b / m, 0, F0 / m};
        check_samples(trace, "x", [&](double t) { return oscillator.at({0, 0}, t).first; });
        check_samples(trace, "v.flow", [&](double t) { return oscillator.at({0, 0}, t).second; });
        check_samples(trace, "mass.momentum", [&, m = m](double t) {
            return m * oscillator.at({0, 0}, t).second;
        });
        check_samples(trace, "total.energy", [&, m = m, k = k](double t) {
            const auto [q, w] = oscillator.at({0, 0}, t);
            return (m * w * w + k * q * q) / 2;
        });
        check_samples(trace, "to_damper.power", [&, b = b](double t) {
            const double w = oscillator.at({0, 0}, t).second;
            return b * w * w;
        });
        check_jump(trace, event_at(trace, 0), "mass.effort", 0, F0);
        CHECK(sample_at(trace, "x", 5) == near_to(x));
        CHECK(sample_at(trace, "v.flow", 5) == near_to(v));
        CHECK(trace.energy.stored_at_end == close_to(stored));
        CHECK(sum_of(trace.energy.dissipated) == close_to(dissipated));
        CHECK(sum_of(trace.energy.supplied) == close_to(supplied));
        check_ledger(trace);
    }
}

TEST_CASE("The underdamped oscillator goes through its reference values", "[diagrams][bonds]") {
    const Trace trace = run_diagram("mass_spring_damper", {{"simulation.every", "1/20"}});
    struct Sample {
        double t, x, v, a, stored;
    };
    for (const auto& [t, x, v, a, stored] :
         {Sample{0.1, 0.046443217566414854, 0.8913258025763323, 7.752916219183187, 0.40801570545877813},
          Sample{0.25, 0.2532065359304398, 1.7695360002599803, 3.9288626401756415, 1.88619657729751},
          Sample{0.5, 0.7554252876445954, 2.016704307616672, -1.5876614916792975, 4.886884958244418},
          Sample{1, 1.346892836512235, 0.17305049901057798, -3.815029363143507, 9.085574802843777},
          Sample{2, 0.8826600074972767, -0.12604925196483627, 1.425498428956905, 3.9033876511359105}}) {
        CHECK(sample_at(trace, "x", t) == near_to(x));
        CHECK(sample_at(trace, "v.flow", t) == near_to(v));
        CHECK(sample_at(trace, "mass.effort", t) == near_to(a));
        CHECK(sample_at(trace, "total.energy", t) == near_to(stored));
    }
}

TEST_CASE("A motor runs up and is loaded; its gyrator passes all power", "[diagrams][bonds]") {
    const double V = 12, R = 1, L = 0.5, K = 0.8, J = 0.1, d = 0.05, M = 2;
    const Trace trace = run_diagram("dc_motor");
    const TwoStates free{-R / L, -K / L, K / J, -d / J, V / L, 0},
        loaded{-R / L, -K / L, K / J, -d / J, V / L, -M / J};
    const auto state = [&](double t) {
        return t < 1 ? free.at({0, 0}, t) : loaded.at(free.at({0, 0}, 1), t - 1);
    };
    check_samples(trace, "current.flow", [&](double t) { return state(t).first; });
    check_samples(trace, "speed.flow", [&](double t) { return state(t).second; });
    const auto power = [&](double t) { return K * state(t).first * state(t).second; };
    check_samples(trace, "b4.power", power);
    check_samples(trace, "b5.power", power);
    CHECK(loaded.rest().second == close_to((K * V - R * M) / (K * K + R * d)));
    // J w = K integral of i - d angle - M (t - 1), and the source gave V times the charge.
    const double angle = sample_at(trace, "rotor.displacement", 3);
    const double charge = (J * state(3).second + d * angle + M * 2) / K;
    CHECK(share_of(trace, trace.energy.supplied, "source") == close_to(V * charge));
    CHECK(V * 3 - R * charge - K * angle == close_to(L * state(3).first));
    check_ledger(trace);
}

TEST_CASE("A hydraulic press moves two masses as one", "[diagrams][bonds]") {
    struct Case {
        double A1, A2, m1, m2, k, b, F;
    };
    for (const auto& [A1, A2, m1, m2, k, b, F] :
         {Case{0.01, 0.05, 2, 30, 8000, 400, 100}, Case{0.02, 0.03, 7, 3, 500, 20, -40}}) {
        const Trace trace = run_diagram("hydraulic_press", {{"A1", text(A1)},
                                                            {"A2", text(A2)},
                                                            {"m1", text(m1)},
                                                            {"m2", text(m2)},
                                                            {"k", text(k)},
                                                            {"b", text(b)},
                                                            {"F", text(F)}});
        const double n = A2 / A1, M = m2 + n * n * m1;
        const auto press = [&, k = k, b = b](double force) {
            return TwoStates{0, 1, -k / M, -b / M, 0, n * force / M};
        };
        const auto state = [&, F = F](double t) -> TwoStates::State {
            if (t < 1) return {0, 0};
            return t < 3 ? press(F).at({0, 0}, t - 1) : press(F / 2).at(press(F).at({0, 0}, 2), t - 3);
        };
        check_samples(trace, "x", [&](double t) { return state(t).first; });
        check_samples(trace, "v2.flow", [&](double t) { return state(t).second; });
        check_samples(trace, "v1.flow", [&](double t) { return n * state(t).second; });
        check_samples(trace, "b4.flow", [&, A2 = A2](double t) { return A2 * state(t).second; });
        const auto pressure = [&, k = k, b = b, A1 = A1, m1 = m1](double t, double force) {
            const auto [x, v] = state(t);
            return (force - m1 * n * (n * force - b * v - k * x) / M) / A1;
        };
        check_samples(trace, "oil.effort", [&, F = F](double t) {
            return pressure(t, t < 1 ? 0 : t < 3 ? F : F / 2);
        });
        check_jump(trace, event_at(trace, 1), "oil.effort", 0, pressure(1, F));
        check_jump(trace, event_at(trace, 3), "oil.effort", pressure(3, F), pressure(3, F / 2));
        CHECK(trace.energy.instants.empty());
        check_ledger(trace);
    }
}

TEST_CASE("A clutch slips, locks, slips again and locks again", "[diagrams][bonds]") {
    const double J1 = 1, J2 = 3, T_c = 6, T1 = 2, T2 = 20, B = 0.1, w0 = 10;
    const Trace trace = run_diagram("clutch");
    // Velocity of a wheel J that is driven by T and braked by B w.
    const auto braked = [=](double w, double T, double J, double t) {
        return T / B + (w - T / B) * std::exp(-B / J * t);
    };
    const auto first = [&](double t) { return std::pair(w0 + (T1 - T_c) / J1 * t, braked(0, T_c, J2, t)); };
    const auto difference = [](const auto& w) { return w.first - w.second; };
    const double t1 = zero_between(0, 4, [&](double t) { return difference(first(t)); });
    const auto locked = [&](double t) { return braked(first(t1).second, T1, J1 + J2, t - t1); };
    const auto second = [&](double t) {
        const double w = locked(4), torque = std::min(t, 6.0) - 4;
        const double w1 = w + (T2 - T_c) / J1 * torque + (T1 - T_c) / J1 * std::max(0.0, t - 6);
        return std::pair(w1, braked(w, T_c, J2, t - 4));
    };
    const double t3 = zero_between(6, 12, [&](double t) { return difference(second(t)); });
    const auto again = [&](double t) { return braked(second(t3).second, T1, J1 + J2, t - t3); };
    const auto wheels = [&](double t) {
        if (t < t1) return first(t);
        if (t >= 4 && t < t3) return second(t);
        const double w = t < 4 ? locked(t) : again(t);
        return std::pair(w, w);
    };
    const auto torque = [&](double w, double T) { return J2 * (T - B * w) / (J1 + J2) + B * w; };

    REQUIRE(trace.events.size() == 5);
    check_row(trace, trace.events[0], {t1, 0, 0, true, {{"clutch", "locked"}}});
    check_jump(trace, trace.events[0], "b3.effort", 0, torque(locked(t1), T1));
    check_jump(trace, trace.events[0], "b5.effort", T_c, 0);
    check_row(trace, trace.events[1], {4, 0, 0, false, {{"clutch", "locked"}}});
    check_jump(trace, trace.events[1], "b3.effort", torque(locked(4), T1), torque(locked(4), T2));
    check_row(trace, trace.events[2], {4, 0, 1, true, {{"clutch", "ahead"}}});
    check_jump(trace, trace.events[2], "b5.effort", 0, T_c);
    check_row(trace, trace.events[3],
              {6, 0, 0, true, {{"clutch", "ahead"}}});  // the torque, which is not recorded
    CHECK(trace.jumps_of(trace.events[3]).empty());
    check_row(trace, trace.events[4], {t3, 0, 0, true, {{"clutch", "locked"}}});
    for (const Event& event : trace.events) CHECK(find_jump(trace, event, "w1.flow") == nullptr);
    check_samples(trace, "w1.flow", [&](double t) { return wheels(t).first; });
    check_samples(trace, "w2.flow", [&](double t) { return wheels(t).second; });
    check_samples(trace, "total.energy", [&](double t) {
        const auto [w1, w2] = wheels(t);
        return (J1 * w1 * w1 + J2 * w2 * w2) / 2;
    });
    CHECK(share_of(trace, trace.energy.supplied, "drag") < 0);  // friction only takes
    CHECK(trace.energy.instants.empty());
    check_ledger(trace);
}

TEST_CASE("A clutch that starts the other way round slips backwards until it locks", "[diagrams][bonds]") {
    // Locked at the start it would have to pass an impulse, more than any torque: a mythical mode.
    const double J1 = 1, J2 = 3, T_c = 6, T1 = 2, B = 0.1;
    const Trace trace = run_diagram("clutch", {{"w0", "-10"}, {"simulation.stop", "3"}});
    const auto w1 = [=](double t) { return -10 + (T1 + T_c) / J1 * t; };
    const auto w2 = [=](double t) { return -T_c / B * (1 - std::exp(-B / J2 * t)); };
    const double t1 = zero_between(0.5, 2, [&](double t) { return w1(t) - w2(t); });
    const auto locked = [&](double t) {
        return T1 / B + (w1(t1) - T1 / B) * std::exp(-B / (J1 + J2) * (t - t1));
    };
    REQUIRE(trace.events.size() == 3);
    check_row(trace, trace.events[0], {0, 0, 0, false, {{"clutch", "locked"}}});
    check_jump(trace, trace.events[0], "w1.flow", -10, -10 * J1 / (J1 + J2));
    CHECK(impulse_at(trace, trace.events[0], "b3.effort") == close_to(-10 * J1 * J2 / (J1 + J2)));
    check_row(trace, trace.events[1], {0, 0, 1, true, {{"clutch", "behind"}}});
    check_row(trace, trace.events[2], {t1, 0, 0, true, {{"clutch", "locked"}}});
    check_samples(trace, "w1.flow", [&](double t) { return t < t1 ? w1(t) : locked(t); });
    check_samples(trace, "w2.flow", [&](double t) { return t < t1 ? w2(t) : locked(t); });
    check_ledger(trace);
}
