// Exact numbers, polynomials and impulses as formulas, in plain text or LaTeX.
#pragma once

#include "engine/exact.hpp"

#include <optional>
#include <string>
#include <vector>

namespace deltaflow::report {

enum class Notation : std::uint8_t { plain, latex };

// Writes formulas of one run. Times that are long to write get names: t1, t2, ...
struct NamedTime {
    double rounded;
    Quadratic exact;
};

class FormulaWriter {
public:
    FormulaWriter(const ExactTrace& trace, Notation notation);

    // "36/25", "5/3 sqrt(2)", "t1"
    std::string time(const Quadratic& t) const;
    std::string number(const Quadratic& x) const;
    // In powers of t or of (t - from), whichever is shorter.
    std::string polynomial(const ExactPiece& piece) const;
    // "1962/5 delta' - 35316/125 delta''"; in LaTeX with its argument.
    std::string impulses(const ExactImpulses& impulses) const;
    std::string signal(const std::string& name) const;

    const std::vector<NamedTime>& named_times() const { return named_; }
    std::string name_of_time(std::size_t i) const;

private:
    std::string fraction(const Rational& r) const;
    std::string root(const Rational& factor, const Integer& d) const;
    std::string product(const std::string& factor, const std::string& unit) const;
    std::string powers(const closed_form::Polynomial& p, const std::string& base) const;
    std::string delta(std::size_t order, const Quadratic& at) const;

    Notation notation_;
    std::vector<NamedTime> named_;
    std::optional<Quadratic> rough_;  // an end that is known only nearly
};

// Impulses at one time as one sum, whichever commit brought them.
std::vector<ExactImpulses> summed(const std::vector<ExactImpulses>& impulses);

}  // namespace deltaflow::report
