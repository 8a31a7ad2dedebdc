// Which ideal elements change their state, of those that contradict theirs (principal pivoting on the pairs).
//
// All of them at once while their number falls, or has fallen lately; else the last one alone. For a passive
// network, whose matrix has positive principal minors only, that comes to an end (Judice and Pires 1994).
// Where it does not the network is not passive: it may have no consistent mode, one, or several. Then the
// first one alone is exchanged for a while, and then any one, by a fixed sequence of chances.
#pragma once

#include "engine/modes/guards.hpp"

#include <limits>

namespace deltaflow {

class Pivoting {
public:
    void begin() { *this = Pivoting(); }
    // Leaves those that are exchanged; false: it has come to no end.
    bool choose(Firing& violated, std::size_t pairs) {
        const std::size_t usual = 64 + 16 * pairs;
        if (++exchanges_ > usual) {
            keep(violated, exchanges_ <= usual + 32 + 8 * pairs ? 0 : any(violated.size()));
            is_passive_ = false;
        } else if (violated.size() < fewest_) {
            fewest_ = violated.size();
            patience_ = most_patience;
        } else if (patience_ > 0) {
            --patience_;
        } else {
            keep(violated, violated.size() - 1);
        }
        return exchanges_ <= 4 * usual;
    }
    // False: other modes may be consistent, too.
    bool is_passive() const { return is_passive_; }

private:
    static void keep(Firing& violated, std::size_t i) { violated = Firing{violated[i]}; }
    std::size_t any(std::size_t count) {
        chance_ = chance_ * 6364136223846793005u + 1442695040888963407u;
        return static_cast<std::size_t>(chance_ >> 33) % count;
    }

    static constexpr int most_patience = 10;
    std::size_t fewest_ = std::numeric_limits<std::size_t>::max();
    int patience_ = most_patience;
    std::size_t exchanges_ = 0;
    std::uint64_t chance_ = 1;
    bool is_passive_ = true;
};

}  // namespace deltaflow
