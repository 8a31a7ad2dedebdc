// Expressions become few primitive blocks.
#include "tests/blocks/formulas.hpp"

#include <catch2/catch.hpp>

using namespace deltaflow;
using namespace deltaflow::testing;

namespace {

void check(std::string_view expression, const std::string& text, std::size_t count) {
    const Lowered lowered = lower(expression);
    INFO(expression);
    CHECK(lowered.text() == text);
    CHECK(lowered.count() == count);
}

std::string message(std::string_view text) {
    try {
        lower(text);
    } catch (const ExpressionError& e) {
        return fmt::format("{}+{}: {}", e.offset, e.length, e.what());
    }
    return "no error";
}

}  // namespace

TEST_CASE("A lone name is the signal itself", "[lowering]") {
    check("x", "x", 0);
    check("(x)", "x", 0);
    check("1*x + 0", "x", 0);
    check("many[3].x", "many[3].x", 0);
    check("-x", "(-x)", 1);
    check("t", "t", 1);
    check("3*k", "6", 1);
}

TEST_CASE("Sums, differences and gains are one block", "[lowering]") {
    check("(force - k*x - c*v)/m", "(0.25 force - 0.5 x - 0.75 v)", 1);
    check("x + x + x", "(3 x)", 1);
    check("2*(x - y) + 3*(y - x) + pi - pi", "(-x + y)", 1);
    check("x - x", "0", 1);
    check("0*x + 1", "1", 1);
    check("x/3 + 1/10 + 2/10", "(0.3 + 0.3333333333333333 x)", 1);
    check("-(x + 1)*2 + t", "(-2 - 2 x + t)", 2);
}

TEST_CASE("Products are chains with constant factors in front", "[lowering]") {
    check("x*y", "[x * y]", 1);
    check("x*y*z", "[[x * y] * z]", 2);
    check("2*x*(3*y)", "(6 [x * y])", 2);
    check("-(1 + 0.5)*pre(v)*x", "(-1.5 [pre(v) * x])", 3);
    check("(x + 1)*y", "[(1 + x) * y]", 2);
    check("x*y + 3*x*y", "(4 [x * y])", 2);
}

TEST_CASE("Quotients are products with an inverse", "[lowering]") {
    check("1/x", "inverse(x)", 1);
    check("y/x", "[y * inverse(x)]", 2);
    check("3/(2*x)", "(1.5 inverse(x))", 2);
    check("y/(2*x)", "(0.5 [y * inverse(x)])", 3);
}

TEST_CASE("Whole powers are products by repeated squaring", "[lowering]") {
    check("x^0", "1", 1);
    check("x^1", "x", 0);
    check("x^2", "[x * x]", 1);
    check("x^3", "[[x * x] * x]", 2);
    check("(2*x)^3", "(8 [[x * x] * x])", 3);
    check("x^-2", "inverse([x * x])", 2);
    check("x^(4/2)", "[x * x]", 1);
    CHECK(lower("x^64").count() == 6);
    CHECK(lower("x^1000").count() < 20);
    CHECK(message("x^5000").find("2+4: exponents of signals go up to 1024") == 0);
}

TEST_CASE("Other powers", "[lowering]") {
    check("x^0.5", "power(x; 0.5)", 1);
    check("x^y", "exp([y * log(x)])", 3);
    check("2^x", "exp((0.6931471805599453 x))", 2);
    CHECK(message("(-2)^x").find("only a positive number") != std::string::npos);
}

TEST_CASE("Functions of numbers fold", "[lowering]") {
    check("sin(0)*x + cos(0)*y", "y", 0);
    check("if(-1, x, y)", "y", 0);
    check("der(3) + pre(2)", "2", 1);
    check("sqrt(4)*x", "(2 x)", 1);
}

TEST_CASE("Sine and cosine of the same signal share their blocks", "[lowering]") {
    check("sin(x)", "sin(x)", 2);
    check("sin(x) + cos(x)", "(sin(x) + cos(x))", 3);
    check("sin(x)*sin(x) + cos(x)*cos(x)", "([sin(x) * sin(x)] + [cos(x) * cos(x)])", 5);
    check("sinh(2*x) - cosh(2*x)", "(sinh((2 x)) - cosh((2 x)))", 4);
    const Lowered pair = lower("cos(x)");
    const Fragment& f = pair.fragment;
    CHECK(f.nodes[0].op == Primitive::cos);
    CHECK(f.nodes[1].op == Primitive::sin);
    CHECK(f.inputs ==
          std::vector<Ref>{
              {Ref::Kind::port, 0}, {Ref::Kind::node, 1}, {Ref::Kind::port, 0}, {Ref::Kind::node, 0}});
}

