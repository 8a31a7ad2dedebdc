// Linear equations sum c x = 0 with few terms each, and the elimination of unknowns from them.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

namespace deltaflow::bonds {

class Elimination {
public:
    using Column = std::uint32_t;
    using Row = std::map<Column, double>;

    explicit Elimination(Column columns) : rows_of_(columns) {}

    void add(const Row& row);
    // Eliminates the first columns, all of them, those that stand in the fewest equations before others: then
    // equations stay short.
    void eliminate_first(Column count);
    // Takes the column out of all equations but one, which is scaled to have 1 there and stays; false: none.
    bool solve_for(Column c);
    // The equations that are left.
    std::vector<Row> rows() const;

private:
    // Uses up one equation that contains the column and takes it out of all others; false if there is none.
    bool eliminate(Column c);
    std::int64_t pivot_row(Column c) const;
    void subtract(std::uint32_t from, const Row& pivot, double factor, Column c);

    std::vector<Row> rows_;
    std::vector<std::set<std::uint32_t>> rows_of_;  // per column
    std::set<std::uint32_t> solved_;                // rows that stay as they are
};

}  // namespace deltaflow::bonds
