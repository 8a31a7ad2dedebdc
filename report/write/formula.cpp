#include "report/write/formula.hpp"

#include "report/text/notation.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace deltaflow::report {

namespace {

constexpr std::size_t long_time = 12;  // longer ones than this get a name

bool is_sum(const Quadratic& x) { return !is_zero(x.a) && !x.is_rational(); }

// The sign that stands before a number when it is written down.
bool starts_with_minus(const Quadratic& x) { return sign(is_zero(x.a) ? x.b : x.a) < 0; }

// Adds " + term" or " - term"; the first one brings no plus.
void add_term(std::string& text, bool minus, const std::string& term) {
    if (text.empty())
        text = (minus ? "-" : "") + term;
    else
        text += (minus ? " - " : " + ") + term;
}

std::string delta_name(std::size_t order, Notation notation) {
    const bool latex = notation == Notation::latex;
    const std::string delta = latex ? "\\delta" : "delta";
    if (order <= 3) return delta + std::string(order, '\'');
    return latex ? fmt::format("{}^{{({})}}", delta, order) : fmt::format("{}^({})", delta, order);
}

// Doubles tell nearly all of them apart, in a hundredth of the time.
bool comes_before(const NamedTime& a, const NamedTime& b) {
    return a.rounded != b.rounded ? a.rounded < b.rounded : a.exact < b.exact;
}

}  // namespace

FormulaWriter::FormulaWriter(const ExactTrace& trace, Notation notation) : notation_(notation) {
    std::vector<Quadratic> times;
    for (const ExactSignal& signal : trace.signals) {
        for (const ExactPiece& piece : signal.pieces) times.push_back(piece.from);
        for (const ExactImpulses& impulses : signal.impulses) times.push_back(impulses.at);
    }
    if (trace.end_is_exact)
        times.push_back(trace.end);
    else
        rough_ = trace.end;
    std::erase_if(times, [](const Quadratic& t) { return to_string(t).size() <= long_time; });
    for (Quadratic& t : times) named_.push_back({to_double(t), std::move(t)});
    std::sort(named_.begin(), named_.end(), comes_before);
    named_.erase(std::unique(named_.begin(), named_.end(),
                             [](const NamedTime& a, const NamedTime& b) { return a.exact == b.exact; }),
                 named_.end());
}

std::string FormulaWriter::name_of_time(std::size_t i) const {
    return notation_ == Notation::latex ? fmt::format("t_{{{}}}", i + 1) : fmt::format("t{}", i + 1);
}

std::string FormulaWriter::time(const Quadratic& t) const {
    if (rough_ && t == *rough_) {
        const std::string text = time_text(to_double(t));
        return notation_ == Notation::latex ? text + "\\ldots" : "about " + text;
    }
    const auto named =
        std::lower_bound(named_.begin(), named_.end(), NamedTime{to_double(t), t}, comes_before);
    if (named != named_.end() && named->exact == t)
        return name_of_time(static_cast<std::size_t>(named - named_.begin()));
    return number(t);
}

std::string FormulaWriter::fraction(const Rational& r) const {
    if (notation_ == Notation::plain || r.denominator() == 1) return to_string(r);
    const Integer n = abs(Integer(r.numerator()));
    return fmt::format("{}\\frac{{{}}}{{{}}}", deltaflow::sign(r) < 0 ? "-" : "", n.str(),
                       r.denominator().str());
}

std::string FormulaWriter::root(const Rational& factor, const Integer& d) const {
    const bool latex = notation_ == Notation::latex;
    const std::string text = latex ? "\\sqrt{" + d.str() + "}" : "sqrt(" + d.str() + ")";
    if (factor == Rational(1)) return text;
    return fraction(factor) + (latex ? "" : " ") + text;
}

