// The past of a delay's input in exact numbers: polynomial pieces, and the impulses between them.
#pragma once

#include "engine/solve/exact/polynomial.hpp"

#include <optional>

namespace deltaflow::closed_form {

class ExactHistory {
public:
    ExactHistory(Quadratic by, Quadratic initial, Quadratic start)
        : by_(std::move(by)), initial_(std::move(initial)), start_(std::move(start)) {}

    // The input was p(t - from) from then on; a piece that goes on unchanged is one piece.
    void append(const Quadratic& from, const Polynomial& p);
    void append_impulses(const Quadratic& at, std::vector<Quadratic> impulses);
    // The delayed signal around t as a polynomial of the time after t; `before`: just before t.
    Polynomial around(const Quadratic& t, bool before) const;
    std::vector<Quadratic> arriving(const Quadratic& t) const;
    const Quadratic& by() const { return by_; }

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
