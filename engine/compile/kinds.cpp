// Hashes of blocks.
#include "engine/compile/kinds.hpp"

#include "engine/numerics/tearing.hpp"

#include <bit>

namespace deltaflow {

namespace {

std::uint64_t own_kind(const Diagram& d, NodeId n) {
    std::uint64_t hash = mix(static_cast<std::uint64_t>(d.nodes[n].op), d.nodes[n].input_count);
    for (const double x : d.parameters_of(n)) hash = mix(hash, std::bit_cast<std::uint64_t>(x));
    if (d.nodes[n].op == Primitive::schedule)
        for (const Breakpoint& point : d.schedules[d.nodes[n].extra].points)
            for (const double x : {to_double(point.t), point.value, point.slope})
                hash = mix(hash, std::bit_cast<std::uint64_t>(x));
    return hash;
}

}  // namespace

std::uint64_t kind_of(const Diagram& d, NodeId n) {
    std::uint64_t hash = own_kind(d, n);
    for (const NodeId input : d.inputs_of(n)) hash = mix(hash, own_kind(d, input));
    return hash;
}

}  // namespace deltaflow
