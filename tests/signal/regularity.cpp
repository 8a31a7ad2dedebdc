// The regularity of links against the regularity of the germs they carry.
#include "signal/regularity.hpp"

#include "signal/product.hpp"
#include "tests/signal/germs.hpp"

using namespace deltaflow;
using R = Regularity;

namespace {

// Germs from delta''' up to C^3, so that every rule meets every case.
rc::Gen<Germ<Rational>> graded_germs() {
    return rc::gen::map(rc::gen::pair(germs(), integers(-impulse_count, known_rungs - 2)),
                        [](const auto& pair) {
                            auto [u, k] = pair;
                            u.impulses.resize(std::min<std::size_t>(u.impulses.size(), std::max(0, -k)));
                            return joined(make_germ(u.left, u.right, u.impulses), std::max(0, k));
                        });
}

bool multiplies(const Germ<Rational>& u, const Germ<Rational>& v) {
    try {
        u* v;
        return true;
    } catch (const UndefinedOperation&) {
        return false;
    }
}

}  // namespace

TEST_CASE("regularity follows the germ") {
    law("through derivatives", [] {
        const auto u = *graded_germs();
        RC_PRE(regularity(u) != R::smooth);
        RC_ASSERT(regularity(derivative(u)) == derivative(regularity(u)));
    });
    law("through integrals", [] {
        const auto u = *graded_germs();
        RC_ASSERT(regularity(integral(u, 1)) == integral(regularity(u)));
    });
    law("a sum is at least as regular as its worse term", [] {
        const auto u = *graded_germs(), v = *graded_germs();
        RC_ASSERT(regularity(u + v) >= meet(regularity(u), regularity(v)));
    });
    law("a sum of unequal terms is as regular as the worse one", [] {
        const auto u = *graded_germs(), v = *graded_germs();
        RC_PRE(regularity(u) != regularity(v));
        RC_ASSERT(regularity(u + v) == meet(regularity(u), regularity(v)));
    });
    law("a product is defined exactly where r_u + r_v >= -2", [] {
        const auto u = *graded_germs(), v = *graded_germs();
        RC_ASSERT(multiplies(u, v) == product_defined(regularity(u), regularity(v)));
    });
    law("a product is at least as regular as its worse factor", [] {
        const auto u = *graded_germs(), v = *graded_germs();
        RC_PRE(multiplies(u, v));
        RC_ASSERT(regularity(u * v) >= meet(regularity(u), regularity(v)));
    });
}

TEST_CASE("smooth absorbs and saturates") {
    CHECK(derivative(R::smooth) == R::smooth);
    CHECK(integral(R::smooth) == R::smooth);
    CHECK(meet(R::smooth, R::delta(2)) == R::delta(2));
    CHECK(product_defined(R::smooth, R::delta(7)));
    CHECK(derivative(R::C(0)) == R::jump);
    CHECK(derivative(R::jump) == R::delta());
    CHECK(integral(R::delta(1)) == R::delta());
    CHECK(regularity(Germ<double>::constant(1, 3)) == R::smooth);
}

TEST_CASE("a value read before the instant multiplies any impulse") {
    const Reading delta{R::delta(), R::delta()}, jumping{R::jump, R::jump}, pre_of_it{R::jump, R::smooth};
    CHECK(!product_defined(delta, jumping));
    CHECK(!product_defined(jumping, delta));
    CHECK(product_defined(delta, pre_of_it));
    CHECK(product_defined(pre_of_it, delta));
    CHECK(product_defined(jumping, jumping));
    CHECK(!product_defined(delta, delta));
}

TEST_CASE("impulses end where functions begin") {
    CHECK(function_defined(R::jump));
    CHECK(!function_defined(R::delta()));
    CHECK(impulse_rungs(R::delta(2)) == 3);
    CHECK(impulse_rungs(R::jump) == 0);
    CHECK(impulse_rungs(R::smooth) == 0);
}

TEST_CASE("regularities have names") {
    CHECK(to_string(R::smooth) == "smooth");
    CHECK(to_string(R::C(0)) == "C0");
    CHECK(to_string(R::C(12)) == "C12");
    CHECK(to_string(R::jump) == "jump");
    CHECK(to_string(R::delta()) == "delta");
    CHECK(to_string(R::delta(3)) == "delta3");
}
