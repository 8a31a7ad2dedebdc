// The other blocks, and what holds for the whole catalogue.
#include "signal/print.hpp"
#include "tests/blocks/blocks.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace deltaflow;
using namespace deltaflow::testing;

namespace {

std::size_t needed(const BlockType& type) {
    return static_cast<std::size_t>(std::count_if(type.inputs.begin(), type.inputs.end(),
                                                  [](const Port& port) { return port.at_least > 0; }));
}

}  // namespace

TEST_CASE("Every type of block of the format is in the catalogue, once", "[catalogue]") {
    const std::vector<std::string_view> wanted{"constant",
                                               "time",
                                               "step",
                                               "ramp",
                                               "sine",
                                               "polynomial",
                                               "pulse",
                                               "impulse",
                                               "data",
                                               "sum",
                                               "negate",
                                               "inverse",
                                               "abs",
                                               "sign",
                                               "sqrt",
                                               "exp",
                                               "log",
                                               "sin",
                                               "cos",
                                               "tan",
                                               "asin",
                                               "acos",
                                               "atan",
                                               "sinh",
                                               "cosh",
                                               "tanh",
                                               "gain",
                                               "product",
                                               "divide",
                                               "power",
                                               "min",
                                               "max",
                                               "saturate",
                                               "table",
                                               "integrator",
                                               "derivative",
                                               "delay",
                                               "transfer_function",
                                               "state_space",
                                               "pid",
                                               "switch",
                                               "decision",
                                               "hysteresis",
                                               "crossing",
                                               "pre",
                                               "hold",
                                               "unit_delay",
                                               "assert",
                                               "input",
                                               "noise",
                                               "quantize",
                                               "deadzone",
                                               "terminate",
                                               "backlash",
                                               "triggered_hold",
                                               "reset_integrator",
                                               "limited_integrator",
                                               "complement",
                                               "rate_limiter",
                                               "variable_delay"};
    for (const std::string_view type : wanted) CHECK(find_block_type(type) != nullptr);
    CHECK(catalogue().size() == wanted.size());
    CHECK(find_block_type("prodct") == nullptr);
}

TEST_CASE("Every entry says what there is to say", "[catalogue]") {
    for (const BlockType& type : catalogue()) {
        INFO(type.type);
        CHECK((type.lower != nullptr) != type.pairs);
        CHECK_FALSE(type.group.empty());
        CHECK_FALSE(type.about.empty());
        CHECK_FALSE(type.rule.empty());
        CHECK((type.type == "data" || !type.examples.empty()));
        for (const Parameter& p : type.parameters) {
            CHECK_FALSE(p.about.empty());
            CHECK((p.kind == ParameterKind::choice) == !p.choices.empty());
        }
    }
}

TEST_CASE("Examples are written as germs are printed, and their inputs as expressions", "[catalogue]") {
    for (const BlockType& type : catalogue())
        for (const Example& e : type.examples) {
            INFO(example_block(type, e));
            CHECK(e.out.empty() != e.fails.empty());
            if (!e.out.empty()) CHECK(print_germ(to_double(parse_germ(e.out))) == e.out);
            for (const std::string_view text : e.in) CHECK_NOTHROW(parse_expression(text));
            if (!type.inputs.empty() && type.inputs[0].many)
                CHECK(static_cast<int>(e.in.size()) >= type.inputs[0].at_least);
            else
                CHECK(e.in.size() >= needed(type));
        }
}

TEST_CASE("An example is shown as a block of a model file", "[catalogue]") {
    const BlockType& gain = *find_block_type("gain");
    CHECK(example_block(gain, gain.examples[0]) == "{ type = \"gain\", in = \"H + 2*d\", k = 3 }");
    const BlockType& product = *find_block_type("product");
    CHECK(example_block(product, product.examples[0]) == "{ type = \"product\", in = [\"2\", \"3*d\"] }");
    const BlockType& decision = *find_block_type("decision");
    CHECK(example_block(decision, decision.examples[0]) ==
          "{ type = \"decision\", if = \"t - 1\", then = \"2\", else = \"3\" }");
}

TEST_CASE("The catalogue prints itself", "[catalogue]") {
    const std::string all = describe_catalogue();
    for (const BlockType& type : catalogue()) {
        CHECK(all.find(fmt::format("\n  {} ", type.type)) != std::string::npos);
        CHECK(describe_block_type(type).find(std::string(type.rule)) != std::string::npos);
    }
    const std::string saturate = describe_block_type(*find_block_type("crossing"));
    CHECK(saturate.find("direction = both") != std::string::npos);
}

