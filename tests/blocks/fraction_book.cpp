// What doubles stand for, as long as a book is open.
#include "blocks/fraction_book.hpp"

#include "blocks/number.hpp"

#include <catch2/catch.hpp>

using namespace deltaflow;

TEST_CASE("a book knows the fractions that were evaluated while it was open") {
    const double third = 1.0 / 3;
    const FractionBook book;
    CHECK_FALSE(book.find(third));
    const Number n = number_from_text("1") / number_from_text("3");
    CHECK(book.find(n.value) == Rational(1, 3));
    CHECK(book.find(-n.value) == Rational(-1, 3));
    CHECK(book.find(0.5) == Rational(1, 2));
    CHECK_FALSE(book.find(3.141592653589793));
}

TEST_CASE("a double that stands for two fractions is none of them") {
    const FractionBook book;
    const Number third = number_from_text("1") / number_from_text("3");
    const Number digits = number_from_text("0.3333333333333333");
    REQUIRE(third.value == digits.value);
    CHECK_FALSE(book.find(third.value));
}

TEST_CASE("books nest, and an inner one does not outlive itself") {
    const FractionBook outer;
    {
        const FractionBook inner;
        CHECK(FractionBook::open() == &inner);
    }
    CHECK(FractionBook::open() == &outer);
    CHECK(noted_quotient(number_from_text("0.7").value, number_from_text("0.3").value) == 0.7 / 0.3);
    CHECK(outer.find(0.7 / 0.3) == Rational(7, 3));
}

TEST_CASE("a time given as a fraction is told from one given as a double") {
    const FractionBook book;
    CHECK(book.is_fraction(Rational(1, 3)));
    CHECK_FALSE(book.is_fraction(exact(1.4142135623730951)));
}
