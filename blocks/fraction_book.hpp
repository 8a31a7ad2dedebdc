// What the doubles of a model stand for: 0.3333333333333333 for 1/3, 0.1 for 1/10.
#pragma once

#include "signal/rational.hpp"

#include <optional>
#include <unordered_map>

namespace deltaflow {

// While a book is open, every number that its thread evaluates is noted in it. Only runs in exact numbers
// open one; flat diagrams keep doubles, and everybody else pays nothing.
class FractionBook {
public:
    FractionBook();
    ~FractionBook();
    FractionBook(const FractionBook&) = delete;
    FractionBook& operator=(const FractionBook&) = delete;

    void note(double x, const Rational& r);
    // x comes from sqrt, exp, ... or from a fraction that is too long: be it 1 to the last bit, it is not 1.
    void note_no_fraction(double x);
    // The fraction; nothing where x is irrational, or stands for two different fractions.
    std::optional<Rational> find(double x) const;
    // A time that was given as a fraction, and is not a double bit for bit.
    bool is_fraction(const Rational& t) const;

    // The one that is open in this thread, if any.
    static FractionBook* open();

private:
    struct Entry {
        std::optional<Rational> fraction;  // nothing: two different ones
        bool irrational = false;
    };
    std::unordered_map<double, Entry> known_;  // without signs
    FractionBook* outer_;
};

// a / b and a + b of two numbers of a model, noted where a book is open.
double noted_quotient(double a, double b);
double noted_sum(double a, double b);
// (y1 - y0) / (x1 - x0)
double noted_slope(double x0, double y0, double x1, double y1);
// x, which is r exactly.
double noted(double x, const Rational& r);
// x, which is no fraction.
double noted_irrational(double x);

}  // namespace deltaflow
