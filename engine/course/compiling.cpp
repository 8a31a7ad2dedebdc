#include "engine/course/compiling.hpp"

#include "engine/course/side_by_side.hpp"

namespace deltaflow {

// Of several mistakes the one of the first island is told.
std::shared_ptr<const std::vector<System>> compile_side_by_side(const FlatModel& model,
                                                                const Settings& settings, unsigned threads) {
    std::vector<CutIsland> islands;
    for_each_island(model, settings.simultaneous,
                    [&](CutIsland island) { islands.push_back(std::move(island)); });
    auto systems = std::make_shared<std::vector<System>>(islands.size());
    std::vector<std::exception_ptr> mistakes(islands.size());
    side_by_side(islands.size(), threads, [&](std::size_t i) {
        try {
            (*systems)[i] = compile_island(model, settings, std::move(islands[i]));
        } catch (...) {
            mistakes[i] = std::current_exception();
        }
    });
    for (const std::exception_ptr& mistake : mistakes)
        if (mistake) std::rethrow_exception(mistake);
    refuse_derivative_of_pre(model, *systems);
    return systems;
}

}  // namespace deltaflow
