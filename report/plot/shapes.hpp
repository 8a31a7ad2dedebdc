// The shapes of a model that move with its signals: what its table [animation] says.
#pragma once

#include "engine/model/model.hpp"

#include <string>
#include <vector>

namespace deltaflow::report {

// A number, or an expression and the name of the block that works it out.
struct ShapeValue {
    std::string key;
    double number = 0;
    std::string expression = {}, block = {};
};

struct AnimatedShape {
    std::string name, kind;  // "cabin", "box"
    std::vector<ShapeValue> values;
};

struct Animation {
    std::vector<AnimatedShape> shapes;  // in the order of the file: later ones lie above
    // Blocks that shapes need, in order.
    std::vector<std::string> blocks() const;
};

// Empty if the model has no table [animation].
Animation animation_of(const FlatModel& model);

// The text of the model with a block for each expression.
std::string text_with_shapes(const FlatModel& model, const Animation& animation);

}  // namespace deltaflow::report
