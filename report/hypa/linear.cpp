// Elimination with symbolic ratios; questions of rank are asked with numbers in their places.
#include "report/hypa/linear.hpp"

#include <algorithm>
#include <cmath>

namespace deltaflow::report::hypa {

namespace {

// Small systems of small numbers: rounding stays far below, different symbols far above.
constexpr double negligible = 1e-9;

}  // namespace

bool Coefficient::is_number(double x) const {
    return terms.size() == 1 && terms.begin()->first.empty() && terms.begin()->second == x;
}

void Coefficient::add(const Coefficient& other, double factor) {
    for (const auto& [monomial, x] : other.terms) {
        double& mine = terms[monomial];
        mine += factor * x;
        if (std::abs(mine) < negligible) terms.erase(monomial);
    }
}

Coefficient operator*(const Coefficient& a, const Coefficient& b) {
    Coefficient result;
    for (const auto& [m, x] : a.terms)
        for (const auto& [n, y] : b.terms) {
            Monomial both = m;
            for (const auto& [symbol, power] : n)
                if ((both[symbol] += power) == 0) both.erase(symbol);
            result.add({{{both, x * y}}});
        }
    return result;
}

void add(Form& to, const Form& form, const Coefficient& factor) {
    for (const auto& [v, c] : form) {
        Coefficient& mine = to[v];
        mine.add(c * factor);
        if (mine.is_zero()) to.erase(v);
    }
}

Form operator-(const Form& a, const Form& b) {
    Form result = a;
    add(result, b, Coefficient::number(-1));
    return result;
}

Coefficient Symbols::factor(const Symbol& symbol) {
    const auto [at, is_new] = index_.emplace(symbol.above.text, static_cast<std::uint32_t>(list_.size()));
    if (is_new) {
        list_.push_back(symbol);
        // The fractional parts of multiples of the golden ratio never meet.
        const double multiple = 0.6180339887498949 * static_cast<double>(list_.size());
        list_.back().value = 0.5 + multiple - std::floor(multiple);
    }
    list_[at->second].may_divide |= symbol.may_divide;
    return {{{Monomial{{at->second, 1}}, 1.0}}};
}

double Symbols::value(const Coefficient& c) const {
    double total = 0;
    for (const auto& [monomial, x] : c.terms) {
        double value = x;
        for (const auto& [symbol, power] : monomial) value *= std::pow(list_[symbol].value, power);
        total += value;
    }
    return total;
}

std::optional<Coefficient> Symbols::inverse(const Coefficient& c) const {
    if (c.terms.size() != 1) return std::nullopt;
    const auto& [monomial, x] = *c.terms.begin();
    Monomial inverse;
    for (const auto& [symbol, power] : monomial) {
        if (!list_[symbol].may_divide) return std::nullopt;
        inverse[symbol] = -power;
    }
    return Coefficient{{{inverse, 1 / x}}};
}

namespace {

using Row = std::map<Variable, double>;

Row numeric(const Form& form, const Symbols& symbols) {
    Row row;
    for (const auto& [v, c] : form)
        if (const double x = symbols.value(c); std::abs(x) > negligible) row[v] = x;
    return row;
}

void subtract(Row& row, const Row& other, double factor) {
    for (const auto& [v, x] : other) {
        double& mine = row[v];
        mine -= factor * x;
        if (std::abs(mine) < negligible) row.erase(v);
    }
}

// A basis of the equations, fully reduced: pivot variable -> its row, pivot coefficient 1. A constant is
// never a pivot if it can be helped.
class Basis {
public:
    Basis(const std::vector<Form>& equations, const Symbols& symbols) {
        for (const Form& e : equations) insert(numeric(e, symbols));
    }

    Row reduced(Row row) const {
        for (const auto& [pivot, other] : rows_)
            if (const auto at = row.find(pivot); at != row.end()) subtract(row, other, at->second);
        return row;
    }

