// Systems of modes in exact numbers, and those where blocks are held on their switching surfaces.
#pragma once

#include "engine/run/exact/germs.hpp"
#include "engine/run/exact/record.hpp"
#include "engine/solve/slide_search.hpp"

namespace deltaflow::closed_form {

class ExactSlides final : public SlideSearch {
public:
    ExactSlides(const Settings& settings, ExactState& state, ExactRunning& at, ExactRecord& record)
        : SlideSearch(settings), state_(state), at_(at), record_(record) {}

    // Before anything is prepared: this system runs.
    void begin(const System& s) { at_.x = &exact_system(s); }
    void list_branchers() { SlideSearch::list_branchers(at_.system(), at_.x->branchers); }
    // From here on the mode's own system runs; the left germ stays that of the mode before.
    void enter(const bonds::Mode& mode);
    // Systems of modes are made anew.
    void forget_systems();
    Trial trial(Side& side, ExactDiscrete& discrete);
    // The side that a held block is driven to; nothing if it stays between them.
    std::optional<int> leaves_surface(const HeldSurface& h, const Side& side) const;
    // Who begins to slide, or ceases to, causes an event.
    void note_slides();

private:
    const ExactSystem& exact_system(const System& s);
    Quadratic exactly(double threshold) const { return at_.book.find(threshold).value_or(Rational(0)); }
    const System& at_hand() const override { return at_.system(); }
    void use_system(const System& s) override;
    bool is_in_use(NodeId brancher) const override { return state_.is_active(brancher); }

    ExactState& state_;
    ExactRunning& at_;
    ExactRecord& record_;
    std::map<const System*, std::unique_ptr<ExactSystem>> systems_;
};

}  // namespace deltaflow::closed_form
