// Composes formulas from primitive blocks; equal blocks are made once.
#pragma once

#include "blocks/builder.hpp"

#include <map>
#include <span>
#include <tuple>
#include <vector>

namespace deltaflow {

// constant + sum coefficient signal, with every signal once. This is what sums, differences and gains
// are collected in before they become one block.
struct Affine {
    struct Term {
        Number coefficient;
        Ref signal;
    };
    Number constant{0, Rational(0)};
    std::vector<Term> terms;

    bool is_constant() const { return terms.empty(); }
};

Affine affine_of(Number constant);
Affine affine_of(Ref signal);
Affine operator+(Affine a, const Affine& b);
Affine operator-(Affine a, const Affine& b);
Affine operator*(const Number& k, Affine a);

class Composer {
public:
    explicit Composer(Builder& builder) : builder_(builder) {}

    // A primitive without state or partner.
    Ref node(Primitive op, std::vector<Ref> inputs, std::vector<double> parameters = {});
    // The signal that a sum is: itself where it is a single signal, else one affine block.
    Ref signal(const Affine& a);

    // Constant factors are pulled out in front of products and inverses.
    Affine product(const Affine& a, const Affine& b);
    Affine inverse(const Affine& a);
    // u^n by repeated squaring for whole n, else `power`.
    Affine power(const Affine& a, const Number& exponent);

    // A function of one signal, with its partner where it has one.
    Ref function(Primitive op, Ref u);
    Ref atan2(Ref y, Ref x);
    Ref decision(Ref condition, Ref then, Ref otherwise);

    Builder& builder() { return builder_; }

private:
    using Key = std::tuple<Primitive, std::vector<std::uint64_t>, std::vector<double>>;

    Ref pair(Primitive op, Primitive partner, Ref u);
    Ref self_paired(Primitive op, Ref u, double sign);
    Ref whole_power(Ref u, int n);
    Ref square(Ref u) { return node(Primitive::product, {u, u}); }
    Ref one_plus(double coefficient, Ref u);

    Builder& builder_;
    std::map<Key, Ref> known_;
};

// y where u >= x1, x2, ...: the parameters of `piecewise`.
struct Line {
    double y, slope, x;  // y + slope (u - x)
};
std::vector<double> piecewise_parameters(std::span<const double> breaks, std::span<const Line> lines);

// |u|, and 1 where u >= 0
std::vector<double> absolute_value();
std::vector<double> unit_step();

}  // namespace deltaflow
