// All of an array at once: sum(many[*].x)
#include "engine/front/flatten/indices.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace deltaflow::front {
namespace {

constexpr std::string_view all = "[*]";

[[noreturn]] void fail(const Expression& e, const std::string& message) {
    throw ExpressionError(e.offset, std::max(1u, e.length), message);
}

const Expression* find_all(const Expression& e) {
    if (e.kind == Expression::Kind::name) return e.text.find(all) == std::string::npos ? nullptr : &e;
    for (const Expression& argument : e.arguments)
        if (const Expression* found = find_all(argument)) return found;
    return nullptr;
}

bool gathers(const Expression& e) {
    constexpr std::string_view functions[] = {"sum", "product", "min", "max"};
    return e.kind == Expression::Kind::call &&
           std::find(std::begin(functions), std::end(functions), e.text) != std::end(functions);
}

std::uint64_t size_of(const Expression& name, const Template& shape) {
    const std::string_view array = std::string_view(name.text).substr(0, name.text.find(all));
    const auto found = shape.diagram->names.find(array);
    const bool block = found != shape.diagram->names.end() && found->second.kind == Symbol::Kind::block;
    const Child* child = block ? shape.child_of(found->second.index) : nullptr;
    if (!child || child->array_size == 0)
        fail(name, fmt::format("\"{}\" is no array of this diagram", array));
    return child->array_size;
}

Expression with_index(const Expression& e, const std::string& index) {
    Expression copy = e;
    if (const std::size_t at = copy.text.find(all);
        e.kind == Expression::Kind::name && at != std::string::npos)
        copy.text.replace(at, all.size(), index);
    for (Expression& argument : copy.arguments) argument = with_index(argument, index);
    return copy;
}

}  // namespace

bool mentions_all(const Expression& e) { return find_all(e) != nullptr; }

Expression spread(const Expression& e, const Template& shape) {
    if (e.kind == Expression::Kind::name && find_all(e))
        fail(e, "[*] may stand only in sum(...), product(...), min(...) and max(...)");
    Expression result = e;
    result.arguments.clear();
    for (const Expression& argument : e.arguments) {
        const Expression* name = gathers(e) ? find_all(argument) : nullptr;
        if (!name) {
            result.arguments.push_back(spread(argument, shape));
            continue;
        }
        const std::uint64_t size = size_of(*name, shape);
        for (std::uint64_t i = 0; i < size; ++i)
            result.arguments.push_back(spread(with_index(argument, fmt::format("[{}]", i)), shape));
    }
    return result;
}

}  // namespace deltaflow::front
