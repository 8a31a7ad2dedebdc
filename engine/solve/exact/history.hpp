// The past of a delay's input in exact numbers: polynomial pieces, and the impulses between them.
#pragma once

#include "engine/solve/exact/polynomial.hpp"

#include <optional>

namespace deltaflow::closed_form {

class ExactHistory {
public:
    ExactHistory(Quadratic by, Quadratic initial, Quadratic start)
        : by_(std::move(by)), initial_(std::move(initial)), start_(std::move(start)) {}

    // The input was p(t - from) from then on; a piece that goes on unchanged, and without an impulse, is
    // one piece.
    void append(const Quadratic& from, const Polynomial& p);
    void append_impulses(const Quadratic& at, std::vector<Quadratic> impulses);
    // The delayed signal around t as a polynomial of the time after t; `before`: just before t.
    Polynomial around(const Quadratic& t, bool before) const;
    std::vector<Quadratic> arriving(const Quadratic& t) const;
    const Quadratic& by() const { return by_; }
    const Quadratic& start() const { return start_; }
    // The piece that holds `at`, the earlier one of two if `before`, as far as it is known at time `now`; p
    // is of the time after `from`. Nothing before the start.
    struct Past {
        Quadratic from, to;
        Polynomial p;
    };
    std::optional<Past> past_at(const Quadratic& at, const Quadratic& now, bool before) const;
    // Those that came then, as one sum.
    std::vector<Quadratic> impulses_at(const Quadratic& at) const;

private:
    struct Piece {
        Quadratic from;
        Polynomial p;
    };
    Quadratic by_, initial_, start_;
    std::vector<Piece> pieces_;
    std::vector<std::pair<Quadratic, std::vector<Quadratic>>> impulses_;
};

}  // namespace deltaflow::closed_form
