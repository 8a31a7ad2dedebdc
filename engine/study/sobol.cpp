// Boost has the direction numbers (Joe and Kuo) and the Gray code.
#include "engine/study/sobol.hpp"

#include <boost/random/sobol.hpp>

#include <algorithm>

namespace deltaflow {

static_assert(most_sobol_axes <= boost::random::default_sobol_table::max_dimension);

std::vector<std::uint64_t> sobol_point(std::size_t dimensions, std::uint64_t n) {
    std::vector<std::uint64_t> point(dimensions, 0);
    if (n == 0) return point;  // which Boost leaves out
    boost::random::sobol sequence(dimensions);
    sequence.seed(n - 1);
    std::generate(point.begin(), point.end(), [&] { return sequence(); });
    return point;
}

}  // namespace deltaflow
