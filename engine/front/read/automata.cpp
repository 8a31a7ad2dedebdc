// Automata: what is written to them, before any name is looked up.
#include "engine/front/read/declarations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace deltaflow::front {
namespace {

using Kind = BlockDeclaration::Kind;

class AutomatonReader {
public:
    AutomatonReader(const BlockDeclaration& block, Report& report) : block_(block), report_(report) {}

    std::unique_ptr<AutomatonDeclaration> read() {
        if (block_.value->kind != Value::Kind::table) {
            report_.add(block_.value->place,
                        fmt::format("an automaton is a table, not {}", kind_name(*block_.value)));
            return nullptr;
        }
        good_ = check_keys(*block_.value, {"initial", "states", "transitions", "values"}, "of an automaton",
                           report_);
        if (const Entry* states = required("states")) read_states(states->value);
        if (const Entry* values = find(*block_.value, "values")) read_values(values->value);
        if (const Entry* initial = required("initial")) read_initial(initial->value);
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

    void check_state_name(const Entry& entry) { check_name(entry, "a state"); }

    void check_name(const Entry& entry, std::string_view what) {
        good_ = check_identifier(entry.key, entry.place, what, report_) && good_;
        const auto taken = bonds::signal_names();
        if (std::find(taken.begin(), taken.end(), entry.key) != taken.end())
            fail(entry.place, fmt::format("{} cannot be called \"{}\": this is a signal of elements and "
                                          "bonds",
                                          what, entry.key));
    }

    void read_values(const Value& values) {
        if (values.kind != Value::Kind::table)
            return fail(values.place, fmt::format("\"values\" must be a table such as {{ n = 0 }}, not {}",
                                                  kind_name(values)));
        for (const auto& entry : values.entries) {
            check_name(entry, "a value");
            if (find_state(entry.key))
                fail(entry.place, fmt::format("\"{}\" is a state of this automaton already", entry.key));
            result_->values.push_back(
                {entry.key, entry.place, formula(entry.value, "a number or an expression of parameters")});
        }
    }

    // A state's name, or an expression of parameters that chooses one: if(x0 > 0, up, down).
    void read_initial(const Value& value) {
        const bool name = value.kind != Value::Kind::string || find_state(value.text) ||
                          value.text.find('(') == std::string::npos;
        if (name)
            result_->initial = state(value);
        else
            result_->choice = formula(value, "a state, or an expression that chooses one");
    }

    Formula formula(const Value& value, std::string_view wanted) {
        Formula result = read_formula(value, wanted, report_);
        good_ = good_ && result.source;
        return result;
    }

    std::optional<std::uint32_t> find_state(std::string_view name) const {
        for (std::uint32_t i = 0; i < result_->states.size(); ++i)
            if (result_->states[i].name == name) return i;
        return std::nullopt;
    }

    // The state of that name, or the first one where there is none.
    std::uint32_t state(const Value& name) {
        const auto& states = result_->states;
        if (name.kind != Value::Kind::string) {
            fail(name.place, fmt::format("the name of a state is wanted here, not {}", kind_name(name)));
            return 0;
        }
        if (const auto found = find_state(name.text)) return *found;
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
        good_ =
            check_keys(item, {"from", "to", "when", "after", "once", "set"}, "of a transition", report_) &&
            good_;
        const Entry *from = needed(item, "from"), *to = needed(item, "to");
        const Entry *when = find(item, "when"), *after = find(item, "after");
        if (!when && !after) fail(item.place, "this transition lacks \"when\" or \"after\"");
        if (!from || !to || (!when && !after)) return;
        TransitionDeclaration transition{state(from->value), state(to->value), {}, item.place};
        if (when) transition.when = read_guard(when->value);
        if (after) transition.after = formula(after->value, "a time in seconds");
        if (const Entry* once = find(item, "once")) transition.once = read_flag(once->value);
        if (const Entry* set = find(item, "set")) read_settings(set->value, transition);
        if (good_ && transition.from == transition.to && !after)
            fail(item.place,
                 "this transition ends in the state that it begins in; only with \"after\" it may");
        result_->transitions.push_back(std::move(transition));
    }

    const Entry* needed(const Value& item, std::string_view key) {
        const Entry* entry = find(item, key);
        if (!entry) fail(item.place, fmt::format("this transition lacks \"{}\"", key));
        return entry;
    }

    bool read_flag(const Value& value) {
        if (value.kind != Value::Kind::boolean)
            fail(value.place, fmt::format("\"once\" is true or false, not {}", kind_name(value)));
        return value.kind == Value::Kind::boolean && value.integer != 0;
    }

    void read_settings(const Value& set, TransitionDeclaration& transition) {
        if (set.kind != Value::Kind::table)
            return fail(set.place, fmt::format("\"set\" must be a table such as {{ n = \"n + 1\" }}, not {}",
                                               kind_name(set)));
        for (const auto& entry : set.entries) {
            const auto& values = result_->values;
            const auto found = std::find_if(values.begin(), values.end(),
                                            [&](const auto& v) { return v.name == entry.key; });
            if (found == values.end()) {
                std::vector<std::string_view> known;
                for (const auto& v : values) known.push_back(v.name);
                fail(entry.place, fmt::format("automaton \"{}\" has no value \"{}\"{}", block_.name,
                                              entry.key, report_.hint(entry.key, known)));
                continue;
            }
            transition.set.emplace_back(static_cast<std::uint32_t>(found - values.begin()),
                                        formula(entry.value, "a number or an expression of signals"));
        }
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

void link_automaton(BlockDeclaration& automaton, Report& report) {
    automaton.automaton = AutomatonReader(automaton, report).read();
    if (automaton.automaton) automaton.kind = Kind::automaton;
}

}  // namespace deltaflow::front
