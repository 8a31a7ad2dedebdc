// Behind the public headers: models, options and errors as the engine has them.
#pragma once

#include "deltaflow/model.hpp"
#include "engine/model/model.hpp"

#include <vector>

namespace deltaflow {

[[noreturn]] void throw_public(const ModelError& error);

// What `f` throws becomes an Error.
template <class F>
auto in_public(const F& f) {
    try {
        return f();
    } catch (const ModelError& error) {
        throw_public(error);
    }
}

FlatModel with_options(const FlatModel& model, const Options& options);

// Blocks of type `input`, in the order of the diagram.
std::vector<NodeId> input_nodes(const FlatModel& model);

}  // namespace deltaflow
