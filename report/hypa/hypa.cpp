// The page: bonds, elements, automata, their composition.
#include "report/hypa/hypa.hpp"

#include "report/hypa/compose.hpp"
#include "report/hypa/words.hpp"
#include "report/text/notation.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace deltaflow::report {

namespace {

using namespace hypa;
using Index = std::uint32_t;

class Page {
public:
    Page(const Graph& g, const std::string& title, const HypaOptions& options)
        : g_(g),
          title_(title),
          options_(options),
          n_(g, options.latex, options.is_block),
          laws_(g, n_, options.written),
          tex_(options.latex),
          name_(tex_ ? "\\text{" + process_name(title) + "}" : process_name(title)) {}

    std::string run() {
        begin();
        bonds();
        elements();
        if (!g_.automata.empty()) automata();
        parallel();
        composed();
        if (tex_) out_ += "\n\\end{document}\n";
        return std::move(out_);
    }

private:
    void begin() {
        if (!tex_) {
            out_ = title_ + "\n";
            return;
        }
        out_ =
            "\\documentclass{article}\n\\usepackage[T1]{fontenc}\n\\usepackage[margin=2cm]{geometry}"
            "\n\\usepackage{amsmath,amssymb}\n"
            "\\allowdisplaybreaks\n\\setlength{\\parindent}{0pt}\n\\begin{document}\n";
        out_ += "\\title{" + latex_words(title_) + "}\n\\date{}\n\\maketitle\n";
    }
    void heading(const std::string& text) {
        out_ += tex_ ? "\n\\section*{" + text + "}\n" : "\n" + text + "\n\n";
    }
    void say(const std::string& text) { out_ += tex_ ? latex_words(text) + "\n" : "  " + text + "\n"; }
    void put(const Process& p) { out_ += tex_ ? process_latex(p) : indented(process_text(p)); }
    void put(const Definition& d, bool jump) {
        out_ +=
            tex_ ? definition_latex(d.name, d.lines, jump) : indented(definition_text(d.name, d.lines, jump));
    }
    // One formula a line.
    void formulas(const Lines& lines) {
        if (lines.empty()) return;
        if (!tex_)
            for (const std::string& line : lines) out_ += "  " + line + "\n";
        else
            out_ += fmt::format("\\begin{{align*}}\n& {}\n\\end{{align*}}\n", fmt::join(lines, " \\\\\n& "));
    }
    void gap() {
        if (!tex_) out_ += "\n";
    }

    void bonds() {
        heading("Bonds");
        std::size_t name = 0;
        for (const Bond& b : g_.bonds) name = std::max(name, width(b.name));
        if (tex_) out_ += "\\begin{tabular}{rl}\n";
        for (Index b = 0; b < g_.bonds.size(); ++b) {
            const std::string ends =
                g_.elements[g_.bonds[b].from].name + " -> " + g_.elements[g_.bonds[b].to].name;
            if (tex_)
                out_ += fmt::format("{} & \\verb|{}: {}| \\\\\n", n_.label(b), g_.bonds[b].name, ends);
            else
                out_ += fmt::format("  {:>3}  {}  {}\n", n_.label(b), padded(g_.bonds[b].name, name), ends);
        }
        if (tex_) out_ += "\\end{tabular}\n";
        gap();
        const std::string dot = tex_ ? "\\dot{{{}}}_i = {}" : "d{}_i/dt = {}";
        const auto rate = [&](const char* x, const std::string& of) {
            return fmt::format(fmt::runtime(dot), x, of);
        };
        put({n_.indexed("Bond", "i"),
             {{{}, {rate("E", "e_i" + n_.times_ + "f_i"), rate("p", "e_i"), rate("q", "f_i")}}}});
    }

    // (0/E)_{3,4,5}(Act_touch, Inact_touch)
    std::string name_of(Index x) const {
        const Element& e = g_.elements[x];
        static const char* words[] = {"Resistance",  "Capacitance", "Inductance", "Effort-Source",
                                      "Flow-Source", "Transformer", "Gyrator",    "0-junction",
                                      "1-junction",  "Switch"};
        std::string word = e.is_ideal() ? IdealLaws::word(e.type) : words[static_cast<std::size_t>(e.type)];
        if (e.is_junction() && e.automaton >= 0)
            word = fmt::format("({}/{})", e.type == Type::zero ? 0 : 1, e.off == Off::effort ? 'E' : 'F');
        const auto ports = laws_.ports().of(x);
        std::vector<Index> list(ports.begin(), ports.end());
        if (laws_.is_two_port(x)) list = {laws_.in_and_out(x).first, laws_.in_and_out(x).second};
        return n_.indexed(word, n_.index(list)) + argument(x);
    }
    std::string argument(Index x) const {
        const Element& e = g_.elements[x];
        if (e.automaton >= 0)
            return "(" + predicate(x, true, false) + ", " + predicate(x, false, false) + ")";
        if (e.is_junction()) return {};
        if (e.is_ideal()) return laws_.ideal().arguments(x);
        if (laws_.is_linear(x)) return "(" + laws_.parameter(x, Reading::flow).text + ")";
        const Piece own{e.type == Type::R ? "f" : e.type == Type::C ? "q" : "p"};
        const std::string law = n_.expression(e.law_text, e.name, Reading::flow, &own).text;
        return "(" + own.text + (tex_ ? " \\mapsto " : " ↦ ") + law + ")";
    }
    std::string predicate(Index x, bool on, bool before) const {
        const std::string& automaton = g_.automata[static_cast<std::size_t>(g_.elements[x].automaton)].name;
        const std::string word = on ? "Act" : "Inact";
        return n_.indexed(word, n_.name(automaton)) + (before ? "^-" : "");
    }

