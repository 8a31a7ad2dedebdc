// Expressions of parameters: exact where they can be.
#include "tests/blocks/formulas.hpp"

#include <catch2/catch.hpp>

#include <cmath>

using namespace deltaflow;
using namespace deltaflow::testing;

namespace {

// The fraction as text, or the double in brackets where exactness was lost.
std::string value(std::string_view text) {
    const Number n = evaluate(text);
    return n.exact ? to_string(*n.exact) : fmt::format("[{}]", n.value);
}

std::string message(std::string_view text) {
    try {
        evaluate(text);
    } catch (const ExpressionError& e) {
        return e.what();
    }
    return "no error";
}

}  // namespace

TEST_CASE("Literals are exact decimals", "[number]") {
    CHECK(value("0.1") == "1/10");
    CHECK(value("1e-3") == "1/1000");
    CHECK(value(".5") == "1/2");
    CHECK(value("2.") == "2");
    CHECK(to_string(*number_from_double(0.1).exact) == "1/10");
}

TEST_CASE("Arithmetic keeps fractions", "[number]") {
    CHECK(value("1/3") == "1/3");
    CHECK(value("1/3 + 1/6") == "1/2");
    CHECK(value("-(0.1 + 0.2)*10") == "-3");
    CHECK(value("(2/3)^3") == "8/27");
    CHECK(value("2^-2") == "1/4");
    CHECK(value("-2^2") == "-4");
    CHECK(value("0^0") == "1");
    CHECK(value("third*k") == "2/3");
    CHECK(evaluate("0.1 + 0.2").value == 0.3);
}

TEST_CASE("Choices keep fractions, functions and pi do not, but where they are known to be one", "[number]") {
    CHECK(value("abs(-1/3)") == "1/3");
    CHECK(value("sign(-2)") == "-1");
    CHECK(value("heaviside(0)") == "1");
    CHECK(value("min(1/2, 1/3, 2)") == "1/3");
    CHECK(value("max(1/2, 1/3)") == "1/2");
    CHECK(value("if(0, 1/3, 2)") == "1/3");
    CHECK(value("if(-1, 1, 2/3)") == "2/3");
    CHECK(value("sqrt(4)") == "2");
    CHECK(value("sqrt(5)") == fmt::format("[{}]", std::sqrt(5.0)));
    CHECK(value("exp(0)") == "1");
    CHECK(value("exp(1e-20)") == "[1]");
    CHECK(value("2^0.5") == fmt::format("[{}]", std::sqrt(2.0)));
    CHECK(value("pi") == "[3.141592653589793]");
}

TEST_CASE("All functions evaluate", "[number]") {
    CHECK(evaluate("sin(1)").value == std::sin(1.0));
    CHECK(evaluate("cos(1)").value == std::cos(1.0));
    CHECK(evaluate("tan(1)").value == std::tan(1.0));
    CHECK(evaluate("asin(0.5)").value == std::asin(0.5));
    CHECK(evaluate("acos(0.5)").value == std::acos(0.5));
    CHECK(evaluate("atan(2)").value == std::atan(2.0));
    CHECK(evaluate("atan2(1, -1)").value == std::atan2(1.0, -1.0));
    CHECK(evaluate("sinh(1)").value == std::sinh(1.0));
    CHECK(evaluate("cosh(1)").value == std::cosh(1.0));
    CHECK(evaluate("tanh(1)").value == std::tanh(1.0));
    CHECK(evaluate("exp(1)").value == std::exp(1.0));
    CHECK(evaluate("log(2)").value == std::log(2.0));
}

TEST_CASE("Fractions that grow too long become doubles", "[number]") {
    CHECK(value("2^100") == "1267650600228229401496703205376");
    CHECK(message("2^5000").find("finite") != std::string::npos);
    CHECK(evaluate("1.5^1000").exact.has_value());
    CHECK_FALSE(evaluate("1.01^1000").exact.has_value());
    CHECK(evaluate("1.01^1000").value == Approx(std::pow(1.01, 1000)));
    CHECK(evaluate("0.5^100000").value == 0);
}

TEST_CASE("What is not a number is an error", "[number]") {
    CHECK(message("1/0") == "division by zero");
    CHECK(message("1/(k - 2)") == "division by zero");
    CHECK(message("0^-1") == "division by zero");
    CHECK(message("(-1)^0.5").find("negative") != std::string::npos);
    CHECK(message("log(-1)").find("log is not defined") != std::string::npos);
    CHECK(message("asin(2)").find("asin is not defined") != std::string::npos);
    CHECK(message("1e999").find("1e999") != std::string::npos);
    CHECK(message("1e99999999999").find("not a number") != std::string::npos);
    CHECK(message("1e300*1e300").find("finite") != std::string::npos);
}

TEST_CASE("Signals may not stand where a number is wanted", "[number]") {
    CHECK(message("x + 1").find("\"x\" is a signal") != std::string::npos);
    CHECK(message("2*t").find("\"t\" is a signal") != std::string::npos);
    CHECK(message("der(2)").find("der(x) is a signal") != std::string::npos);
    CHECK(evaluate("k < 3").value == 1);
    CHECK(message("sine(2)").find("did you mean \"sin\"?") != std::string::npos);
}
