// Causality gives each effort and flow one definition (lower.cpp); they are substituted into each other.
#include "report/hypa/states.hpp"

#include <algorithm>

namespace deltaflow::report::hypa {

namespace {

using Index = std::uint32_t;

class StateEquations {
public:
    StateEquations(const Laws& laws, const Mode& mode)
        : laws_(laws), g_(laws.graph()), mode_(mode), c_(assign_causality(g_, laws.ports(), mode, false)) {}

    std::vector<std::string> run() {
        for (Index x = 0; x < g_.elements.size(); ++x) define(x);
        for (Index x = 0; x < g_.elements.size(); ++x)
            if (g_.elements[x].is_storage() && !c_.dependent[x]) write_rate(x);
        for (Index x = 0; x < g_.elements.size(); ++x)
            if (g_.elements[x].is_storage() && c_.dependent[x]) write_dependent(x);
        write_kept();
        return std::move(lines_);
    }

private:
    bool sets_effort(Index x, Index b) const { return c_.sets_effort(g_, x, b); }
    void scaled(Variable v, const Coefficient& factor, Variable of, double sign = 1) {
        Form form;
        add(form, one_of(of, sign), factor);
        definitions_[v] = std::move(form);
    }

    void define(Index x) {
        const Element& e = g_.elements[x];
        if (e.is_junction()) return define_junction(x, e);
        if (laws_.is_two_port(x)) return define_two_port(x, e);
        const Index b = laws_.ports().of(x)[0];
        const bool on = is_on(g_, e, mode_);
        if (e.type == Type::Sw)
            definitions_[on ? effort(b) : flow(b)] = {};
        else if (e.is_source())
            definitions_[laws_.given(x)] = laws_.linear_law(x, Reading::flow);
        else if (e.type == Type::R)
            define_resistance(x, b);
        else
            define_storage(x, b);
    }

    void define_resistance(Index x, Index b) {
        const Coefficient r = laws_.factor(x, Reading::flow);
        if (!laws_.is_linear(x))
            by_law_[sets_effort(x, b) ? effort(b) : flow(b)] = x;
        else if (sets_effort(x, b))
            definitions_[effort(b)] = laws_.linear_law(x, Reading::flow);
        else if (const auto inverse = laws_.symbols().inverse(r))
            scaled(flow(b), *inverse, effort(b), sign_at(g_, x, b));
        else  // a resistance of 0 that computes a flow: left as it is
            by_law_[flow(b)] = x;
    }

    static Variable state(const Element& e, Index b, Mark mark = Mark::none) {
        return {e.type == Type::I ? Quantity::momentum : Quantity::displacement, mark, b};
    }

    // Independent: output by the law, input is the rate. Dependent: the other way round. The bond counts q
    // and p as it counts f and e, so the rate has no sign.
    void define_storage(Index x, Index b) {
        const Element& e = g_.elements[x];
        const Variable input = e.type == Type::I ? effort(b) : flow(b);
        if (c_.dependent[x]) definitions_[input] = one_of(state(e, b, Mark::rate));
        if (!laws_.is_linear(x))
            by_law_[c_.dependent[x] ? state(e, b) : laws_.given(x)] = x;
        else if (!c_.dependent[x])
            definitions_[laws_.given(x)] = laws_.linear_law(x, Reading::flow);
        else
            scaled(state(e, b), laws_.factor(x, Reading::flow), laws_.given(x), sign_at(g_, x, b));
    }

    void define_two_port(Index x, const Element& e) {
        const auto [in, out] = laws_.in_and_out(x);
        const Coefficient ratio = laws_.factor(x, Reading::flow);
        const Coefficient inverse = *laws_.symbols().inverse(ratio);
        const bool transformer = e.type == Type::TF, forwards = sets_effort(x, in);
        const Variable a = transformer ? effort(out) : flow(out), b = transformer ? flow(out) : effort(out);
        if (forwards)
            scaled(effort(in), ratio, a), scaled(b, ratio, flow(in));
        else
            scaled(a, inverse, effort(in)), scaled(flow(in), inverse, b);
    }

