// Which ideal elements change their state, of those that contradict theirs (principal pivoting on the pairs).
//
// All of them at once while their number falls, or has fallen lately; else the last one alone. For a passive
// network, whose matrix has positive principal minors only, that comes to an end (Judice and Pires 1994).
#pragma once

#include "engine/modes/guards.hpp"

#include <limits>

namespace deltaflow {

class Pivoting {
public:
    void begin() {
        fewest_ = std::numeric_limits<std::size_t>::max();
        patience_ = most_patience;
        exchanges_ = 0;
    }
    // Leaves those that are exchanged; false: it has come to no end.
    bool choose(Firing& violated, std::size_t pairs) {
        if (violated.size() < fewest_) {
            fewest_ = violated.size();
            patience_ = most_patience;
        } else if (patience_ > 0) {
            --patience_;
        } else {
            violated.erase(violated.begin(), violated.end() - 1);
        }
        return ++exchanges_ <= 64 + 16 * pairs;
    }

private:
    static constexpr int most_patience = 10;
    std::size_t fewest_ = std::numeric_limits<std::size_t>::max();
    int patience_ = most_patience;
    std::size_t exchanges_ = 0;
};

}  // namespace deltaflow
