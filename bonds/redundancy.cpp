#include "bonds/redundancy.hpp"

#include "bonds/elimination.hpp"
#include "bonds/imposes.hpp"
#include "bonds/ratios.hpp"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace deltaflow::bonds {

namespace {

using Index = std::uint32_t;
using Column = Elimination::Column;
using Row = Elimination::Row;

// c = v: an element's effort or flow, power counted into it.
struct Constraint {
    Index element, bond;
    bool effort;
    enum Kind { stores, leaks, drives } kind;
    double value = 0;  // v = value + factor * signal
    double factor = 0;
    NodeId signal = no_node;
    RedundantTerm dual{};  // d
};

class Analysis {
public:
    Analysis(const Graph& g, const Ports& ports, const Mode& mode, const std::vector<Index>& storages)
        : g_(g), ports_(ports), mode_(mode) {
        for (auto x = storages.rbegin(); x != storages.rend(); ++x)
            constraints_.push_back(
                {*x, ports.of(*x)[0], g.elements[*x].prefers_effort(), Constraint::stores});
        for (Index x = 0; x < g.elements.size(); ++x) list(x);
        ratio_.assign(g.elements.size(), 0);
        for (Index x = 0; x < g.elements.size(); ++x)
            ratio_[x] = g.elements[x].parameter == no_node ? g.elements[x].value : NAN;
        const std::vector<Index> two_ports = modulated_two_ports(g);
        for (std::size_t i = 0; i < two_ports.size(); ++i) ratio_[two_ports[i]] = ratio_in(g, mode, i);
        column_.resize(2 * g.bonds.size());
        std::iota(column_.begin(), column_.end(), 0);
    }

    std::optional<Redundancy> find() {
        Elimination system(static_cast<Column>(column_.size() + constraints_.size()));
        for (Index x = 0; x < g_.elements.size(); ++x) share(x);
        for (Index x = 0; x < g_.elements.size(); ++x) add(x, system);
        for (Column i = 0; i < constraints_.size(); ++i) tie(i, system);
        system.eliminate_first(static_cast<Column>(column_.size()));
        // What stores gives way first, then everything that leaks, sources only among themselves.
        for (const auto kind : {Constraint::stores, Constraint::leaks, Constraint::drives})
            for (Column i = 0; i < constraints_.size(); ++i)
                if (constraints_[i].kind == kind) try_pivot(i, system);
        for (Row& row : system.rows()) {
            all_rows_.push_back(row);
            if (std::none_of(row.begin(), row.end(),
                             [&](const auto& term) { return is(term.first, Constraint::stores); }))
                rows_.push_back(std::move(row));
        }
        return conclude();
    }

private:
    // Constraints
    void list(Index x) {
        const Element& e = g_.elements[x];
        const auto effort = imposed_by(g_, e, mode_);
        if (!effort) return;
        for (const Index b : ports_.of(x)) constraints_.push_back(constraint(x, b, *effort));
    }
    Constraint constraint(Index x, Index b, bool effort) const {
        const Element& e = g_.elements[x];
        Constraint c{x, b, effort, e.is_source() ? Constraint::drives : Constraint::leaks};
        const double out = e.is_source() && !effort ? -1 : 1;
        if (e.is_source()) {
            c.value = e.parameter == no_node ? out * e.value : 0;
            c.signal = e.parameter;
        } else if (e.is_ideal()) {
            c.signal = e.imposed[mode_[static_cast<std::size_t>(e.automaton)]].signal;
        }
        if (c.signal != no_node) c.factor = out;
        const double inwards = g_.bonds[b].to == x ? 1 : -1;
        if (e.is_junction())
            c.dual = effort ? RedundantTerm{inwards, g_.bonds[b].flow} : RedundantTerm{1, g_.bonds[b].effort};
        else
            c.dual = effort ? RedundantTerm{e.is_source() ? -1.0 : 1.0, e.flow} : RedundantTerm{1, e.effort};
        return c;
    }

    // Unknowns: effort and flow of each bond; what a junction makes equal is one.
    Column root(Column c) {
        while (column_[c] != c) c = column_[c] = column_[column_[c]];
        return c;
    }
    Column effort(Index b) { return root(2 * b); }
    Column flow(Index b) { return root(2 * b + 1); }
    double inwards(Index x, Index b) const { return g_.bonds[b].to == x ? 1 : -1; }

