#include "engine/run/exact/slides.hpp"

#include <algorithm>

namespace deltaflow::closed_form {

const ExactSystem& ExactSlides::exact_system(const System& s) {
    auto& known = systems_[&s];
    if (!known) known = std::make_unique<ExactSystem>(s, at_.book);
    return *known;
}

void ExactSlides::enter(const bonds::Mode& mode) {
    const System& s = at_.modes->of(mode);
    state_.after.slides = held_in_mode(s, state_.after.slides, state_.after.branch);
    use_system(system_with(s, state_.after.slides));
}

void ExactSlides::forget_systems() {
    systems_.clear();
    forget_held_systems();
}

SlideSearch::Trial ExactSlides::trial(Side& side, ExactDiscrete& discrete) {
    return {
        .branch = discrete.branch,
        .slides = discrete.slides,
        .before = &discrete == &state_.now ? nullptr : &state_.now.branch,
        .solves = {},
        .begins = [] {},
        .value_sign = [&](NodeId c, double threshold) { return compare(side.at(c, 0), exactly(threshold)); },
        .leaves = [&](const HeldSurface& h) { return leaves_surface(h, side); }};
}

void ExactSlides::use_system(const System& s) {
    at_.x = &exact_system(s);
    at_.solver = std::make_unique<ExactInstant>(*at_.x);
    list_branchers();
    const std::size_t n = std::max(state_.states.size(), s.d.nodes.size());
    for (auto* list : {&state_.states, &state_.stored, &state_.now.held, &state_.after.held}) list->resize(n);
    for (auto* list : {&state_.now.branch, &state_.after.branch}) list->resize(n, 0);
    state_.ticking.resize(n, 0);
    at_.left.rungs.resize(std::max(at_.left.rungs.size(), n));
    at_.left.unknown.resize(std::max(at_.left.unknown.size(), n));
}

std::optional<int> ExactSlides::leaves_surface(const HeldSurface& h, const Side& side) const {
    if (!state_.is_active(h.block)) return 1;
    if (const int s = compare(side.at(h.condition, 0), exactly(h.threshold)); s != 0) return s;
    for (int k = 1; k < h.held.order; ++k)
        if (const int s = sign(side.at(h.condition, k)); s != 0) return s;
    if (ExactGerms::forward_sign(side, h.weight) < 0) return -1;
    if (ExactGerms::forward_sign(side, h.weight, Quadratic(1)) > 0) return 1;
    return std::nullopt;
}

void ExactSlides::note_slides() {
    for (const auto* list : {&state_.now.slides, &state_.after.slides})
        for (const Held& h : *list)
            if (state_.now.slides != state_.after.slides) record_.note_cause(surface(h).block);
}

}  // namespace deltaflow::closed_form
