// Elements and automata: what is written to them, before any name is looked up.
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
        element_.arguments.reserve(element_.value->entries.size() - 1);
        for (const auto& entry : element_.value->entries)
            if (entry.key != "type") good = read_key(entry) && good;
        return check_given() && good;
    }

private:
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
        const Entry* value = find(*element_.value, type_.parameters[0].name);
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

class AutomatonReader {
public:
    AutomatonReader(const BlockDeclaration& block, Report& report) : block_(block), report_(report) {}

    std::unique_ptr<AutomatonDeclaration> read() {
        if (block_.value->kind != Value::Kind::table) {
            report_.add(block_.value->place,
                        fmt::format("an automaton is a table, not {}", kind_name(*block_.value)));
            return nullptr;
        }
        good_ = check_keys(*block_.value, {"initial", "states", "transitions"}, "of an automaton", report_);
        if (const Entry* states = required("states")) read_states(states->value);
        if (const Entry* initial = required("initial")) result_->initial = state(initial->value);
        if (const Entry* transitions = find(*block_.value, "transitions"))
            read_transitions(transitions->value);
        return good_ ? std::move(result_) : nullptr;
    }

private:
    void fail(const Place& place, std::string message) {
        report_.add(place, std::move(message));
        good_ = false;
    }

    const Entry* required(std::string_view key) {
        const Entry* entry = find(*block_.value, key);
        if (!entry) fail(block_.place, fmt::format("automaton \"{}\" lacks \"{}\"", block_.name, key));
        return entry;
    }

    void read_states(const Value& states) {
        if (states.kind != Value::Kind::table)
            return fail(states.place, fmt::format("\"states\" must be a table such as {{ apart = \"off\", "
                                                  "together = \"on\" }}, not {}",
                                                  kind_name(states)));
        if (states.entries.empty()) fail(states.place, "an automaton needs a state");
        for (const auto& entry : states.entries) read_state(entry);
    }

    void read_state(const Entry& entry) {
        check_state_name(entry);
        const Value& value = entry.value;
        const bool word = value.kind == Value::Kind::string && (value.text == "on" || value.text == "off");
        if (!word)
            fail(value.place,
                 fmt::format("a state is \"on\" or \"off\": are the junctions active in \"{}\"?", entry.key));
        result_->states.push_back({entry.key, entry.place});
        result_->on.push_back(value.text == "on");
    }

    void check_state_name(const Entry& entry) {
        good_ = check_identifier(entry.key, entry.place, "a state", report_) && good_;
        const auto taken = bonds::signal_names();
        if (std::find(taken.begin(), taken.end(), entry.key) != taken.end())
            fail(entry.place, fmt::format("a state cannot be called \"{}\": this is a signal of elements and "
                                          "bonds",
                                          entry.key));
    }

    // The state of that name, or the first one where there is none.
    std::uint32_t state(const Value& name) {
        const auto& states = result_->states;
        if (name.kind != Value::Kind::string) {
            fail(name.place, fmt::format("the name of a state is wanted here, not {}", kind_name(name)));
            return 0;
        }
        for (std::uint32_t i = 0; i < states.size(); ++i)
            if (states[i].name == name.text) return i;
        if (states.empty()) return 0;  // reported already
        std::vector<std::string_view> known;
        for (const auto& s : states) known.push_back(s.name);
        fail(name.place, fmt::format("automaton \"{}\" has no state \"{}\"{}", block_.name, name.text,
                                     report_.hint(name.text, known)));
        return 0;
    }

    void read_transitions(const Value& list) {
        if (list.kind != Value::Kind::array)
            return fail(list.place,
                        fmt::format("\"transitions\" must be a list of tables {{ from, to, when }}, "
                                    "not {}",
                                    kind_name(list)));
        for (const auto& item : list.items) read_transition(item);
    }

    void read_transition(const Value& item) {
        if (item.kind != Value::Kind::table)
            return fail(item.place,
                        fmt::format("a table {{ from, to, when }} is wanted here, not {}", kind_name(item)));
        good_ = check_keys(item, {"from", "to", "when"}, "of a transition", report_) && good_;
        const Entry* keys[] = {find(item, "from"), find(item, "to"), find(item, "when")};
        constexpr std::string_view names[] = {"from", "to", "when"};
        for (int i = 0; i < 3; ++i)
            if (!keys[i]) fail(item.place, fmt::format("this transition lacks \"{}\"", names[i]));
        if (!keys[0] || !keys[1] || !keys[2]) return;
        TransitionDeclaration transition{state(keys[0]->value), state(keys[1]->value),
                                         read_guard(keys[2]->value), item.place};
        if (good_ && transition.from == transition.to)
            fail(item.place, "this transition ends in the state that it begins in");
        result_->transitions.push_back(std::move(transition));
    }

    Formula read_guard(const Value& when) {
        if (when.kind != Value::Kind::string) {
            fail(when.place,
                 fmt::format("a guard such as \"x > 0\" is wanted here, not {}", kind_name(when)));
            return {};
        }
        Formula guard = read_formula(when, "a guard", report_);
        good_ = good_ && guard.source;
        return guard;
    }

    const BlockDeclaration& block_;
    Report& report_;
    std::unique_ptr<AutomatonDeclaration> result_ = std::make_unique<AutomatonDeclaration>();
    bool good_ = true;
};

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

void link_automaton(BlockDeclaration& automaton, Report& report) {
    automaton.automaton = AutomatonReader(automaton, report).read();
    if (automaton.automaton) automaton.kind = Kind::automaton;
}

}  // namespace deltaflow::front
