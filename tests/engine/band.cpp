// Bands against full matrices.
#include "engine/numerics/band.hpp"

#include <Eigen/LU>
#include <catch2/catch.hpp>

#include <cmath>
#include <random>

namespace deltaflow {

namespace {

struct Band {
    std::vector<std::uint32_t> rows, columns;
    std::vector<double> values;
};

Band random_band(std::size_t size, std::size_t below, std::size_t above, std::mt19937& random) {
    std::uniform_real_distribution<double> value(-1, 1);
    Band band;
    for (std::uint32_t i = 0; i < size; ++i)
        for (std::uint32_t c = 0; c < size; ++c) {
            if (c + below < i || i + above < c) continue;
            band.rows.push_back(i);
            band.columns.push_back(c);
            band.values.push_back(i == c && i % 3 == 0 ? 0 : value(random));  // rows have to be exchanged
        }
    return band;
}

}  // namespace

TEST_CASE("A band is solved as a full matrix is", "[engine][numerics]") {
    std::mt19937 random(1);
    for (std::size_t below = 0; below < 4; ++below)
        for (std::size_t above = 0; above < 4; ++above)
            for (const std::size_t size : {1, 2, 5, 40}) {
                if (below + above == 0) continue;
                CAPTURE(size, below, above);
                const Band band = random_band(size, below, above, random);
                const auto n = static_cast<Eigen::Index>(size);
                Eigen::MatrixXd full = Eigen::MatrixXd::Zero(n, n);
                for (std::size_t e = 0; e < band.values.size(); ++e)
                    full(band.rows[e], band.columns[e]) = band.values[e];
                BandSolver solver(size, band.rows, band.columns);
                const Eigen::FullPivLU<Eigen::MatrixXd> lu(full);
                REQUIRE(solver.factor(band.values) == lu.isInvertible());
                if (!lu.isInvertible()) continue;
                Eigen::VectorXd right(n);
                for (Eigen::Index i = 0; i < n; ++i) right[i] = std::sin(1.0 + static_cast<double>(i));
                std::vector<double> x(right.data(), right.data() + n);
                solver.solve(x);
                const Eigen::VectorXd solution = lu.solve(right);
                for (Eigen::Index i = 0; i < n; ++i)
                    CHECK(
                        x[static_cast<std::size_t>(i)] ==
                        Approx(solution[i]).epsilon(1e-9).margin(1e-9 * solution.lpNorm<Eigen::Infinity>()));
            }
}

TEST_CASE("A band that is singular says so", "[engine][numerics]") {
    const std::vector<std::uint32_t> rows{0, 0, 1, 1, 1, 2, 2}, columns{0, 1, 0, 1, 2, 1, 2};
    BandSolver solver(3, rows, columns);
    CHECK_FALSE(solver.factor(std::vector<double>{1, 2, 2, 4, 0, 0, 1}));
    CHECK_FALSE(solver.factor(std::vector<double>{1, NAN, 2, 4, 0, 0, 1}));
    CHECK(solver.factor(std::vector<double>{1, 2, 2, 5, 0, 0, 1}));
}

}  // namespace deltaflow