    // One effort at a 0, one flow (along all arrows) at a 1.
    void share(Index x) {
        const Element& e = g_.elements[x];
        if (!e.is_junction() || !is_on(g_, e, mode_)) return;
        const auto bonds = ports_.of(x);
        const Column kind = e.type == Type::zero ? 0 : 1;
        for (const Index b : bonds) column_[root(2 * b + kind)] = root(2 * bonds[0] + kind);
    }
    void add(Index x, Elimination& system) {
        const Element& e = g_.elements[x];
        if (e.is_junction() && is_on(g_, e, mode_)) {
            Row row;
            for (const Index b : ports_.of(x))
                row[e.type == Type::zero ? flow(b) : effort(b)] += inwards(x, b);
            system.add(row);
        } else if (e.is_two_port() && !std::isnan(ratio_[x])) {
            add_two_port(x, e, system);
        }
    }
    // TF: e_in = r e_out, f_out = r f_in; GY: e_in = r f_out, e_out = r f_in
    void add_two_port(Index x, const Element& e, Elimination& system) {
        const auto bonds = ports_.of(x);
        const bool first_in = g_.bonds[bonds[0]].to == x;
        const Index in = bonds[first_in ? 0 : 1], out = bonds[first_in ? 1 : 0];
        const bool transformer = e.type == Type::TF;
        add_pair(effort(in), transformer ? effort(out) : flow(out), ratio_[x], system);
        add_pair(transformer ? flow(out) : effort(out), flow(in), ratio_[x], system);
    }
    static void add_pair(Column a, Column b, double ratio, Elimination& system) {
        Row row;
        row[a] += 1;
        row[b] -= ratio;
        system.add(row);
    }
    void tie(Column i, Elimination& system) {
        const Constraint& c = constraints_[i];
        Row row;
        row[own(i)] = 1;
        row[c.effort ? effort(c.bond) : flow(c.bond)] -= c.effort ? 1 : inwards(c.element, c.bond);
        system.add(row);
    }
    Column own(Column i) const { return static_cast<Column>(column_.size()) + i; }

    void try_pivot(Column i, Elimination& system) {
        if (system.solve_for(own(i))) pivots_.push_back(i);
    }

    // Conclusions
    const Constraint& of(Column c) const { return constraints_[c - column_.size()]; }
    bool is(Column c, Constraint::Kind kind) const { return of(c).kind == kind; }
    std::optional<Redundancy> conclude() {
        Redundancy result;
        result.dependent.assign(g_.elements.size(), 0);
        for (const Column p : pivots_) {
            if (constraints_[p].kind == Constraint::stores) {
                result.dependent[constraints_[p].element] = 1;
                result.follows.push_back(followed(p));
                continue;
            }
            const auto row =
                std::find_if(rows_.begin(), rows_.end(), [&](const Row& r) { return r.count(own(p)); });
            const Constraint& pivot = constraints_[p];
            if (!can_tell(*row) && !agree(*row)) return std::nullopt;
            Redundancy::Flip flip{pivot.element, pivot.bond, !pivot.effort, {}};
            for (const auto& [c, y] : *row)
                if (c != own(p) && is(c, pivot.kind))
                    flip.relation.push_back({-y * of(c).dual.factor / pivot.dual.factor, of(c).dual.node});
            result.flips.push_back(std::move(flip));
        }
        add_excess(result);
        return result;
    }
    // Solved for what it holds. What others impose is taken as it is imposed, so nothing else is passed
    // through.
    Redundancy::Follows followed(Column p) const {
        const auto row =
            std::find_if(all_rows_.begin(), all_rows_.end(), [&](const Row& r) { return r.count(own(p)); });
        Redundancy::Follows result{constraints_[p].element, 0, {}};
        for (const auto& [c, y] : *row) {
            if (c == own(p)) continue;
            const Constraint& other = of(c);
            const Element& e = g_.elements[other.element];
            result.constant -= y * other.value;
            if (other.kind == Constraint::stores)
                result.terms.push_back({-y, other.effort ? e.effort : e.flow});
            else if (other.signal != no_node)
                result.terms.push_back({-y * other.factor, other.signal});
        }
        return result;
    }
    // Does a contradiction show in the excess of somebody?
    bool can_tell(const Row& row) const {
        return std::any_of(row.begin(), row.end(), [&](const auto& term) {
            return is(term.first, Constraint::leaks) && g_.elements[of(term.first).element].excess != no_node;
        });
    }
    // Otherwise numbers, or the same signals, have to add up to zero here and now.
    bool agree(const Row& row) const {
        double sum = 0, size = 0;
        std::map<NodeId, double> signals;
        for (const auto& [c, y] : row) {
            sum += y * of(c).value;
            size += std::abs(y * of(c).value);
            if (of(c).signal != no_node) signals[of(c).signal] += y * of(c).factor;
        }
        return std::abs(sum) <= 1e-13 * size &&
               std::all_of(signals.begin(), signals.end(),
                           [](const auto& s) { return std::abs(s.second) < 1e-13; });
    }

