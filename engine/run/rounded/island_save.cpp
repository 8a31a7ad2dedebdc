// Where an island stands, as bytes and back.
#include "engine/model/archive_trace.hpp"
#include "engine/run/rounded/island.hpp"

#include <algorithm>

namespace deltaflow {

namespace {

std::vector<Held> held_in(const System& s) {
    std::vector<Held> held;
    for (const HeldSurface& h : s.held) held.push_back(h.held);
    return held;
}

}  // namespace

const System& Island::system_of(const bonds::Mode& mode, bool plain, const std::vector<Held>& held) {
    return slides_.system_with(modes_ ? modes_->of(mode, plain) : slides_.released(), held);
}

// Those that have been at work.
void Island::write_machineries(Archive& a) {
    const auto works = [](const auto& known) { return known.second->stepper != nullptr; };
    a.length(static_cast<std::size_t>(std::count_if(machineries_.begin(), machineries_.end(), works)));
    for (auto& [system, m] : machineries_) {
        if (!m->stepper) continue;
        bonds::Mode mode = system->mode;
        bool plain = system->plain;
        std::vector<Held> held = held_in(*system);
        std::vector<std::byte> bytes = flow_.bytes_of(*m);
        a(mode, plain, held, bytes);
    }
}

void Island::read_machineries(Archive& a) {
    for (std::size_t n = a.length(0); n > 0; --n) {
        bonds::Mode mode;
        bool plain = false;
        std::vector<Held> held;
        std::vector<std::byte> bytes;
        a(mode, plain, held, bytes);
        at_.s = &system_of(mode, plain, held);
        at_.m = &machineries_.of(*at_.s);
        if (!at_.m->stepper) flow_.make_stepper();
        flow_.recall(*at_.m, bytes);
    }
}

void Island::archive(Archive& a, OneSidedGerm& g) {
    bool has_system = g.system != nullptr;
    bool plain = has_system && g.system->plain;
    bonds::Mode mode = has_system ? g.system->mode : g.mode;
    std::vector<Held> held = has_system ? held_in(*g.system) : std::vector<Held>();
    a(g.rungs.a, g.rungs.stride, g.order, g.degree, g.solved, has_system, plain, mode, held);
    if (a.is_writing()) return;
    g.mode = mode;
    g.system = has_system ? &system_of(mode, plain, held) : nullptr;
}

void Island::archive(Archive& a) {
    bool jumps = modes_ && modes_->may_jump();
    a(jumps);
    if (jumps && !modes_->may_jump()) {
        modes_->allow_jumps();
        slides_.forget_systems();
    }
    if (a.is_writing()) flow_.exchange_guess();
    a(state_);
    archive(a, state_.left);
    archive(a, state_.right);
    a.is_writing() ? write_machineries(a) : read_machineries(a);
    if (a.is_writing()) flow_.exchange_guess();
    bool plain = at_.s->plain;
    a(plain, book_.ledger, warnings_, flow_, commits_.record());
    if (a.is_writing()) return;
    commits_.be_at(system_of(state_.mode, plain, state_.now.slides));
    state_.starting = false;
    flow_.forget_step();
}

}  // namespace deltaflow
