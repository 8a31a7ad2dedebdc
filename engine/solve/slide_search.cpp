// Branches first; then what they drive to and fro is held, and what is driven to a side takes it.
#include "engine/solve/slide_search.hpp"

#include "engine/limits.hpp"
#include "engine/solve/branch_walk.hpp"

#include <algorithm>
#include <utility>

namespace deltaflow {

namespace {

std::vector<std::uint32_t> surfaces_in(const std::vector<Held>& held) {
    std::vector<std::uint32_t> list;
    for (const Held& h : held) list.push_back(h.surface);
    return list;
}

bool is_about_weights(const std::vector<HeldSurface>& held, const RunFailure& failure) {
    return std::any_of(held.begin(), held.end(), [&](const HeldSurface& h) {
        return std::find(failure.loop.begin(), failure.loop.end(), h.weight) != failure.loop.end();
    });
}

}  // namespace

void SlideSearch::list_branchers(const System& s, const std::vector<NodeId>& branchers) {
    branchers_ = branchers;
    std::sort(branchers_.begin(), branchers_.end(),
              [&](NodeId a, NodeId b) { return s.origin[a] < s.origin[b]; });
    wanted_.assign(branchers_.size(), 0);
}

const System& SlideSearch::system_with(const System& base, const std::vector<Held>& held) {
    const System* const s = held.empty() ? &base : held_systems_.of(base, held);
    return s ? *s : base;
}

std::vector<Held> SlideSearch::held_in_mode(const System& base, const std::vector<Held>& held,
                                            const std::vector<std::int32_t>& branch) {
    if (held.empty()) return {};
    return held_together(base, held_systems_.surfaces(base), branch, surfaces_in(held))
        .value_or(std::vector<Held>());
}

bool SlideSearch::find_situation(const Trial& trial) {
    const std::vector<Held> present = trial.slides;
    for (std::size_t released = 0; released <= present.size(); ++released) {
        try {
            if (search(trial)) return true;
            break;
        } catch (const RunFailure& failure) {
            if (!is_about_weights(at_hand().held, failure))
                throw;  // a condition may not feel the block that is to be held
            if (!release_unfelt(trial, present, failure)) break;
        }
    }
    if (trial.slides != present) move_to(trial, present);
    return false;
}

// What was held so far, and has no effect any more, since another block has switched it off, say.
bool SlideSearch::release_unfelt(const Trial& trial, const std::vector<Held>& present,
                                 const RunFailure& failure) {
    const System& s = at_hand();
    const auto is_unfelt = [&](NodeId weight) {
        return std::find(failure.loop.begin(), failure.loop.end(), weight) != failure.loop.end();
    };
    std::vector<std::uint32_t> unfelt;
    for (const HeldSurface& h : s.held)
        if (is_unfelt(h.leads ? h.weight : s.d.inputs_of(h.weight)[0])) unfelt.push_back(h.held.surface);
    const auto goes = [&](const Held& h) {
        return std::find(unfelt.begin(), unfelt.end(), h.surface) != unfelt.end();
    };
    if (std::none_of(present.begin(), present.end(), goes)) return false;
    const auto& surfaces = held_systems_.surfaces(s);
    for (const Held& h : trial.slides)
        if (goes(h)) trial.branch[surfaces[h.surface].block] = surfaces[h.surface].high;
    std::vector<Held> rest = trial.slides;
    std::erase_if(rest, goes);
    return move_to(trial, held_in_mode(released(), rest, trial.branch));
}

bool SlideSearch::search(const Trial& trial) {
    std::vector<std::pair<std::vector<Held>, std::vector<std::int32_t>>> seen;
    bool careful = false;
    for (int i = 0; i < limits::sliding_trials; ++i) {
        const std::vector<std::int32_t> first = trial.branch;
        std::fill(flips_.begin(), flips_.end(), 0);
        const bool agree = find_branches(trial);
        if (agree && !release_leaving(trial, !careful) && !hold_resting(trial)) return true;
        if (!agree) {
            trial.branch = first;
            if (!hold_flipping(trial)) return false;
        }
        std::pair here{trial.slides, trial.branch};
        if (std::find(seen.begin(), seen.end(), here) != seen.end()) {
            if (std::exchange(careful, true)) return false;
            seen.clear();
        }
        seen.push_back(std::move(here));
    }
    return false;
}

// Tries configurations of branches until one agrees with itself; false: none does. A loop may have no
// solution under branches that are not in force: only if no branches agree that is an error.
bool SlideSearch::find_branches(const Trial& trial) {
    if (branchers_.empty()) {
        trial.solves();
        return true;
    }
    BranchWalk walk(at_hand().d, trial.branch, branchers_in_loops());
    std::optional<RunFailure> first;
    for (bool more = true; more;) {
        try {
            if (trial.solves()) return true;
            note_flips(trial);
            more = walk.step(trial.branch, branchers_, wanted_);
        } catch (const RunFailure& failure) {
            if (failure.loop.empty()) throw;
            if (!first) first = failure;
            more = walk.skip(trial.branch);
        }
    }
    if (first) throw RunFailure(*first);
    return false;
}

bool SlideSearch::move_to(const Trial& trial, std::vector<Held> held) {
    trial.slides = std::move(held);
    const System& s = system_with(released(), trial.slides);
    use_system(s);
    trial.begins();
    return s.held.size() == trial.slides.size();
}

// A block that its condition asks for the other side, where it is zero. `sign` has a value of its own there:
// on a side on which the condition stays at zero it is asked for that one, and away from the side all the
// same.
void SlideSearch::note_flips(const Trial& trial) {
    const System& s = at_hand();
    const auto& surfaces = held_systems_.surfaces(s);
    flips_.resize(surfaces.size(), 0);
    std::size_t at = 0;  // both lists are in the order of the file
    for (std::uint32_t i = 0; i < surfaces.size(); ++i) {
        const Surface& x = surfaces[i];
        while (at < branchers_.size() && s.origin[branchers_[at]] < s.origin[x.block]) ++at;
        if (at == branchers_.size()) return;
        if (branchers_[at] != x.block) continue;
        const std::int32_t wanted = wanted_[at], branch = trial.branch[x.block];
        if (wanted == branch || trial.value_sign(x.condition, x.threshold) != 0) continue;
        if ((wanted <= x.low && branch > x.low) || (wanted < x.high && branch >= x.high)) flips_[i] |= 1;
        if ((wanted >= x.high && branch < x.high) || (wanted > x.low && branch <= x.low)) flips_[i] |= 2;
    }
}

// Holds these, if they have a solution: a condition may not feel the blocks that are to keep it.
bool SlideSearch::can_hold(const Trial& trial, const std::vector<std::uint32_t>& wanted) {
    auto held = held_together(released(), held_systems_.surfaces(at_hand()), trial.branch, wanted);
    if (!held || *held == trial.slides) return false;
    const std::vector<Held> present = trial.slides;
    try {
        if (move_to(trial, std::move(*held))) {
            trial.solves();
            return true;
        }
    } catch (const RunFailure& failure) {
        if (!is_about_weights(at_hand().held, failure)) throw;
    }
    move_to(trial, present);
    return false;
}

// Where sliding is an error only what is made to slide may do so (a `sign` with a parameter, of
// rate_limiter).
bool SlideSearch::may_hold(NodeId block) const {
    const Node& node = at_hand().d.nodes[block];
    return sliding_ != Sliding::error || (node.op == Primitive::sign && node.parameter_count > 0);
}

// No branches agree: those that their conditions drive from either side to the other are held, all of them or
// else one.
bool SlideSearch::hold_flipping(const Trial& trial) {
    const std::vector<std::uint32_t> present = surfaces_in(trial.slides);
    std::vector<std::uint32_t> all = present, alone;
    for (std::uint32_t i = 0; i < flips_.size(); ++i)
        if (flips_[i] == 3 && may_hold(held_systems_.surfaces(at_hand())[i].block)) alone.push_back(i);
    all.insert(all.end(), alone.begin(), alone.end());
    if (can_hold(trial, all)) return true;
    return alone.size() > 1 && std::any_of(alone.begin(), alone.end(), [&](std::uint32_t i) {
               std::vector<std::uint32_t> one = present;
               one.push_back(i);
               return can_hold(trial, one);
           });
}

// Do both sides of a block ask for the other one?
bool SlideSearch::points_back(const Trial& trial, std::size_t brancher) {
    const std::vector<std::int32_t> resting = trial.branch;
    bool back = true;
    for (const std::int32_t side : {1, -1}) {
        trial.branch = resting;
        trial.branch[branchers_[brancher]] = side;
        trial.solves();
        back = back && wanted_[brancher] == -side;
    }
    trial.branch = resting;
    return back;
}

// sign(0) is 0: a block may rest on its surface. Where both of its sides point at it, it is held there.
bool SlideSearch::hold_resting(const Trial& trial) {
    bool tried = false;
    for (std::size_t i = 0; i < branchers_.size(); ++i) {
        const NodeId n = branchers_[i];
        if (at_hand().d.nodes[n].op != Primitive::sign || trial.branch[n] != 0 || !is_in_use(n) ||
            (trial.before && (*trial.before)[n] == 0) || !may_hold(n))
            continue;
        const auto& surfaces = held_systems_.surfaces(at_hand());
        std::vector<std::uint32_t> wanted = surfaces_in(trial.slides);
        for (std::uint32_t k = 0; k < surfaces.size(); ++k)
            if (surfaces[k].block == n) wanted.push_back(k);
        if (!held_together(released(), surfaces, trial.branch, wanted)) continue;
        if (points_back(trial, i) && can_hold(trial, wanted)) return true;
        tried = true;
    }
    if (tried) trial.solves();
    return false;
}

bool SlideSearch::release_leaving(const Trial& trial, bool all) {
    std::vector<std::pair<const HeldSurface*, int>> leaving;
    for (const HeldSurface& h : at_hand().held)
        if (h.leads && (all || leaving.empty()))
            if (const auto side = trial.leaves(h)) leaving.emplace_back(&h, *side);
    if (leaving.empty()) return false;
    for (const auto& [h, side] : leaving) release(trial, *h, side);
    move_to(trial, held_in_mode(released(), trial.slides, trial.branch));
    return true;
}

void SlideSearch::release(const Trial& trial, const HeldSurface& leader, int side) {
    const System& s = at_hand();
    for (const HeldSurface& h : s.held) {
        const bool leads = &h == &leader;
        if (!leads && s.d.inputs_of(h.weight)[0] != leader.weight) continue;
        const int its_side = leads || s.d.parameters_of(h.weight)[1] > 0 ? side : -side;
        trial.branch[h.block] = its_side > 0 ? surface(h.held).high : surface(h.held).low;
        std::erase_if(trial.slides, [&](const Held& x) { return x.surface == h.held.surface; });
        note_release(h, leader, side);
    }
}

void SlideSearch::note_release(const HeldSurface&, const HeldSurface&, int) {}

}  // namespace deltaflow
