// The functions of expressions: what each does to numbers, and which blocks it is of signals.
#pragma once

#include "blocks/composer.hpp"

#include <span>
#include <string_view>

namespace deltaflow {

struct Function {
    std::string_view name;
    std::size_t least, most;  // arguments
    // Of numbers alone; not a number where it is not defined. Null: needs a signal.
    Number (*value)(std::span<const Number>);
    // Of signals, one of them at least.
    Affine (*compose)(Composer&, std::span<const Affine>);
    bool only_in_guards = false;
    bool is_free = false;  // a block may have this name, too: a function is followed by its arguments
};

std::span<const Function> function_table();
const Function* find_function(std::string_view name);

}  // namespace deltaflow