    bool insert(const Row& added) {
        Row row = reduced(added);
        if (row.empty()) return false;
        const auto pivot = largest(row);
        const double scale = row[pivot];
        for (auto& [v, x] : row) x /= scale;
        for (auto& [other, existing] : rows_)
            if (const auto at = existing.find(pivot); at != existing.end())
                subtract(existing, row, at->second);
        rows_[pivot] = row;
        return true;
    }

private:
    static Variable largest(const Row& row) {
        auto best = row.begin();
        for (auto at = row.begin(); at != row.end(); ++at)
            if (at->first.quantity != Quantity::one &&
                (best->first.quantity == Quantity::one || std::abs(at->second) > std::abs(best->second)))
                best = at;
        return best->first;
    }
    std::map<Variable, Row> rows_;
};

bool nearly_equal(const Row& a, const Row& b) {
    Row difference = a;
    subtract(difference, b, 1);
    return difference.empty();
}

}  // namespace

bool Relations::solve_for(Variable v) {
    auto best = equations.end();
    for (auto e = equations.begin(); e != equations.end(); ++e) {
        const auto at = e->find(v);
        if (at == e->end() || !symbols_->inverse(at->second)) continue;
        if (best == equations.end() || e->size() < best->size()) best = e;
    }
    if (best == equations.end()) return false;
    Form solution = *best;
    const Coefficient scale = *symbols_->inverse(solution[v]) * Coefficient::number(-1);
    solution.erase(v);
    equations.erase(best);
    const auto substitute = [&](Form& form) {
        const auto at = form.find(v);
        if (at == form.end()) return;
        const Coefficient factor = at->second * scale;
        form.erase(at);
        add(form, solution, factor);
    };
    for (Form& e : equations) substitute(e);
    for (Inequality& i : inequalities) substitute(i.form);
    return true;
}

// Fourier and Motzkin: v lies between what bounds it from both sides. Only where its factors are numbers.
void Relations::combine(Variable v) {
    std::vector<Inequality> below, above, rest;
    for (const Inequality& i : inequalities) {
        const auto at = i.form.find(v);
        if (at == i.form.end())
            rest.push_back(i);
        else if (at->second.is_number(1))
            below.push_back(i);
        else if (at->second.is_number(-1))
            above.push_back(i);
        else
            return;
    }
    for (const Inequality& b : below)
        for (const Inequality& a : above) {
            Inequality both = b;
            add(both.form, a.form, Coefficient::number(1));
            rest.push_back(std::move(both));
        }
    inequalities = std::move(rest);
}

void Relations::eliminate(const std::function<bool(Variable)>& abstracted) {
    std::set<Variable> variables;
    const auto collect = [&](const Form& form) {
        for (const auto& [v, c] : form)
            if (v.quantity != Quantity::one && abstracted(v)) variables.insert(v);
    };
    for (const Form& e : equations) collect(e);
    for (const Inequality& i : inequalities) collect(i.form);
    for (const Variable v : variables) {
        const bool occurs =
            std::any_of(equations.begin(), equations.end(), [&](const Form& e) { return e.count(v) > 0; });
        if (!solve_for(v) && !occurs) combine(v);
    }
    std::erase_if(equations, [](const Form& e) { return e.empty(); });
    std::erase_if(inequalities, [](const Inequality& i) { return i.form.empty(); });
}

bool Relations::imply(const Relations& others) const {
    const Basis basis(equations, *symbols_);
    for (const Form& e : others.equations)
        if (!basis.reduced(numeric(e, *symbols_)).empty()) return false;
    for (const Inequality& wanted : others.inequalities) {
        const Row target = basis.reduced(numeric(wanted.form, *symbols_));
        if (target.empty()) continue;
        Row all;
        bool found = false;
        for (const Inequality& mine : inequalities) {
            const Row row = basis.reduced(numeric(mine.form, *symbols_));
            found = found || nearly_equal(target, row);
            if (mine.group == wanted.group) subtract(all, row, -1);
        }
        if (!found && !nearly_equal(target, all)) return false;
    }
    return true;
}

std::vector<bool> Relations::imply_zero(const std::vector<Variable>& variables) const {
    const Basis basis(equations, *symbols_);
    std::vector<bool> zero;
    for (const Variable v : variables) zero.push_back(basis.reduced(Row{{v, 1.0}}).empty());
    return zero;
}

namespace {

class Summarizer {
public:
    Summarizer(const Relations& relations, const std::vector<Form>& said, const Symbols& symbols)
        : relations_(relations), said_(said), symbols_(symbols) {}

