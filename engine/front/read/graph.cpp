// Elements: what is written to them, before any name is looked up.
#include "engine/front/read/declarations.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace deltaflow::front {
namespace {

using Kind = BlockDeclaration::Kind;
using bonds::ElementParameter;
using bonds::ElementType;
using bonds::Takes;

bool is_formula(Takes takes) {
    return takes == Takes::number || takes == Takes::signal || takes == Takes::law;
}

std::string_view wanted(Takes takes) {
    if (takes == Takes::number) return "a number or an expression of parameters";
    return takes == Takes::signal ? "an expression of signals or a number" : "an expression";
}

class ElementReader {
public:
    ElementReader(BlockDeclaration& element, const ElementType& type, Report& report)
        : element_(element), type_(type), report_(report) {}

    bool read() {
        bool good = true;
        if (const Entry* value = first_parameter();
            value && type_.parameters[0].dimensions == 2 && value->value.kind == Value::Kind::array)
            return read_field(value->value);
        element_.arguments.reserve(element_.value->entries.size() - 1);
        for (const auto& entry : element_.value->entries)
            if (entry.key != "type") good = read_key(entry) && good;
        return check_given() && good;
    }

private:
    // Its number, matrix or signal, where it has one.
    const Entry* first_parameter() const {
        return type_.parameters.empty() ? nullptr : find(*element_.value, type_.parameters[0].name);
    }

    // { type = "I", value = [[2, 1], [1, 2]], momentum = [1, 0] }
    bool read_field(const Value& matrix) {
        auto field = std::make_unique<FieldDeclaration>();
        field->place = matrix.place;
        const std::size_t ports = matrix.items.size();
        field->value.resize(ports);
        bool good = ports > 0;
        if (!good) report_.add(matrix.place, fmt::format("\"{}\" has no ports", element_.name));
        for (std::size_t k = 0; k < ports; ++k)
            good = read_row("value", matrix.items[k], ports, field->value[k]) && good;
        for (const auto& entry : element_.value->entries) {
            if (entry.key == "type" || entry.key == type_.parameters[0].name) continue;
            if (entry.key == "momentum")
                good = read_row(entry.key, entry.value, ports, field->momentum) && good;
            else if (entry.key == "displacement")
                good = read_row(entry.key, entry.value, ports, field->displacement) && good;
            else
                good = unknown_key(entry) && good;
        }
        element_.field = std::move(field);
        return good;
    }

    bool read_row(std::string_view key, const Value& row, std::size_t ports, std::vector<Formula>& formulas) {
        if (row.kind != Value::Kind::array || row.items.size() != ports) {
            report_.add(row.place, key == "value"
                                       ? fmt::format("a matrix of {0} rows has rows of {0} numbers", ports)
                                       : fmt::format("\"{}\" of a field with {} ports is an array of {} "
                                                     "numbers",
                                                     key, ports, ports));
            return false;
        }
        for (const Value& item : row.items)
            formulas.push_back(read_formula(item, wanted(Takes::number), report_));
        return std::all_of(formulas.begin(), formulas.end(), [](const Formula& f) { return f.source; });
    }

    bool read_key(const Entry& entry) {
        const auto& known = type_.parameters;
        const auto found = std::find_if(known.begin(), known.end(),
                                        [&](const ElementParameter& p) { return p.name == entry.key; });
        if (found == known.end()) return unknown_key(entry);
        if (is_formula(found->takes)) return read_formula_of(*found, entry);
        return read_word(*found, entry);
    }

    bool unknown_key(const Entry& entry) {
        std::vector<std::string_view> keys{"type"};
        for (const auto& parameter : type_.parameters) keys.push_back(parameter.name);
        report_.add(entry.place, fmt::format("an element of type \"{}\" has no key \"{}\"{}", type_.type,
                                             entry.key, report_.key_hint(entry.key, keys)));
        return false;
    }

    std::uint32_t index_of(const ElementParameter& parameter) const {
        return static_cast<std::uint32_t>(&parameter - type_.parameters.data());
    }

    bool read_formula_of(const ElementParameter& parameter, const Entry& entry) {
        Formula formula = read_formula(entry.value, wanted(parameter.takes), report_);
        element_.arguments.push_back({index_of(parameter), &entry, std::move(formula)});
        return element_.arguments.back().formula.source != nullptr;
    }

    bool read_word(const ElementParameter& parameter, const Entry& entry) {
        element_.arguments.push_back({index_of(parameter), &entry, {}});
        const Value& value = entry.value;
        if (value.kind != Value::Kind::string) {
            report_.add(value.place,
                        fmt::format("\"{}\" must be a string, not {}", entry.key, kind_name(value)));
            return false;
        }
        if (parameter.takes != Takes::off || value.text == "effort" || value.text == "flow") return true;
        report_.add(value.place, fmt::format("\"off\" must be one of \"effort\", \"flow\"{}",
                                             report_.hint(value.text, {"effort", "flow"})));
        return false;
    }

    // A law may stand instead of the number, not beside it.
    bool check_given() {
        const Entry* law = type_.variable.empty() ? nullptr : find(*element_.value, "law");
        const Entry* value = first_parameter();
        if (law && value) {
            report_.add(law->place, "an element has a \"value\" or a \"law\", not both");
            return false;
        }
        bool good = true;
        for (const auto& parameter : type_.parameters) good = check_given(parameter, law) && good;
        return good;
    }

    bool check_given(const ElementParameter& parameter, const Entry* law) {
        if (!parameter.required || !parameter.fallback.empty() || find(*element_.value, parameter.name))
            return true;
        if (law && index_of(parameter) == 0) return true;
        report_.add(element_.place, fmt::format("element \"{}\" lacks its \"{}\"{}", element_.name,
                                                parameter.name, type_.variable.empty() ? "" : " or \"law\""));
        return false;
    }

    BlockDeclaration& element_;
    const ElementType& type_;
    Report& report_;
};

void unknown_type(const Value& type, Report& report) {
    std::vector<std::string_view> known;
    for (const auto& element : bonds::elements()) known.push_back(element.type);
    const std::string way_out =
        find_block_type(type.text) ? "; blocks stand under [blocks]" : report.hint(type.text, known);
    report.add(type.place, fmt::format("there is no element type \"{}\"{}", type.text, way_out));
}

}  // namespace

void link_element(BlockDeclaration& element, Report& report) {
    const Value& value = *element.value;
    if (value.kind != Value::Kind::table)
        return report.add(value.place,
                          fmt::format("an element is a table with a type, such as {{ type = \"R\", value = 1 "
                                      "}}, not {}",
                                      kind_name(value)));
    const Entry* type = find(value, "type");
    if (!type) return report.add(element.place, fmt::format("element \"{}\" has no type", element.name));
    if (type->value.kind != Value::Kind::string)
        return report.add(type->value.place,
                          fmt::format("\"type\" must be a string, not {}", kind_name(type->value)));
    const ElementType* known = bonds::find_element_type(type->value.text);
    if (!known) return unknown_type(type->value, report);
    element.element = known;
    if (ElementReader(element, *known, report).read()) element.kind = Kind::element;
}

}  // namespace deltaflow::front
