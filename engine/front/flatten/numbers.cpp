// Numbers of a model: parameters and the expressions of them.
#include "engine/front/flatten/numbers.hpp"

#include "engine/front/flatten/indices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace deltaflow::front {
namespace {

Number number_of(const Value& value) {
    if (value.kind == Value::Kind::integer) return {value.real, Rational(Integer(value.integer))};
    return number_from_double(value.real);
}

bool is_signal(const DiagramDeclaration& diagram, std::string_view name) {
    const auto found = diagram.names.find(name.substr(0, name.find_first_of(".[")));
    return found != diagram.names.end() && found->second.kind != Symbol::Kind::parameter;
}

Meaning look_up(const Environment& environment, const Expression& name, std::optional<std::uint64_t> i,
                Report& report) {
    if (is_signal(*environment.diagram, name.text))
        throw ExpressionError(
            name.offset, name.length,
            fmt::format("\"{}\" is a signal; only parameters and numbers may stand here", name.text));
    if (const auto number = find_parameter(environment, name.text)) return *number;
    if (i && name.text == index_name) return number_of_index(*i);
    std::vector<std::string_view> known;
    append_parameter_names(environment, known);
    throw ExpressionError(
        name.offset, name.length,
        fmt::format("there is no parameter \"{}\"{}", name.text, report.hint(name.text, known)));
}

void collect_names(const Expression& e, std::vector<std::string_view>& names) {
    if (e.kind == Expression::Kind::name) names.push_back(e.text);
    for (const auto& argument : e.arguments) collect_names(argument, names);
}

// Evaluates parameters each after those that it uses. No recursion: a chain of them may be long.
class ParameterOrder {
public:
    ParameterOrder(Environment& environment, std::vector<bool> given, const Replacements& replaced,
                   Report& report)
        : environment_(environment), replaced_(replaced), report_(report), state_(given.size(), fresh) {
        for (std::size_t i = 0; i < given.size(); ++i)
            if (given[i]) state_[i] = done;
    }

    void evaluate_all() {
        for (std::uint32_t i = 0; i < state_.size(); ++i) {
            if (state_[i] == fresh) open(i);
            while (!path_.empty()) step();
        }
    }

private:
    enum State : std::uint8_t { fresh, under_way, done };
    struct Stop {
        std::uint32_t parameter;
        std::vector<std::uint32_t> needs;
    };

    const DiagramDeclaration& diagram() const { return *environment_.diagram; }
    const Formula& formula(std::uint32_t parameter) const {
        const auto other = replaced_.find(parameter);
        return other == replaced_.end() ? diagram().parameters[parameter].formula : other->second;
    }

    void open(std::uint32_t parameter) {
        state_[parameter] = under_way;
        path_.push_back({parameter, {}});
        std::vector<std::string_view> names;
        collect_names(formula(parameter).tree, names);
        for (const auto name : names) {
            const auto found = diagram().names.find(name);
            if (found != diagram().names.end() && found->second.kind == Symbol::Kind::parameter)
                path_.back().needs.push_back(found->second.index);
        }
        std::reverse(path_.back().needs.begin(), path_.back().needs.end());
    }

    void step() {
        auto& [parameter, needs] = path_.back();
        if (needs.empty()) return close(parameter);
        const std::uint32_t next = needs.back();
        needs.pop_back();
        if (state_[next] == under_way) report_cycle(next);
        if (state_[next] == fresh) open(next);
    }

    void close(std::uint32_t parameter) {
        if (state_[parameter] == under_way) {
            state_[parameter] = done;
            try {
                environment_.values[parameter] = evaluate(formula(parameter), environment_, report_);
            } catch (const Reported&) {
            }
        }
        path_.pop_back();
    }

    // The parameters of the cycle get no value, so nothing else is said of them.
    void report_cycle(std::uint32_t first) {
        const auto start =
            std::find_if(path_.begin(), path_.end(), [&](const Stop& s) { return s.parameter == first; });
        std::string cycle;
        for (auto at = start; at != path_.end(); ++at) {
            cycle += std::string(diagram().parameters[at->parameter].name) + " -> ";
            state_[at->parameter] = done;
        }
        const auto& parameter = diagram().parameters[first];
        report_.add(parameter.place,
                    fmt::format("parameters depend on each other: {}{}", cycle, parameter.name));
    }

    Environment& environment_;
    const Replacements& replaced_;
    Report& report_;
    std::vector<State> state_;
    std::vector<Stop> path_;
};

}  // namespace

std::optional<Number> find_parameter(const Environment& environment, std::string_view name) {
    for (const Environment* level = &environment; level; level = level->outer) {
        const auto found = level->diagram->names.find(name);
        if (found == level->diagram->names.end() || found->second.kind != Symbol::Kind::parameter) continue;
        const auto& value = level->values[found->second.index];
        if (!value) throw Reported{};
        return value;
    }
    return {};
}

void append_parameter_names(const Environment& environment, std::vector<std::string_view>& names) {
    for (const Environment* level = &environment; level; level = level->outer)
        for (const auto& parameter : level->diagram->parameters) names.push_back(parameter.name);
}

Number evaluate(const Formula& formula, const Environment& environment, Report& report,
                std::optional<std::uint64_t> i) {
    if (!formula.source) throw Reported{};
    if (formula.source->is_number()) return number_of(*formula.source);
    try {
        const auto scope = [&](const Expression& name) { return look_up(environment, name, i, report); };
        const Number number = evaluate_expression(formula.tree, scope);
        if (std::isfinite(number.value)) return number;
        throw ExpressionError(0, static_cast<std::uint32_t>(formula.source->text.size()),
                              "this is no finite number");
    } catch (const ExpressionError& e) {
        report.add(*formula.source, e);
        throw Reported{};
    }
}

Number evaluate(const Value& value, std::string_view wanted, const Environment& environment, Report& report) {
    return evaluate(read_formula(value, wanted, report), environment, report);
}

std::uint64_t read_count(const Value& count, const Environment& environment, Report& report) {
    const Number number = evaluate(count, "a whole number", environment, report);
    const Rational value = number.rational();
    if (value.denominator() == 1 && value.numerator() >= 1 && number.value < 1e18)
        return static_cast<std::uint64_t>(value.numerator());
    report.add(count.place, "\"count\" must be a whole number, 1 or more");
    throw Reported{};
}

Environment evaluate_parameters(const DiagramDeclaration& diagram, const Environment* outer,
                                const std::vector<Override>& overrides, Report& report,
                                const Replacements& replaced) {
    Environment environment{&diagram, outer, std::vector<std::optional<Number>>(diagram.parameters.size())};
    std::vector<bool> given(diagram.parameters.size(), false);
    for (const auto& o : overrides) {
        environment.values[o.parameter] = o.value;
        given[o.parameter] = true;
    }
    ParameterOrder(environment, std::move(given), replaced, report).evaluate_all();
    return environment;
}

}  // namespace deltaflow::front
