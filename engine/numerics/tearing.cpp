// Colours of members by their surroundings, and the choice of what is torn.
#include "engine/numerics/tearing.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace deltaflow {

namespace {

struct Tearer {
    const LoopShape& shape;
    std::uint32_t n;
    std::vector<std::uint32_t> reader_first, readers;
    std::vector<std::uint64_t> colour;
    Tearing result;
    std::vector<std::uint32_t> waiting;  // per member: how many of those it reads are not known yet
    std::vector<std::uint8_t> known;

    explicit Tearer(const LoopShape& s)
        : shape(s), n(static_cast<std::uint32_t>(s.kind.size())), colour(s.kind) {
        reader_first.assign(n + 1, 0);
        for (const auto c : shape.columns) ++reader_first[c + 1];
        std::partial_sum(reader_first.begin(), reader_first.end(), reader_first.begin());
        readers.resize(shape.columns.size());
        std::vector<std::uint32_t> next(reader_first.begin(), reader_first.end() - 1);
        for (std::uint32_t i = 0; i < n; ++i)
            for (auto e = shape.first[i]; e < shape.first[i + 1]; ++e) readers[next[shape.columns[e]]++] = i;
    }

    std::size_t distinct() const {
        std::vector<std::uint64_t> sorted(colour);
        std::sort(sorted.begin(), sorted.end());
        return static_cast<std::size_t>(std::unique(sorted.begin(), sorted.end()) - sorted.begin());
    }

    // A member takes up the colours around it, as sums: the numbering does not count. Repeated until no more
    // members can be told apart.
    void refine() {
        std::size_t before = 0, now = distinct();
        while (now > before && now < n) {
            std::vector<std::uint64_t> next(n);
            for (std::uint32_t i = 0; i < n; ++i) {
                std::uint64_t reads = 0, read_by = 0;
                for (auto e = shape.first[i]; e < shape.first[i + 1]; ++e)
                    reads += mix(1, colour[shape.columns[e]]);
                for (auto e = reader_first[i]; e < reader_first[i + 1]; ++e)
                    read_by += mix(2, colour[readers[e]]);
                next[i] = mix(mix(colour[i], reads), read_by);
            }
            colour.swap(next);
            before = now;
            now = distinct();
        }
    }

    void know(std::uint32_t member, bool torn) {
        std::vector<std::uint32_t> work{member};
        result.torn[member] = torn;
        known[member] = 1;
        while (!work.empty()) {
            const std::uint32_t i = work.back();
            work.pop_back();
            result.order.push_back(i);
            for (auto e = reader_first[i]; e < reader_first[i + 1]; ++e)
                if (const auto r = readers[e]; --waiting[r] == 0 && !known[r]) {
                    known[r] = 1;
                    work.push_back(r);
                }
        }
    }

    void choose() {
        waiting.resize(n);
        known.assign(n, 0);
        for (std::uint32_t i = 0; i < n; ++i) waiting[i] = shape.first[i + 1] - shape.first[i];
        std::vector<std::uint32_t> candidates(n);
        std::iota(candidates.begin(), candidates.end(), 0);
        const auto rank = [&](std::uint32_t i) {
            return std::tuple(!shape.guessed[i], !result.argument[i],
                              -static_cast<std::int64_t>(reader_first[i + 1] - reader_first[i]), colour[i],
                              i);
        };
        std::sort(candidates.begin(), candidates.end(), [&](auto a, auto b) { return rank(a) < rank(b); });
        for (std::uint32_t i = 0; i < n; ++i)
            if (waiting[i] == 0 && !known[i] && !shape.guessed[i]) know(i, false);
        for (const auto i : candidates)
            if (!known[i]) know(i, true);
    }
};

}  // namespace

Tearing tear(const LoopShape& shape) {
    Tearer t(shape);
    t.result.torn.assign(t.n, 0);
    t.result.argument.assign(t.n, 0);
    for (std::uint32_t i = 0; i < t.n; ++i)
        for (auto e = shape.first[i]; e < shape.first[i + 1]; ++e)
            if (shape.nonlinear[i]) t.result.argument[shape.columns[e]] = 1;
    t.refine();
    t.choose();
    for (std::uint32_t i = 0; i < t.n; ++i)
        t.result.weight.push_back(1 + 0.37 * static_cast<double>(t.colour[i] % 7));
    return std::move(t.result);
}

}  // namespace deltaflow