    void define_junction(Index x, const Element& e) {
        const bool zero = e.type == Type::zero;
        const auto bonds = laws_.ports().of(x);
        if (!is_on(g_, e, mode_)) {
            for (const Index b : bonds) definitions_[e.off == Off::effort ? effort(b) : flow(b)] = {};
            return;
        }
        const auto common = [&](Index b) { return zero ? effort(b) : flow(b); };
        const auto summed = [&](Index b) { return zero ? flow(b) : effort(b); };
        const auto inwards = [&](Index b) { return g_.bonds[b].to == x ? 1.0 : -1.0; };
        const Index strong =
            *std::find_if(bonds.begin(), bonds.end(), [&](Index b) { return sets_effort(x, b) != zero; });
        Form total;
        for (const Index b : bonds) {
            if (b == strong) continue;
            definitions_[common(b)] = one_of(common(strong));
            add(total, one_of(summed(b)), Coefficient::number(-inwards(b) / inwards(strong)));
        }
        definitions_[summed(strong)] = std::move(total);
    }

    // In terms of states, sources and what is kept. A variable that meets itself closes a loop and is kept.
    const Form& expanded(Variable v) {
        if (const auto done = expanded_.find(v); done != expanded_.end()) return done->second;
        const auto definition = definitions_.find(v);
        const bool loop = definition != definitions_.end() && !open_.insert(v).second;
        if (definition == definitions_.end() || loop) {
            if (loop || by_law_.count(v)) keep(v);
            return terminal_[v] = one_of(v);
        }
        Form form;
        for (const auto& [w, c] : definition->second) add(form, Form(expanded(w)), c);
        open_.erase(v);
        return expanded_[v] = std::move(form);
    }

    void keep(Variable v) {
        if (std::find(kept_.begin(), kept_.end(), v) == kept_.end()) kept_.push_back(v);
    }

    void write(Variable v, const Form& value) {
        lines_.push_back(laws_.notation().variable(v) + " = " +
                         written(value, laws_.notation(), laws_.symbols()).text);
    }
    void write_rate(Index x) {
        const Element& e = g_.elements[x];
        const Index b = laws_.ports().of(x)[0];
        write(state(e, b, Mark::rate), expanded(e.type == Type::I ? effort(b) : flow(b)));
    }
    void write_dependent(Index x) {
        const Variable v = state(g_.elements[x], laws_.ports().of(x)[0]);
        if (by_law_.count(v))
            keep(v);
        else
            write(v, expanded(v));
    }
    // The list grows while it is written.
    void write_kept() {
        for (std::size_t i = 0; i < kept_.size(); ++i) {
            const auto law = by_law_.find(kept_[i]);
            if (law == by_law_.end()) {
                write(kept_[i], expanded(kept_[i]));
                continue;
            }
            lines_.push_back(laws_.law(law->second, Reading::flow));
            const Index b = kept_[i].bond;
            for (const Variable v : {effort(b), flow(b)})
                if (v != kept_[i] && definitions_.count(v) && reads(law->second, kept_[i], v))
                    write(v, expanded(v));
        }
    }
    // Does the law tell the kept variable from this one?
    bool reads(Index x, Variable kept, Variable v) const {
        const Type type = g_.elements[x].type;
        if (type == Type::R) return true;
        return c_.dependent[x] && v == laws_.given(x) && kept != v;
    }

    const Laws& laws_;
    const Graph& g_;
    const Mode& mode_;
    const Causality c_;
    std::map<Variable, Form> definitions_, expanded_, terminal_;
    std::map<Variable, Index> by_law_;  // kept variables that an element's law gives
    std::set<Variable> open_;
    std::vector<Variable> kept_;
    std::vector<std::string> lines_;
};

}  // namespace

std::vector<std::string> state_equations(const Laws& laws, const Mode& mode) {
    return StateEquations(laws, mode).run();
}

}  // namespace deltaflow::report::hypa
