// What a run has told so far, as bytes and back.
#pragma once

#include "deltaflow/trace.hpp"
#include "engine/model/archive.hpp"

namespace deltaflow {

inline void archive(Archive& a, EnergyEvent& e) {
    a(e.t, e.epsilon, e.stored_before, e.stored_after, e.supplied, e.dissipated);
}

inline void archive(Archive& a, EnergyLedger& l) {
    a(l.stored_at_start, l.stored_at_end, l.supplied, l.dissipated, l.instants);
}

inline void archive(Archive& a, RunError& e) { a(e.kind, e.t, e.text); }

inline void archive(Archive& a, AutomatonNames& n) { a(n.name, n.states); }

inline void archive(Archive& a, SlidingInterval& i) { a(i.block, i.from, i.to); }

// Part by part, so that who writes need not have all of it at once.
template <class Take>
void archive_parts(Trace& t, const Take& take) {
    take([&](Archive& a) { a(t.model, t.signals, t.impulse_orders, t.t); });
    take([&](Archive& a) { t.samples.resize(a.length(t.samples.size())); });
    for (auto& samples : t.samples) take([&](Archive& a) { a(samples); });
    take([&](Archive& a) { a(t.events, t.cause_names, t.causes); });
    take([&](Archive& a) { a(t.jumps, t.impulses, t.automata, t.first_mode, t.modes); });
    take([&](Archive& a) {
        a(t.elements, t.energy, t.sliding, t.end_t, t.end_reason, t.last, t.statistics, t.proved, t.errors,
          t.warnings);
    });
}

inline void archive(Archive& a, Trace& t) {
    archive_parts(t, [&](const auto& part) { part(a); });
}

}  // namespace deltaflow