    // d = - Y' (Y Y')^-1 (Y v), for all that leaks
    void add_excess(Redundancy& result) const {
        std::vector<const Row*> rows;
        for (const Row& row : rows_)
            if (std::any_of(row.begin(), row.end(),
                            [&](const auto& term) { return is(term.first, Constraint::leaks); }))
                rows.push_back(&row);
        const auto k = static_cast<Eigen::Index>(rows.size());
        Eigen::MatrixXd w = Eigen::MatrixXd::Zero(k, k);
        for (Eigen::Index i = 0; i < k; ++i)
            for (Eigen::Index j = 0; j < k; ++j)
                for (const auto& [c, y] : *rows[static_cast<std::size_t>(i)])
                    if (const auto other = rows[static_cast<std::size_t>(j)]->find(c);
                        is(c, Constraint::leaks) && other != rows[static_cast<std::size_t>(j)]->end())
                        w(i, j) += y * other->second;
        const Eigen::MatrixXd inverse = k > 0 ? Eigen::MatrixXd(w.inverse()) : w;
        for (Column i = 0; i < constraints_.size(); ++i) {
            const Constraint& c = constraints_[i];
            if (c.kind != Constraint::leaks || g_.elements[c.element].excess == no_node) continue;
            Redundancy::Excess excess{c.element, 0, {}};
            for (Eigen::Index r = 0; r < k; ++r) {
                double share = 0;
                for (Eigen::Index s = 0; s < k; ++s)
                    if (const auto y = rows[static_cast<std::size_t>(s)]->find(own(i));
                        y != rows[static_cast<std::size_t>(s)]->end())
                        share -= y->second * inverse(s, r);
                add_values(*rows[static_cast<std::size_t>(r)], share, excess);
            }
            if (excess.constant != 0 || !excess.terms.empty()) result.excess.push_back(std::move(excess));
        }
    }
    void add_values(const Row& row, double share, Redundancy::Excess& excess) const {
        if (std::abs(share) < 1e-13) return;
        for (const auto& [c, y] : row) {
            excess.constant += share * y * of(c).value;
            if (of(c).signal != no_node) excess.terms.push_back({share * y * of(c).factor, of(c).signal});
        }
    }

    const Graph& g_;
    const Ports& ports_;
    const Mode& mode_;
    std::vector<Constraint> constraints_;
    std::vector<double> ratio_;   // of two-ports; NaN: not known
    std::vector<Column> column_;  // of efforts and flows: which they are the same as
    std::vector<Column> pivots_;
    std::vector<Row> rows_, all_rows_;  // without storages; with them
};

}  // namespace

std::optional<Redundancy> find_redundancy(const Graph& g, const Ports& ports, const Mode& mode,
                                          const std::vector<std::uint32_t>& storages) {
    return Analysis(g, ports, mode, storages).find();
}

bool has_loops(const Graph& g) {
    std::vector<std::uint32_t> part(g.elements.size());
    std::iota(part.begin(), part.end(), 0);
    const auto root = [&](std::uint32_t x) {
        while (part[x] != x) x = part[x] = part[part[x]];
        return x;
    };
    return std::any_of(g.bonds.begin(), g.bonds.end(), [&](const Bond& b) {
        const std::uint32_t from = root(b.from), to = root(b.to);
        part[from] = to;
        return from == to;
    });
}

}  // namespace deltaflow::bonds
