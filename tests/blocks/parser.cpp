// The parser: shape, binding, and errors that point at the offending token.
#include "tests/blocks/formulas.hpp"

#include <catch2/catch.hpp>

using namespace deltaflow;
using namespace deltaflow::testing;

namespace {

struct Failure {
    std::string message;
    std::uint32_t offset = 0, length = 0;
};

Failure failure(std::string_view text) {
    try {
        parse_expression(text);
    } catch (const ExpressionError& e) {
        return {e.what(), e.offset, e.length};
    }
    return {"no error", 0, 0};
}

void check_failure(std::string_view text, std::uint32_t offset, std::uint32_t length,
                   const std::string& part) {
    const Failure f = failure(text);
    INFO(text << ": " << f.message);
    CHECK(f.message.find(part) != std::string::npos);
    CHECK(f.offset == offset);
    CHECK(f.length == length);
}

std::string repeated(std::string_view text, int n) {
    std::string all;
    for (int i = 0; i < n; ++i) all += text;
    return all;
}

}  // namespace

TEST_CASE("Operators bind as in mathematics", "[expression]") {
    CHECK(tree("a + b*c") == "(+ a (* b c))");
    CHECK(tree("a - b - c") == "(- (- a b) c)");
    CHECK(tree("a/b*c") == "(* (/ a b) c)");
    CHECK(tree("a^b^c") == "(^ a (^ b c))");
    CHECK(tree("-a^2") == "(neg (^ a 2))");
    CHECK(tree("a^-b") == "(^ a (neg b))");
    CHECK(tree("-a*b") == "(* (neg a) b)");
    CHECK(tree("a*-b") == "(* a (neg b))");
    CHECK(tree("--a") == "(neg (neg a))");
    CHECK(tree("+a") == "a");
    CHECK(tree("(a + b)*c") == "(* (+ a b) c)");
}

TEST_CASE("Comparisons and logic bind less than sums", "[expression]") {
    CHECK(tree("a + b >= c and pre(d - e) > 0") == "(and (>= (+ a b) c) (> pre((- d e)) 0))");
    CHECK(tree("a < b or c != d and not e == f") == "(or (< a b) (and (!= c d) (not (== e f))))");
    CHECK(tree("not not a <= b") == "(not (not (<= a b)))");
}

TEST_CASE("Names have indices and members", "[expression]") {
    CHECK(tree("many[3].x") == "many[3].x");
    CHECK(tree("many[2*i + 1].x + 1") == "(+ many[2*i + 1].x 1)");
    CHECK(tree("left.x*right.inner.y[0]") == "(* left.x right.inner.y[0])");
    CHECK(tree("_a1 + B_2") == "(+ _a1 B_2)");
    CHECK(tree("order - android") == "(- order android)");
}

TEST_CASE("Numbers are written in the usual ways", "[expression]") {
    for (const char* text : {"1", "1.5", ".5", "1.", "1e-3", "2E+10", "12.5e6"}) CHECK(tree(text) == text);
}

TEST_CASE("Calls have any number of arguments", "[expression]") {
    CHECK(tree("f()") == "f()");
    CHECK(tree("if(a - 1, sin(b), -c)") == "if((- a 1), sin(b), (neg c))");
}

TEST_CASE("A tree knows where its parts stand", "[expression]") {
    const Expression e = parse_expression(" (a + bc) * sin(x)");
    CHECK(e.offset == 1);
    CHECK(e.length == 17);
    CHECK(e.arguments[0].offset == 1);
    CHECK(e.arguments[0].length == 8);
    CHECK(e.arguments[0].arguments[1].offset == 6);
    CHECK(e.arguments[0].arguments[1].length == 2);
    CHECK(e.arguments[1].offset == 12);
    CHECK(e.arguments[1].length == 6);
}

TEST_CASE("Errors point at the offending token", "[expression]") {
    check_failure("", 0, 1, "empty");
    check_failure("   ", 0, 1, "empty");
    check_failure("a + ", 2, 1, "ends too early");
    check_failure("a * / b", 4, 1, "unexpected \"/\"");
    check_failure("(a + b", 0, 1, "never closed");
    check_failure("sin(a + b", 3, 1, "never closed");
    check_failure("a + b)", 5, 1, "never opened");
    check_failure("2 x", 2, 1, "an operator is missing between \"2\" and \"x\"");
    check_failure("2e", 1, 1, "an operator is missing");
    check_failure("1.2.3", 3, 2, "an operator is missing");
    check_failure("(a b)", 3, 1, "an operator is missing");
    check_failure("a, b", 1, 1, "comma");
    check_failure("(a, b)", 2, 1, "comma");
    check_failure("f(a,)", 4, 1, "unexpected \")\"");
    check_failure("a < b < c", 6, 1, "do not chain");
}

TEST_CASE("Characters that are not known are shown whole", "[expression]") {
    check_failure("a # b", 2, 1, "there is no character \"#\"");
    check_failure("a + \xC3\xBC", 4, 2, "\"\xC3\xBC\"");
    check_failure("a \x01", 2, 1, "0x01");
}

TEST_CASE("Habits from other languages get advice", "[expression]") {
    check_failure("a ** b", 2, 2, "a^b");
    check_failure("a && b", 2, 2, "\"and\"");
    check_failure("a || b", 2, 2, "\"or\"");
    check_failure("a = b", 2, 1, "==");
    check_failure("!a", 0, 1, "\"not\"");
    check_failure("a[b[1]]", 1, 1, "many[3].x");
    check_failure("a[ ]", 1, 1, "many[3].x");
}

TEST_CASE("Depth and length have limits, with room for every formula", "[expression]") {
    CHECK_NOTHROW(parse_expression(repeated("(", 199) + "a" + repeated(")", 199)));
    check_failure(repeated("(", 201) + "a" + repeated(")", 201), 200, 1, "levels");
    CHECK(failure(repeated("-", 100000) + "a").message.find("levels") != std::string::npos);
    CHECK(failure(repeated("a^", 100000) + "a").message.find("levels") != std::string::npos);
    CHECK(failure(repeated("not ", 100000) + "a").message.find("levels") != std::string::npos);
    CHECK_NOTHROW(parse_expression("a" + repeated(" + a", 4000)));
    CHECK(failure("a" + repeated(" + a", 100000)).message.find("too long") != std::string::npos);
    CHECK(failure(repeated("1", 5000)).message.find("too many digits") != std::string::npos);
}