    Summary run() {
        std::vector<Form> all = relations_.equations;
        all.insert(all.end(), said_.begin(), said_.end());
        const Basis basis(all, symbols_);
        result_.consistent = !basis.reduced(Row{{Variable{}, 1.0}}).empty();
        if (result_.consistent) find_classes(basis);
        keep_sums();
        keep_inequalities();
        return std::move(result_);
    }

private:
    void find_classes(const Basis& basis) {
        std::set<Variable> variables;
        for (const Form& e : relations_.equations)
            for (const auto& [v, c] : e)
                if (v.quantity != Quantity::one) variables.insert(v);
        for (const Form& e : said_)
            for (const auto& [v, c] : e)
                if (v.quantity == Quantity::effort || v.quantity == Quantity::flow) variables.insert(v);
        std::vector<Row> rows;
        for (const Variable v : variables) {
            const Row row = basis.reduced(Row{{v, 1.0}});
            if (row.empty()) {
                result_.zeros.insert(v);
                continue;
            }
            Row opposite;
            subtract(opposite, row, 1);
            std::size_t k = 0;
            int sign = 0;
            for (; k < rows.size() && sign == 0; ++k)
                if (result_.classes[k][0].first.quantity == v.quantity)
                    sign = nearly_equal(rows[k], row) ? 1 : nearly_equal(rows[k], opposite) ? -1 : 0;
            if (sign != 0) {
                result_.classes[k - 1].emplace_back(v, sign);
                substitute_[v] = {result_.classes[k - 1][0].first, sign};
            } else {
                rows.push_back(row);
                result_.classes.push_back({{v, 1}});
            }
        }
        std::erase_if(result_.classes, [](const auto& c) { return c.size() < 2; });
    }

    Form simplified(const Form& form) const {
        Form result;
        for (const auto& [v, c] : form) {
            if (result_.zeros.count(v)) continue;
            const auto at = substitute_.find(v);
            const Variable to = at == substitute_.end() ? v : at->second.first;
            const int sign = at == substitute_.end() ? 1 : at->second.second;
            add(result, one_of(to, sign), c);
        }
        return result;
    }

    // An equation that the others imply is not repeated.
    void keep_sums() {
        std::vector<Form> known = said_;
        for (const Variable v : result_.zeros) known.push_back(one_of(v));
        for (const auto& [v, to] : substitute_) known.push_back(one_of(v) - one_of(to.first, to.second));
        Basis basis(known, symbols_);
        std::vector<Form> sums;
        for (const Form& e : relations_.equations) sums.push_back(simplified(e));
        std::stable_sort(sums.begin(), sums.end(),
                         [](const Form& a, const Form& b) { return a.size() < b.size(); });
        for (const Form& e : sums)
            if (basis.insert(numeric(e, symbols_))) result_.sums.push_back(e);
    }

    void keep_inequalities() {
        const Basis basis(relations_.equations, symbols_);
        std::vector<Row> kept;
        for (const auto& i : relations_.inequalities) {
            const Row row = basis.reduced(numeric(i.form, symbols_));
            const bool known = row.empty() || std::any_of(kept.begin(), kept.end(),
                                                          [&](const Row& k) { return nearly_equal(k, row); });
            if (known) continue;
            kept.push_back(row);
            result_.inequalities.push_back(simplified(i.form));
        }
    }

    const Relations& relations_;
    const std::vector<Form>& said_;
    const Symbols& symbols_;
    std::map<Variable, std::pair<Variable, int>> substitute_;
    Summary result_;
};

}  // namespace

Summary summarize(const Relations& relations, const std::vector<Form>& said, const Symbols& symbols) {
    return Summarizer(relations, said, symbols).run();
}

}  // namespace deltaflow::report::hypa
