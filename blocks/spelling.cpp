#include "blocks/spelling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace deltaflow {

namespace {

unsigned char lower(char c) { return static_cast<unsigned char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c); }

bool same(char a, char b) { return lower(a) == lower(b); }

// Letters that one name has and the other has not: no fewer have to be changed. It is found far sooner than
// the distance, and most names of a model are far from each other.
class Letters {
public:
    explicit Letters(std::string_view name) : size_(name.size()) {
        for (const char c : name) ++count_[lower(c)];
    }
    std::size_t least_distance(std::string_view other) {
        std::size_t common = 0;
        for (const char c : other) common += count_[lower(c)]-- > 0 ? 1 : 0;
        for (const char c : other) ++count_[lower(c)];
        return std::max(size_, other.size()) - common;
    }

private:
    std::array<int, 256> count_{};
    std::size_t size_;
};

// Letters to insert, delete, replace or swap with their neighbour (Damerau and Levenshtein).
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
    std::iota(above.begin(), above.end(), 0);
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = above[j - 1] + (same(a[i - 1], b[j - 1]) ? 0 : 1);
            row[j] = std::min({above[j] + 1, row[j - 1] + 1, replaced});
            if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
        std::swap(before, above);
        std::swap(above, row);
    }
    return above.back();
}

// A third of the letters may be wrong.
std::size_t tolerance(std::string_view name) { return std::max<std::size_t>(1, (name.size() + 1) / 3); }

}  // namespace

std::string nearest_name(std::string_view name, const std::vector<std::string_view>& known) {
    std::string_view best;
    std::size_t least = tolerance(name) + 1;
    Letters letters(name);
    for (const std::string_view candidate : known) {
        if (candidate.size() > name.size() + least || name.size() > candidate.size() + least) continue;
        if (letters.least_distance(candidate) >= least) continue;
        const std::size_t d = distance(name, candidate);
        if (d < least && d < std::max(name.size(), candidate.size())) {
            least = d;
            best = candidate;
        }
    }
    return std::string(best);
}

std::string did_you_mean(std::string_view name, const std::vector<std::string_view>& known) {
    const std::string best = nearest_name(name, known);
    return best.empty() ? "" : fmt::format("; did you mean \"{}\"?", best);
}

std::string_view usual_name(std::string_view name) {
    static constexpr std::pair<std::string_view, std::string_view> names[] = {{"delta", "impulse"},
                                                                              {"dirac", "impulse"},
                                                                              {"integral", "integrator"},
                                                                              {"integrate", "integrator"},
                                                                              {"differentiate", "derivative"},
                                                                              {"diff", "der"},
                                                                              {"add", "sum"},
                                                                              {"multiply", "product"},
                                                                              {"mul", "product"},
                                                                              {"times", "product"},
                                                                              {"ln", "log"},
                                                                              {"arcsin", "asin"},
                                                                              {"arccos", "acos"},
                                                                              {"arctan", "atan"},
                                                                              {"sgn", "sign"},
                                                                              {"H", "heaviside"},
                                                                              {"theta", "heaviside"},
                                                                              {"limit", "saturate"},
                                                                              {"lookup", "table"},
                                                                              {"sample", "hold"}};
    for (const auto& [other, usual] : names)
        if (other == name) return usual;
    return name;
}

}  // namespace deltaflow
