// Columns as wide as their widest cell.
#include "report/text/columns.hpp"

#include <algorithm>

namespace deltaflow::report {

namespace {

std::vector<std::size_t> widths_of(const std::vector<Row>& rows) {
    std::vector<std::size_t> widths(rows.front().size());
    for (const Row& row : rows)
        for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
    return widths;
}

}  // namespace

void write_columns(const std::vector<Row>& rows, std::size_t words, Output& output, std::string_view indent) {
    const std::vector<std::size_t> widths = widths_of(rows);
    for (const Row& row : rows) {
        std::string line(indent);
        for (std::size_t c = 0; c < row.size(); ++c)
            line += c < words ? fmt::format("{:<{}}  ", row[c], widths[c])
                              : fmt::format("{:>{}}  ", row[c], widths[c]);
        line.erase(line.find_last_not_of(' ') + 1);
        output.print("{}\n", line);
    }
}

}  // namespace deltaflow::report
