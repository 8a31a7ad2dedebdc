// Linear systems: what is built has the transfer function that was asked for.
#include "tests/blocks/blocks.hpp"

#include <Eigen/Dense>
#include <catch2/catch.hpp>

#include <complex>

using namespace deltaflow;
using namespace deltaflow::testing;

namespace {

using Complex = std::complex<double>;

// The Laplace transform of a linear fragment at s: port `active` is 1, the others are 0.
Complex response(const Block& block, std::size_t output, Complex s, std::uint32_t active = 0) {
    const Fragment& f = block.fragment;
    const auto n = static_cast<Eigen::Index>(f.nodes.size());
    Eigen::MatrixXcd a = Eigen::MatrixXcd::Identity(n, n);
    Eigen::VectorXcd b = Eigen::VectorXcd::Zero(n);
    for (Eigen::Index i = 0; i < n; ++i) {
        const Node& node = f.nodes[static_cast<std::size_t>(i)];
        for (std::uint32_t j = 0; j < node.input_count; ++j) {
            const Ref u = f.inputs[node.first_input + j];
            const Complex gain = node.op == Primitive::integrator ? 1.0 / s
                                 : node.op == Primitive::derivative
                                     ? s
                                     : f.parameters[node.first_parameter + j + 1];
            if (u.kind == Ref::Kind::node) a(i, u.index) -= gain;
            if (u.kind == Ref::Kind::port && u.index == active) b(i) += gain;
        }
    }
    return Eigen::VectorXcd(a.partialPivLu().solve(b))(block.outputs[output].index);
}

Complex horner(const Row& highest_first, Complex s) {
    Complex sum = 0;
    for (const double c : highest_first) sum = sum * s + c;
    return sum;
}

void check_transfer(const Row& numerator, const Row& denominator, std::size_t states,
                    std::size_t derivatives) {
    const Block block =
        make_block("transfer_function", {list("numerator", numerator), list("denominator", denominator)});
    for (const Complex s : {Complex(0.7, 1.3), Complex(-2.1, 0.4), Complex(3, 0)}) {
        const Complex wanted = horner(numerator, s) / horner(denominator, s);
        CHECK(std::abs(response(block, 0, s) - wanted) <= 1e-12 * std::abs(wanted));
    }
    CHECK(block.count(Primitive::integrator) == states);
    CHECK(block.count(Primitive::derivative) == derivatives);
}

}  // namespace

TEST_CASE("A transfer function has as many states as its denominator has degrees", "[dynamics]") {
    check_transfer({1}, {1, 0}, 1, 0);
    check_transfer({2}, {3, 1}, 1, 0);
    check_transfer({1, 2}, {1, 3, 5, 7}, 3, 0);
    check_transfer({4, 1, 2}, {2, 3, 5}, 2, 0);
    check_transfer({5}, {2}, 0, 0);
}

TEST_CASE("An improper transfer function differentiates its input", "[dynamics]") {
    check_transfer({1, 0, 0}, {1, 1}, 1, 1);
    check_transfer({1, 0}, {1}, 0, 1);
    check_transfer({3, 0, 1, 2}, {0.1}, 0, 3);
    check_transfer({1, 2, 3, 4, 5}, {2, 1, 1}, 2, 2);
}

TEST_CASE("Zeros in front of coefficients and common factors are dropped", "[dynamics]") {
    check_transfer({0, 0, 1}, {0, 1, 2}, 1, 0);
    check_transfer({1, 3, 2}, {1, 1}, 0, 1);
    CHECK(make_block("transfer_function", {list("numerator", {0}), list("denominator", {1, 1})}).text() ==
          "0");
    CHECK(make_block("transfer_function", {list("numerator", {1}), list("denominator", {1})}).text() ==
          "(x)");
    CHECK(argument_error("transfer_function", {list("numerator", {1}), list("denominator", {0, 0})}) ==
          "denominator: the denominator is zero");
    CHECK(argument_error("transfer_function", {list("numerator", {1}), list("denominator", {})}) ==
          "denominator: the denominator is zero");
}

TEST_CASE("A state space has the transfer function C (s - A)^-1 B + D", "[dynamics]") {
    const Block block =
        make_block("state_space",
                   {matrix("A", {{0, 1}, {-2, -3}}), matrix("B", {{0, 1}, {1, 0}}),
                    matrix("C", {{1, 0}, {0, 1}, {1, 1}}), matrix("D", {{0, 0}, {5, 0}, {0, 6}})},
                   2);
    REQUIRE(block.outputs.size() == 3);
    const Complex s(0.3, 1.1), d = s * s + 3.0 * s + 2.0;
    CHECK(std::abs(response(block, 0, s, 0) - 1.0 / d) < 1e-14);
    CHECK(std::abs(response(block, 1, s, 0) - (s / d + 5.0)) < 1e-13);
    CHECK(std::abs(response(block, 2, s, 1) - ((s + 3.0 - 2.0) / d + 6.0)) < 1e-13);
}

TEST_CASE("Small state spaces may be written short", "[dynamics]") {
    const Block scalar =
        make_block("state_space", {number("A", -1), number("B", 1), number("C", 2), number("D", 3)});
    CHECK(std::abs(response(scalar, 0, 1.0) - 4.0) < 1e-15);
    const Block column =
        make_block("state_space", {matrix("A", {{0, 1}, {0, 0}}), list("B", {0, 1}), list("C", {1, 0})});
    CHECK(std::abs(response(column, 0, 2.0) - 0.25) < 1e-15);
}

TEST_CASE("A state space whose matrices do not fit is refused", "[dynamics]") {
    const Argument A = matrix("A", {{0, 1}, {0, 0}}), B = matrix("B", {{0}, {1}}), C = matrix("C", {{1, 0}});
    CHECK(argument_error("state_space", {matrix("A", {{0, 1}}), B, C}) ==
          "A: A has to have 1 rows and 1 columns");
    CHECK(argument_error("state_space", {A, B, C}, 2) == "B: B has to have 2 rows and 2 columns");
    CHECK(argument_error("state_space", {A, B, matrix("C", {{1}})}) ==
          "C: C has to have 1 rows and 2 columns");
    CHECK(argument_error("state_space", {A, B, C, matrix("D", {{1, 2}})}) ==
          "D: D has to have 1 rows and 1 columns");
    CHECK(argument_error("state_space", {A, B, C, list("initial", {1})}) ==
          "initial: initial has to have 2 numbers, one a state");
    CHECK(argument_error("state_space", {matrix("A", {}), B, C}) == "A: A is empty");
}

TEST_CASE("A pid has only the parts that it needs", "[dynamics]") {
    const Block all = make_block("pid", {number("kp", 2), number("ki", 3), number("kd", 4)});
    CHECK(all.text() == "(2 x + 3 integrator(x; 0) + 4 derivative(x))");
    CHECK(make_block("pid", {number("kp", 2)}).text() == "(2 x)");
    CHECK(make_block("pid", {}).text() == "0");
}

TEST_CASE("Integrators and delays", "[dynamics]") {
    CHECK(make_block("integrator", {number("initial", 3)}).text() == "integrator(x; 3)");
    CHECK(make_block("delay", {exact_number("by", "1/4"), number("initial", 1)}).text() ==
          "delay(x; 0.25, 1)");
    CHECK(argument_error("delay", {number("by", 0)}) == "by: by has to be greater than 0");
}