    void elements() {
        heading("Elements");
        for (Index x = 0; x < g_.elements.size(); ++x) {
            const Element& e = g_.elements[x];
            if (x > 0) gap();
            const std::string text = n_.number(e.value);
            const bool has_number = !e.is_junction() && !e.is_ideal() && e.automaton < 0 &&
                                    e.parameter == no_node && laws_.is_linear(x) &&
                                    laws_.parameter(x, Reading::flow).text != text;
            if (tex_) out_ += "\n\\medskip ";
            say(e.name + (has_number ? fmt::format(": {} = {}", e.parameter_text, text) : ""));
            put({name_of(x), alternatives(x)});
        }
    }

    std::vector<Alternative> alternatives(Index x) const {
        if (!laws_.is_controlled(x)) return {{jump_lines(x, Situation::on), flow_lines(x, true)}};
        std::vector<Alternative> result;
        const auto add = [&](bool from, bool to, Situation situation) {
            Alternative a{jump_lines(x, situation), flow_lines(x, to)};
            a.jump.insert(a.jump.begin(), predicate(x, from, true));
            a.flow.insert(a.flow.begin(), predicate(x, to, false));
            result.push_back(std::move(a));
        };
        add(true, true, Situation::on);
        add(false, false, Situation::off);
        for (const Situation s : {Situation::switched_as_on, Situation::switched_as_off}) {
            add(false, true, s);
            add(true, false, s);
        }
        return result;
    }
    Lines jump_lines(Index x, Situation situation) const {
        Relations relations(laws_.symbols());
        laws_.add_jump(relations, x, situation);
        std::vector<Form> said;
        if (const auto energy = laws_.source_energy(x))
            said.push_back(one_of({Quantity::energy, Mark::jump, laws_.given(x).bond}) - *energy);
        Lines lines;
        laws_.add_jump_lines(lines, x, {});
        for (const std::string& line : laws_.lines(summarize(relations, said, laws_.symbols())))
            lines.push_back(line);
        return lines;
    }
    Lines flow_lines(Index x, bool on) const {
        const Element& e = g_.elements[x];
        if (e.is_ideal()) return laws_.ideal().flow(x, laws_.ports().of(x)[0]);
        if (!e.is_junction() && !laws_.is_two_port(x) && e.type != Type::Sw)
            return {laws_.law(x, Reading::flow)};
        Relations relations(laws_.symbols());
        laws_.add_flow(relations, x, on);
        return laws_.lines(summarize(relations, {}, laws_.symbols()));
    }

    std::string automaton_name(Index a) const {
        return n_.indexed("Automaton", n_.name(g_.automata[a].name));
    }

    void automata() {
        heading("Automata");
        const std::string left = tex_ ? "$x^-$" : "x^-", right = tex_ ? "$x^+$" : "x^+",
                          x = tex_ ? "$x$" : "x";
        const std::string indent = tex_ ? "" : "  ";
        out_ += fmt::format(
            "{0}In a guard {1} is the value before the re-initialisation and {3} the one that is tested: "
            "{1} first, then\n{0}{2} of each mode that is tried; modes that are left at once take no "
            "time. In flow {1} is {3}.\n",
            indent, left, right, x);
        gap();
        const auto first = first_guards(g_);
        Lines guards;
        for (Index a = 0; a < g_.automata.size(); ++a)
            for (std::size_t t = 0; t < g_.automata[a].transitions.size(); ++t)
                guards.push_back(guard_name(n_, first[a] + t) + " = [" + guard(a, t) + "]");
        formulas(guards);
        for (Index a = 0; a < g_.automata.size(); ++a) {
            gap();
            automaton(a, first[a]);
        }
    }
    std::string guard(Index a, std::size_t t) const {
        const Guard& when = g_.automata[a].transitions[t].when;
        if (!when.text.empty()) return n_.expression(when.text, g_.automata[a].name, Reading::condition).text;
        const std::string word = when.kind == Guard::Kind::always ? "true" : "false";
        return tex_ ? "\\mathit{" + word + "}" : word;
    }
    std::string states_where(Index a, bool on) const {
        std::string text;
        for (Index s = 0; s < g_.automata[a].states.size(); ++s)
            if ((g_.automata[a].on[s] != 0) == on)
                text += (text.empty() ? "" : n_.or_) + n_.state(a, s, Mark::none);
        return !text.empty() ? text : tex_ ? "\\mathit{false}" : "false";
    }