std::string FormulaWriter::number(const Quadratic& x) const {
    std::string text;
    const auto magnitude = [](const Rational& r) { return deltaflow::sign(r) < 0 ? Rational(-r) : r; };
    if (!is_zero(x.a) || x.is_rational()) add_term(text, deltaflow::sign(x.a) < 0, fraction(magnitude(x.a)));
    if (!x.is_rational()) add_term(text, deltaflow::sign(x.b) < 0, root(magnitude(x.b), x.d));
    return text;
}

std::string FormulaWriter::product(const std::string& factor, const std::string& unit) const {
    return fmt::format("{}{}{}", factor, notation_ == Notation::latex ? "\\," : " ", unit);
}

std::string FormulaWriter::powers(const closed_form::Polynomial& p, const std::string& base) const {
    std::string text;
    for (std::size_t k = 0; k < p.size(); ++k) {
        if (is_zero(p[k])) continue;
        const bool minus = starts_with_minus(p[k]);
        const Quadratic size = minus ? -p[k] : p[k];
        std::string term = number(size);
        const bool brackets = is_sum(size) && (k > 0 || minus);
        if (brackets) term = fmt::format("({})", term);
        if (k > 0) {
            const std::string exponent =
                notation_ == Notation::latex ? fmt::format("^{{{}}}", k) : fmt::format("^{}", k);
            const std::string power = k == 1 ? base : base + exponent;
            term = size == Quadratic(1) ? power : product(term, power);
        }
        add_term(text, minus, term);
    }
    return text.empty() ? "0" : text;
}

std::string FormulaWriter::polynomial(const ExactPiece& piece) const {
    const std::string global = powers(piece.p, "t");
    if (piece.p.size() < 2 || is_zero(piece.from)) return global;
    const std::string start = time(piece.from);
    const bool brackets = is_sum(piece.from) && start == number(piece.from);
    const std::string base = fmt::format("(t - {})", brackets ? fmt::format("({})", start) : start);
    const std::string local = powers(closed_form::trimmed(closed_form::shifted(piece.p, piece.from)), base);
    return local.size() < global.size() && !starts_with_minus(piece.from) ? local : global;
}

std::string FormulaWriter::delta(std::size_t order, const Quadratic& at) const {
    const std::string name = delta_name(order, notation_);
    if (notation_ == Notation::plain) return name;
    if (is_zero(at)) return name + "(t)";
    return starts_with_minus(at) ? fmt::format("{}(t - ({}))", name, time(at))
                                 : fmt::format("{}(t - {})", name, time(at));
}

std::string FormulaWriter::impulses(const ExactImpulses& impulses) const {
    std::string text;
    for (std::size_t i = 0; i < impulses.coefficients.size(); ++i) {
        const Quadratic& c = impulses.coefficients[i];
        if (is_zero(c)) continue;
        const bool minus = starts_with_minus(c);
        const Quadratic size = minus ? -c : c;
        const std::string factor = is_sum(size) ? fmt::format("({})", number(size)) : number(size);
        const std::string unit = delta(i, impulses.at);
        add_term(text, minus, size == Quadratic(1) ? unit : product(factor, unit));
    }
    return text;
}

std::string FormulaWriter::signal(const std::string& name) const {
    if (notation_ == Notation::plain) return name + "(t)";
    const std::string escaped = latex_words(name);
    return (name.size() == 1 ? escaped : "\\mathit{" + escaped + "}") + "(t)";
}

std::vector<ExactImpulses> summed(const std::vector<ExactImpulses>& impulses) {
    std::vector<ExactImpulses> sums;
    for (const ExactImpulses& next : impulses) {
        if (sums.empty() || !(sums.back().at == next.at)) {
            sums.push_back(next);
            continue;
        }
        auto& sum = sums.back().coefficients;
        if (sum.size() < next.coefficients.size()) sum.resize(next.coefficients.size());
        for (std::size_t i = 0; i < next.coefficients.size(); ++i) sum[i] = sum[i] + next.coefficients[i];
    }
    std::erase_if(sums, [](const ExactImpulses& i) { return closed_form::trimmed(i.coefficients).empty(); });
    return sums;
}

}  // namespace deltaflow::report
