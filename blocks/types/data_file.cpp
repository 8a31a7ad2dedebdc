#include "blocks/types/data_file.hpp"

#include "blocks/arguments.hpp"
#include "blocks/fraction_book.hpp"
#include "blocks/limits.hpp"
#include "blocks/spelling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>

namespace deltaflow {

namespace {

using Row = std::vector<std::string_view>;

// Without blanks and quotes around it.
std::string_view trimmed(std::string_view text) {
    const std::string_view skipped = " \t\r\"";
    const auto first = text.find_first_not_of(skipped);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(skipped) - first + 1);
}

// Where the field that begins at `begin` ends; separators within quotes belong to it.
std::size_t end_of_field(std::string_view line, std::size_t begin, char separator) {
    bool quoted = false;
    for (std::size_t at = begin; at < line.size(); ++at) {
        if (line[at] == '"') quoted = !quoted;
        if (line[at] == separator && !quoted) return at;
    }
    return line.size();
}

Row cells(std::string_view line, char separator) {
    Row row;
    for (std::size_t begin = 0; begin <= line.size();) {
        const std::size_t end = end_of_field(line, begin, separator);
        row.push_back(trimmed(line.substr(begin, end - begin)));
        begin = end + 1;
    }
    return row;
}

// Tabs or semicolons may be beside commas, which then belong to what is between them.
char separator_of(std::string_view line) {
    for (const char c : {'\t', ';'})
        if (end_of_field(line, 0, c) < line.size()) return c;
    return ',';
}

// A finite number that stands in a cell.
std::optional<Number> number_in(std::string_view text) {
    if (text.size() > limits::literal_length || text.find('/') != std::string_view::npos) return {};
    Number n = number_from_text(text);
    if (!std::isfinite(n.value)) return {};
    return n;
}

// Reads the lines of a file and knows where it is.
class Reader {
public:
    explicit Reader(const std::string& path) : path_(path), file_(path, std::ios::binary) {
        if (!file_) throw UnreadableFile("file", fmt::format("cannot read \"{}\"", path));
        if (!next_line()) fail("file", "there is nothing to read in it");
        separator_ = separator_of(line_);
    }

    // The row at hand, and the next one that is not blank; false at the end.
    Row row() const { return cells(line_, separator_); }
    bool next_line() {
        while (std::getline(file_, line_)) {
            ++number_;
            if (number_ == 1 && line_.starts_with("\xEF\xBB\xBF")) line_.erase(0, 3);
            if (!trimmed(line_).empty()) return true;
        }
        if (file_.bad()) fail("file", "there is nothing to read in it");
        return false;
    }

    Number number(const Row& row, std::size_t column) const {
        if (column >= row.size()) fail("file", fmt::format("there is no column {} here", column + 1));
        if (auto n = number_in(row[column])) return *n;
        fail("file", fmt::format("\"{}\" is not a number", row[column].substr(0, 40)));
    }

    [[noreturn]] void fail(std::string_view parameter, const std::string& message) const {
        throw ArgumentError(parameter, fmt::format("{}:{}: {}", path_, number_, message));
    }

private:
    std::string path_;
    std::ifstream file_;
    std::string line_;
    int number_ = 0;
    char separator_ = ',';
};

// Which columns to read.
class Columns {
public:
    Columns(const Reader& reader, const std::string& column, const std::string& time) {
        const Row first = reader.row();
        if (first.size() < 2) reader.fail("file", "there is only one column; a time and a value are needed");
        const auto is_name = [](std::string_view field) { return !number_in(field); };
        has_header_ = std::any_of(first.begin(), first.end(), is_name);
        names_.assign(first.begin(), first.end());
        time_ = time.empty() ? 0 : given("time", time);
        value_ = column.empty() ? first_value() : given("column", column);
    }

    bool has_header() const { return has_header_; }
    std::size_t time() const { return time_; }
    std::size_t value() const { return value_; }

    // Of a trace, does this row tell nothing of the signal's values?
    bool skips(const Row& row) const {
        if (!is_trace()) return false;
        return (row.size() > side && row[side] == "mythical") || (row.size() > value_ && row[value_].empty());
    }

private:
    static constexpr std::size_t side = 3;

    bool is_trace() const {
        constexpr std::string_view own[] = {"t", "epsilon", "index", "side"};
        return names_.size() > side && std::equal(std::begin(own), std::end(own), names_.begin());
    }
    std::size_t first_value() const { return is_trace() ? side + 1 : time_ == 0 ? 1 : 0; }
    std::optional<std::size_t> find(std::string_view name) const {
        const auto found = std::find(names_.begin(), names_.end(), name);
        if (found == names_.end()) return {};
        return static_cast<std::size_t>(found - names_.begin());
    }
    std::size_t given(std::string_view parameter, const std::string& name) const {
        if (const auto found = find(name); found && has_header_) return *found;
        const auto number = number_in(name);
        const auto index = number ? whole(*number) : std::nullopt;
        if (index && *index >= 1 && static_cast<std::size_t>(*index) <= names_.size())
            return static_cast<std::size_t>(*index - 1);
        if (index)
            throw ArgumentError(parameter, fmt::format("there is no column {} in the file; it has {}, "
                                                       "counted from 1",
                                                       name, names_.size()));
        const std::vector<std::string_view> known(names_.begin(), names_.end());
        throw ArgumentError(
            parameter, has_header_ ? fmt::format("there is no column \"{}\" in the file{}", name,
                                                 did_you_mean(name, known))
                                   : "the file has no header row: give the number of a column, from 1 on");
    }

    std::vector<std::string> names_;
    bool has_header_ = false;
    std::size_t time_ = 0, value_ = 0;
};

}  // namespace

DataColumn read_data_column(const std::string& path, const std::string& column, const std::string& time) {
    Reader reader(path);
    const Columns columns(reader, column, time);
    DataColumn data;
    bool more = !columns.has_header() || reader.next_line();
    for (; more; more = reader.next_line()) {
        const Row row = reader.row();
        if (columns.skips(row)) continue;
        Rational t = reader.number(row, columns.time()).rational();
        const double value = reader.number(row, columns.value()).value;
        if (!data.empty() && t < data.back().t) reader.fail("file", "the times must not decrease");
        if (!data.empty() && t == data.back().t)
            data.back().right = value;
        else
            data.push_back({std::move(t), value, value});
        if (data.size() > limits::data_rows)
            reader.fail("file", fmt::format("there are more than {} rows", limits::data_rows));
    }
    if (data.empty()) reader.fail("file", "there are no rows below the header");
    return data;
}

Schedule held(const DataColumn& data) {
    Schedule s{data.front().left, {}, {}};
    for (const DataPoint& point : data) s.points.push_back({point.t, point.right, 0, {}});
    return s;
}

Schedule interpolated(const DataColumn& data) {
    Schedule s = held(data);
    for (std::size_t i = 0; i + 1 < s.points.size(); ++i) {
        const Rational span = data[i + 1].t - data[i].t;
        const double from = data[i].right, to = data[i + 1].left;
        s.points[i].slope = (to - from) / to_double(span);
        if (const FractionBook* book = FractionBook::open())
            if (const auto low = book->find(from), high = book->find(to); low && high)
                noted(s.points[i].slope, (*high - *low) / span);
    }
    return s;
}

}  // namespace deltaflow