    // Predicates, and what may follow what: a state lasts until a guard holds.
    void automaton(Index a, std::size_t first) {
        const Automaton& automaton = g_.automata[a];
        const auto used = std::any_of(g_.elements.begin(), g_.elements.end(),
                                      [&](const Element& e) { return e.automaton == static_cast<int>(a); });
        if (used)
            formulas({n_.indexed("Act", n_.name(automaton.name)) + " = " + states_where(a, true),
                      n_.indexed("Inact", n_.name(automaton.name)) + " = " + states_where(a, false)});
        Process p{automaton_name(a), {}};
        for (Index s = 0; s < automaton.states.size(); ++s) {
            p.alternatives.push_back({{n_.state(a, s, Mark::left)}, {lasting_state(n_, g_, a, s, first)}});
            for (std::size_t t = 0; t < automaton.transitions.size(); ++t)
                if (automaton.transitions[t].from == s)
                    p.alternatives.push_back(
                        {{n_.state(a, s, Mark::left) + n_.and_ + guard_name(n_, first + t)},
                         {lasting_state(n_, g_, a, automaton.transitions[t].to, first)}});
        }
        put(p);
    }

    void parallel() {
        heading("The model");
        Lines parts;
        for (Index b = 0; b < g_.bonds.size(); ++b) parts.push_back(n_.indexed("Bond", n_.label(b)));
        for (Index x = 0; x < g_.elements.size(); ++x) parts.push_back(name_of(x));
        for (Index a = 0; a < g_.automata.size(); ++a) parts.push_back(automaton_name(a));
        const std::string sign = tex_ ? " \\parallel " : " ∥ ";
        Lines lines{name_ + (tex_ ? " \\approx {}" : " ≈ ")};
        const std::size_t most = tex_ ? 160 : 96;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const std::string part = (i == 0 ? "" : sign) + parts[i];
            if (i > 0 && width(lines.back()) + width(part) > most)
                lines.push_back((tex_ ? "\\quad " : "   ") + part);
            else
                lines.back() += part;
        }
        formulas(lines);
    }

    void composed() {
        heading("The composed process");
        const std::string complaint = too_large(g_, options_.most_modes);
        if (!complaint.empty()) return say("It is not written out (" + complaint + ").");
        const Composition c = compose(laws_);
        say("Bonds between junctions are left out, and what the definition of a bond says is understood.");
        gap();
        formulas(composed_lines(c));
        gap();
        say("with");
        for (const Definition& d : merged(c.jumps)) gap(), put(d, true);
        for (const Definition& d : merged(c.flows)) gap(), put(d, false);
        if (c.states.empty()) return;
        heading("Flows, solved for the rates of independent storages");
        bool first = true;
        for (const Definition& d : merged(c.states)) {
            if (!first) gap();
            put(d, false);
            first = false;
        }
    }
    // What is defined alike is defined once: "d_aa = d_ii = ...".
    static std::vector<Definition> merged(const std::vector<Definition>& definitions) {
        std::vector<Definition> result;
        for (const Definition& d : definitions) {
            const auto same = std::find_if(result.begin(), result.end(),
                                           [&](const Definition& known) { return known.lines == d.lines; });
            if (same == result.end())
                result.push_back(d);
            else
                same->name += " = " + d.name;
        }
        return result;
    }

    Lines composed_lines(const Composition& c) const {
        std::size_t jump = 0, condition = 0;
        std::vector<std::string> conditions;
        for (const auto& a : c.alternatives) {
            conditions.push_back(a.condition.empty() ? "" : n_.and_ + "[" + a.condition + "]");
            jump = std::max(jump, width(a.jump));
            condition = std::max(condition, width(conditions.back()));
        }
        Lines lines{name_ + (tex_ ? " \\approx {}" : " ≈")};
        for (std::size_t i = 0; i < c.alternatives.size(); ++i) {
            const auto& a = c.alternatives[i];
            const std::string sign =
                tex_ ? (i == 0 ? "\\bigl(\\; " : "\\oplus ") : (i == 0 ? "  ( " : "  ⊕ ");
            const std::string body =
                tex_ ? "(" + a.jump + conditions[i] + ") \\gg " + a.flow
                     : padded(a.jump, jump) + padded(conditions[i], condition) + " ≫ " + a.flow;
            lines.push_back(sign + body);
        }
        lines.back() += tex_ ? " \\;\\bigr) \\blacktriangleright " + name_ : " ) ▶ " + name_;
        return lines;
    }

    const Graph& g_;
    const std::string& title_;
    const HypaOptions& options_;
    const Notation n_;
    const Laws laws_;
    const bool tex_;
    const std::string name_;
    std::string out_;
};

}  // namespace

std::string hybrid_processes(const bonds::Graph& graph, const std::string& title,
                             const HypaOptions& options) {
    return Page(graph, title, options).run();
}

}  // namespace deltaflow::report