TEST_CASE("Functions read the partner that their rule names", "[lowering]") {
    const auto partner = [](std::string_view text) {
        const Lowered lowered = lower(text);
        const Node& node = lowered.fragment.nodes[lowered.y.index];
        return Printer(lowered.fragment).text(lowered.fragment.inputs[node.first_input + 1]);
    };
    CHECK(partner("tan(x)") == "(1 + [tan(x) * tan(x)])");
    CHECK(partner("tanh(x)") == "(1 - [tanh(x) * tanh(x)])");
    CHECK(partner("asin(x)") == "sqrt((1 - [x * x]))");
    CHECK(partner("atan(x)") == "(1 + [x * x])");
    CHECK(lower("acos(x)").text() == "(1.5707963267948966 - asin(x))");
    CHECK(lower("exp(x)").count() == 1);
}

TEST_CASE("Choices become decisions and pieces", "[lowering]") {
    check("if(x - 1, y, 2)", "decision((-1 + x), y, 2)", 3);
    check("min(x, y)", "decision((y - x), x, y)", 2);
    check("max(x, y)", "decision((x - y), x, y)", 2);
    check("min(x, 1, 2)", "decision((2 - decision((1 - x), x, 1)), decision((1 - x), x, 1), 2)", 6);
    check("abs(x)", "piecewise(x)", 1);
    check("heaviside(x)", "piecewise(x)", 1);
    check("sign(x)", "sign(x)", 1);
    check("atan2(y, x)", "decision(y, atan2(y, x; 1), atan2(y, x; -1))", 6);
}

TEST_CASE("Comparisons become decisions, one each", "[lowering]") {
    check("x >= y", "decision((x - y), 1, 0)", 4);
    check("x < y", "decision((x - y), 0, 1)", 4);
    check("x > 1", "decision((1 - x), 0, 1)", 4);
    check("x == y", "decision((x - y), decision((-x + y), 1, 0), 0)", 6);
    check("x != y", "decision((x - y), decision((-x + y), 0, 1), 1)", 6);
    check("not x >= y", "decision((x - y), 0, 1)", 4);
    check("2 + 3*(x >= y)", "(2 + 3 decision((x - y), 1, 0))", 5);
    check("if(x >= 1 and y < 2, x, y)", "decision((-1 + x), decision((-2 + y), y, x), y)", 4);
    check("if(x >= 1 or y >= 2, x, y)", "decision((-1 + x), x, decision((-2 + y), x, y))", 4);
    check("not x", "decision((-0.5 + x), 0, 1)", 4);
}

TEST_CASE("Comparisons of numbers are known", "[lowering]") {
    check("(k > 1) + (1 < 0)", "1", 1);
    check("0.1 + 0.2 == 0.3", "1", 1);
    check("if(k >= 2 and not (3 < 2), x, y)", "x", 0);
    check("x*(1 or 0) + (1 and 0)", "x", 0);
    check("if(k > 1 and x >= 0, x, y)", "decision(x, x, y)", 1);
}

TEST_CASE("pre and der are blocks of their own", "[lowering]") {
    check("pre(x)", "pre(x)", 1);
    check("der(x - 2*y)", "derivative((x - 2 y))", 2);
    check("pre(x) + pre(x)", "(2 pre(x))", 2);
}

TEST_CASE("Long sums lower without deep recursion", "[lowering]") {
    std::string text = "x";
    for (int i = 0; i < 4000; ++i) text += " + y";
    check(text, "(x + 4000 y)", 1);
}

TEST_CASE("Wrong calls are told with their place", "[lowering]") {
    CHECK(message("1 + sine(x)") == "4+4: there is no function \"sine\"; did you mean \"sin\"?");
    CHECK(message("sin(x, y)") == "0+9: sin takes 1 argument, not 2");
    CHECK(message("if(x, y)") == "0+8: if takes 3 arguments, not 2");
    CHECK(message("min()") == "0+5: min takes at least 1 argument, not 0");
    CHECK(message("impulse(x)").find("impulse(x) may stand only in guards") != std::string::npos);
    CHECK(message("x/(k - 2)").find("division by zero") != std::string::npos);
    CHECK(message("unknown + 1") == "0+7: there is no \"unknown\"");
}
