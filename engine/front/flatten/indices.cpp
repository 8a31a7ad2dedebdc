// Indices that are expressions: stage[i + 1].out
#include "engine/front/flatten/indices.hpp"

#include "engine/front/flatten/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace deltaflow::front {
namespace {

bool is_number(std::string_view index) {
    return !index.empty() && index.find_first_not_of("0123456789") == std::string_view::npos;
}

// What stands between the brackets that open at `open`.
std::string_view inside(std::string_view name, std::size_t open) {
    const std::size_t close = std::min(name.find(']', open), name.size());
    return name.substr(open + 1, close - open - 1);
}

// Calls `use` with what stands between each pair of brackets.
template <class Use>
void for_each_index(std::string_view name, const Use& use) {
    for (std::size_t at = name.find('['); at != std::string_view::npos; at = name.find('[', at + 1))
        use(inside(name, at));
}

class IndexReader {
public:
    IndexReader(std::optional<std::uint64_t> i, const Environment& environment, Report& report)
        : i_(i), environment_(environment), report_(report) {}

    std::uint64_t read(std::string_view text) {
        const Expression tree = parse_expression(text);
        const Number number =
            evaluate_expression(tree, [this](const Expression& name) { return look_up(name); });
        const Rational value = number.rational();
        if (value.denominator() == 1 && sign(number) >= 0 && number.value < 1e18)
            return static_cast<std::uint64_t>(value.numerator());
        throw ExpressionError(tree.offset, std::max(1u, tree.length),
                              fmt::format("an index is a whole number from 0 on, not {}", number.value));
    }

private:
    Meaning look_up(const Expression& name) {
        if (const auto number = find_parameter(environment_, name.text)) return *number;
        if (i_ && name.text == index_name) return number_of_index(*i_);
        throw ExpressionError(name.offset, name.length,
                              fmt::format("there is no parameter \"{}\"{}", name.text, way_out(name.text)));
    }

    std::string way_out(std::string_view name) {
        if (name == index_name) return "; i counts where there is a \"count\"";
        std::vector<std::string_view> known;
        append_parameter_names(environment_, known);
        if (i_) known.push_back(index_name);
        return report_.hint(name, known);
    }

    std::optional<std::uint64_t> i_;
    const Environment& environment_;
    Report& report_;
};

}  // namespace

Number number_of_index(std::uint64_t i) { return {static_cast<double>(i), Rational(Integer(i))}; }

bool has_open_index(std::string_view name) {
    bool open = false;
    for_each_index(name, [&](std::string_view index) { open = open || !is_number(index); });
    return open;
}

std::string close_indices(std::string_view name, std::optional<std::uint64_t> i,
                          const Environment& environment, Report& report) {
    IndexReader reader(i, environment, report);
    std::string closed;
    std::size_t done = 0;
    for_each_index(name, [&](std::string_view index) {
        const auto begin = static_cast<std::size_t>(index.data() - name.data());
        closed += name.substr(done, begin - done);
        try {
            closed += is_number(index) ? std::string(index) : std::to_string(reader.read(index));
        } catch (const ExpressionError& e) {
            throw ExpressionError(static_cast<std::uint32_t>(begin) + e.offset, e.length, e.what());
        }
        done = begin + index.size();
    });
    return closed.append(name.substr(done));
}

bool mentions_index(const Expression& e) {
    if (e.kind != Expression::Kind::name)
        return std::any_of(e.arguments.begin(), e.arguments.end(), mentions_index);
    if (e.text == index_name) return true;
    bool found = false;
    for_each_index(e.text, [&](std::string_view index) {
        try {
            found = found || (!is_number(index) && mentions_index(parse_expression(index)));
        } catch (const ExpressionError&) {  // told where the name is looked up
        }
    });
    return found;
}

}  // namespace deltaflow::front
