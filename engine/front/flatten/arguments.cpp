// Arguments of blocks of the catalogue, as their entries want them.
#include "engine/front/flatten/arguments.hpp"

#include "blocks/limits.hpp"
#include "engine/front/flatten/numbers.hpp"
#include "engine/front/read/reach.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace deltaflow::front {
namespace {

constexpr std::string_view a_number = "a number or an expression of parameters";

// Reads values in an environment. Every method reports what is wrong and throws Reported.
class Reader {
public:
    Reader(const Sources& sources, const Environment& environment, Report& report)
        : sources_(sources), environment_(environment), report_(report) {}

    void read(const Parameter& parameter, const ArgumentDeclaration& given, Argument& argument) {
        const Value& value = given.entry->value;
        switch (parameter.kind) {
            case ParameterKind::number:
                argument.numbers = {{evaluate(given.formula, environment_, report_)}};
                break;
            case ParameterKind::numbers:
                argument.numbers = {numbers(value)};
                break;
            case ParameterKind::matrix:
                argument.numbers = matrix(value);
                break;
            case ParameterKind::choice:
                argument.text = choice(parameter, value);
                break;
            case ParameterKind::text:
                argument.text = text(parameter, value);
                break;
            case ParameterKind::label:
                argument.text = value.kind == Value::Kind::integer ? std::to_string(value.integer)
                                                                   : text(parameter, value);
                break;
            case ParameterKind::file:
                argument.text = file(parameter, value);
                break;
            case ParameterKind::train:
                argument.train = train(value);
                break;
        }
    }

private:
    Number number(const Value& value) { return evaluate(value, a_number, environment_, report_); }

    std::vector<Number> numbers(const Value& value) {
        if (value.kind != Value::Kind::array) return {number(value)};
        std::vector<Number> list;
        for (const auto& item : value.items) list.push_back(number(item));
        return list;
    }

    std::vector<std::vector<Number>> matrix(const Value& value) {
        const auto is_row = [](const Value& item) { return item.kind == Value::Kind::array; };
        if (value.kind != Value::Kind::array || std::none_of(value.items.begin(), value.items.end(), is_row))
            return {numbers(value)};
        std::vector<std::vector<Number>> rows;
        for (const auto& item : value.items) {
            rows.push_back(numbers(item));
            if (rows.back().size() != rows.front().size())
                fail(item, fmt::format("this row has the length {}, the first one {}", rows.back().size(),
                                       rows.front().size()));
        }
        return rows;
    }

    std::string text(const Parameter& parameter, const Value& value) {
        if (value.kind != Value::Kind::string)
            fail(value, fmt::format("\"{}\" must be a string, not {}", parameter.name, kind_name(value)));
        return value.text;
    }

    std::string choice(const Parameter& parameter, const Value& value) {
        const std::string word = text(parameter, value);
        const auto& known = parameter.choices;
        if (std::find(known.begin(), known.end(), word) != known.end()) return word;
        std::string list;
        for (const auto& name : known) list += fmt::format("{}\"{}\"", list.empty() ? "" : ", ", name);
        fail(value,
             fmt::format("\"{}\" must be one of {}{}", parameter.name, list, report_.hint(word, known)));
    }

    // Relative to the file in which the block stands.
    std::string file(const Parameter& parameter, const Value& value) {
        const std::filesystem::path model = sources_.files[value.place.file].path;
        const auto path = (model.parent_path() / text(parameter, value)).lexically_normal();
        if (auto refused = refusal(sources_, path, limits::largest_data)) {
            report_.add_unreadable(value.place, std::move(refused->message), std::move(refused->notes));
            throw Reported{};
        }
        report_.note_file(path.string());
        return path.string();
    }

    std::vector<TrainEntry> train(const Value& value) {
        if (value.kind != Value::Kind::array)
            fail(value, "a list of tables { at, size, order } is wanted here");
        std::vector<TrainEntry> list;
        for (const auto& item : value.items) list.push_back(train_entry(item));
        return list;
    }

    TrainEntry train_entry(const Value& item) {
        if (item.kind != Value::Kind::table) fail(item, "a table { at, size, order } is wanted here");
        TrainEntry entry{{}, number_from_double(1), 0};
        for (const auto& [key, place, value] : item.entries) {
            if (key == "at")
                entry.at = number(value);
            else if (key == "size")
                entry.size = number(value);
            else if (key == "order")
                entry.order = order(value);
            else {
                report_.add(place, fmt::format("an impulse has no key \"{}\"{}", key,
                                               report_.hint(key, {"at", "size", "order"})));
                throw Reported{};
            }
        }
        if (!find(item, "at")) fail(item, "this impulse lacks \"at\", its time");
        return entry;
    }

    int order(const Value& value) {
        const auto whole_number = whole(number(value));
        if (!whole_number || *whole_number < 0 || *whole_number > limits::impulse_order)
            fail(value, fmt::format("\"order\" must be a whole number from 0 to {}", limits::impulse_order));
        return *whole_number;
    }

    [[noreturn]] void fail(const Value& value, std::string message) {
        report_.add(value.place, std::move(message));
        throw Reported{};
    }

    const Sources& sources_;
    const Environment& environment_;
    Report& report_;
};

bool is_text(ParameterKind kind) {
    return kind == ParameterKind::choice || kind == ParameterKind::text || kind == ParameterKind::file;
}

}  // namespace

Arguments ArgumentReader::read(const BlockDeclaration& block, const Environment& environment) {
    Arguments arguments;
    const auto& parameters = block.type->parameters;
    std::vector<const ArgumentDeclaration*> given(parameters.size(), nullptr);
    for (const auto& argument : block.arguments) given[argument.parameter] = &argument;
    bool good = true;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        try {
            if (given[i])
                arguments.parameters.push_back(read_argument(parameters[i], *given[i], environment));
            else if (!parameters[i].fallback.empty())
                arguments.parameters.push_back(fallback(parameters[i]));
        } catch (const Reported&) {
            good = false;
        }
    }
    if (!good) throw Reported{};
    return arguments;
}

Argument ArgumentReader::read_argument(const Parameter& parameter, const ArgumentDeclaration& given,
                                       const Environment& environment) {
    Argument argument;
    argument.name = parameter.name;
    Reader(sources_, environment, report_).read(parameter, given, argument);
    return argument;
}

const Argument& ArgumentReader::fallback(const Parameter& parameter) {
    const auto [found, fresh] = fallbacks_.try_emplace(&parameter);
    if (!fresh) return found->second;
    Argument& argument = found->second;
    argument.name = parameter.name;
    if (is_text(parameter.kind))
        argument.text = parameter.fallback;
    else
        argument.numbers = {{number_from_text(parameter.fallback)}};
    return argument;
}

}  // namespace deltaflow::front