TEST_CASE("Arithmetic blocks", "[catalogue]") {
    CHECK(make_block("sum", {}, 3).text() == "(x + y + z)");
    CHECK(make_block("negate", {}).text() == "(-x)");
    CHECK(make_block("gain", {number("k", 3)}).text() == "(3 x)");
    CHECK(make_block("product", {}, 3).text() == "[[x * y] * z]");
    CHECK(make_block("product", {}, 1).text() == "(x)");
    CHECK(make_block("divide", {}, 2).text() == "[x * inverse(y)]");
    CHECK(argument_error("divide", {}, 3) == "in: divide takes two signals, not 3");
    CHECK(make_block("power", {number("exponent", 2)}).text() == "[x * x]");
    CHECK(make_block("power", {number("exponent", -1)}).text() == "inverse(x)");
    CHECK(make_block("power", {number("exponent", 1)}).text() == "(x)");
    CHECK(make_block("power", {number("exponent", 0)}).text() == "1");
    CHECK(make_block("power", {number("exponent", 2.5)}).text() == "power(x; 2.5)");
    CHECK(argument_error("power", {number("exponent", 3000)}) ==
          "exponent: whole exponents go from -1024 to 1024");
}

TEST_CASE("A sum takes gains in and merges equal signals", "[catalogue]") {
    Fragment fragment;
    Builder builder(fragment);
    const Ref x{Ref::Kind::port, 0}, y{Ref::Kind::port, 1};
    const Ref minus = builder.affine(0, {{-1, y}}), other = builder.affine(1, {{1, y}});
    const Ref sum = find_block_type("sum")->lower({{{x, minus, x, other}}, {}, {}}, builder)[0];
    CHECK(Printer(fragment).text(sum) == "(2 x - y + (1 + y))");
}

TEST_CASE("Functions and extremes", "[catalogue]") {
    CHECK(make_block("sin", {}).text() == "sin(x)");
    CHECK(make_block("acos", {}).text() == "(1.5707963267948966 - asin(x))");
    CHECK(make_block("min", {}, 2).text() == "decision((y - x), x, y)");
    CHECK(make_block("max", {}, 2).text() == "decision((x - y), x, y)");
    CHECK(make_block("max", {}, 1).text() == "(x)");
    CHECK(make_block("abs", {}).parameters() == Row{1, 0, 0, -1, 0, 0, 1, 0});
}

TEST_CASE("Saturation and tables are pieces", "[catalogue]") {
    CHECK(make_block("saturate", {number("low", -1), number("high", 2)}).parameters() ==
          Row{2, -1, 2, -1, 0, -1, 0, 1, 0, 2, 0, 2});
    CHECK(make_block("saturate", {number("low", 2), number("high", 2)}).text() == "2");
    CHECK(argument_error("saturate", {number("low", 3), number("high", 2)}) ==
          "low: low has to be at most high");
    const Argument x = list("x", {0, 1, 3}), y = list("y", {5, 7, 3});
    CHECK(make_block("table", {x, y}).parameters() == Row{3, 0, 1, 3, 5, 0, 0, 5, 2, 0, 7, -2, 1, 3, 0, 3});
    CHECK(make_block("table", {x, y, word("outside", "extend")}).parameters() ==
          Row{1, 1, 5, 2, 0, 7, -2, 1});
    CHECK(make_block("table", {list("x", {1, 2}), list("y", {1, 3}), word("outside", "extend")}).text() ==
          "(-1 + 2 x)");
}

TEST_CASE("Tables refuse points that make no line", "[catalogue]") {
    CHECK(argument_error("table", {list("x", {0}), list("y", {0})}) ==
          "x: a table needs at least two points");
    CHECK(argument_error("table", {list("x", {0, 1}), list("y", {0})}) ==
          "y: x and y have to be of the same length");
    CHECK(argument_error("table", {list("x", {0, 0}), list("y", {0, 1})}) == "x: x has to increase strictly");
}

TEST_CASE("Decisions", "[catalogue]") {
    CHECK(make_block("switch", {}).parameters() == Row{1, 0, 0, 0, 0, 1, 0, 0});
    CHECK(make_block("decision", {}).text() == "decision(x, y, z)");
    CHECK(make_block("hysteresis", {number("low", 1), number("high", 2)}).text() == "hysteresis(x; 1, 2, 0)");
    CHECK(argument_error("hysteresis", {number("low", 2), number("high", 2)}) ==
          "low: low has to be less than high");
    CHECK(argument_error("hysteresis", {number("low", 1), number("high", 2), number("initial", 2)}) ==
          "initial: initial has to be a whole number from 0 to 1");
    CHECK(make_block("crossing", {}).text() == "crossing(x; 0)");
    CHECK(make_block("crossing", {word("direction", "falling")}).text() == "crossing(x; -1)");
    CHECK(make_block("crossing", {word("direction", "rising")}).text() == "crossing(x; 1)");
    CHECK(make_block("pre", {}).text() == "pre(x)");
    const Block assertion = make_block("assert", {word("message", "too low")});
    CHECK(assertion.fragment.messages == std::vector<std::string>{"too low"});
}

TEST_CASE("Sample clocks are exact", "[catalogue]") {
    const Block hold =
        make_block("hold", {exact_number("period", "1/3"), number("phase", 0.1), number("initial", 7)});
    CHECK(hold.text() == "hold(x; 7)");
    CHECK(to_string(hold.fragment.clocks[0].period) == "1/3");
    CHECK(to_string(hold.fragment.clocks[0].phase) == "1/10");
    CHECK(make_block("unit_delay", {number("period", 0.1)}).fragment.clocks[0].period == Rational(1, 10));
    CHECK(argument_error("hold", {number("period", -1)}) == "period: period has to be greater than 0");
}
