#include "blocks/data_file.hpp"

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

// Without blanks and quotes around it.
std::string_view trimmed(std::string_view text) {
    const std::string_view skipped = " \t\r\"";
    const auto first = text.find_first_not_of(skipped);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(skipped) - first + 1);
}

std::vector<std::string_view> cells(std::string_view line) {
    std::vector<std::string_view> row;
    while (true) {
        const auto comma = line.find(',');
        row.push_back(trimmed(line.substr(0, comma)));
        if (comma == std::string_view::npos) return row;
        line.remove_prefix(comma + 1);
    }
}

// Reads the lines of a file and knows where it is.
class Reader {
public:
    explicit Reader(const std::string& path) : path_(path), file_(path, std::ios::binary) {
        if (!file_) throw UnreadableFile("file", fmt::format("cannot read \"{}\"", path));
    }

    // The next row that is not blank; empty at the end.
    std::vector<std::string_view> row() {
        while (std::getline(file_, line_)) {
            ++number_;
            if (!trimmed(line_).empty()) return cells(line_);
        }
        if (file_.bad() || number_ == 0) fail("file", "there is nothing to read in it");
        return {};
    }

    Number number(const std::vector<std::string_view>& row, std::size_t column) const {
        if (column >= row.size()) fail("file", fmt::format("there is no column {} here", column + 1));
        const std::string_view text = row[column];
        const bool long_text =
            text.size() > limits::literal_length || text.find('/') != std::string_view::npos;
        const Number n = long_text ? Number{HUGE_VAL, {}} : number_from_text(text);
        if (!std::isfinite(n.value)) fail("file", fmt::format("\"{}\" is not a number", text.substr(0, 40)));
        return n;
    }

    [[noreturn]] void fail(std::string_view parameter, const std::string& message) const {
        throw ArgumentError(parameter, fmt::format("{}:{}: {}", path_, number_, message));
    }

private:
    std::string path_;
    std::ifstream file_;
    std::string line_;
    int number_ = 0;
};

std::size_t time_column(const std::vector<std::string_view>& header) {
    const auto t = std::find(header.begin(), header.end(), "t");
    return t == header.end() ? 0 : static_cast<std::size_t>(t - header.begin());
}

std::size_t value_column(const Reader& reader, const std::vector<std::string_view>& header,
                         const std::string& name) {
    if (header.size() < 2) reader.fail("file", "there is only one column; a time and a value are needed");
    if (name.empty()) return time_column(header) == 0 ? 1 : 0;
    const auto found = std::find(header.begin(), header.end(), name);
    if (found == header.end())
        throw ArgumentError("column", fmt::format("there is no column \"{}\" in the file{}", name,
                                                  did_you_mean(name, header)));
    return static_cast<std::size_t>(found - header.begin());
}

}  // namespace

DataColumn read_data_column(const std::string& path, const std::string& column) {
    Reader reader(path);
    const auto header = reader.row();
    const std::size_t t = time_column(header), v = value_column(reader, header, column);
    DataColumn data;
    for (auto row = reader.row(); !row.empty(); row = reader.row()) {
        Rational time = reader.number(row, t).rational();
        if (!data.times.empty() && time <= data.times.back())
            reader.fail("file", "the times have to increase");
        data.times.push_back(std::move(time));
        data.values.push_back(reader.number(row, v).value);
    }
    if (data.times.empty()) reader.fail("file", "there are no rows below the header");
    return data;
}

Schedule held(const DataColumn& data) {
    Schedule s{data.values.front(), {}, {}};
    for (std::size_t i = 0; i < data.times.size(); ++i)
        s.points.push_back({data.times[i], data.values[i], 0, {}});
    return s;
}

Schedule interpolated(const DataColumn& data) {
    Schedule s = held(data);
    for (std::size_t i = 0; i + 1 < s.points.size(); ++i) {
        const Rational span = data.times[i + 1] - data.times[i];
        s.points[i].slope = (data.values[i + 1] - data.values[i]) / to_double(span);
        if (const FractionBook* book = FractionBook::open())
            if (const auto from = book->find(data.values[i]), to = book->find(data.values[i + 1]); from && to)
                noted(s.points[i].slope, (*to - *from) / span);
    }
    return s;
}

}  // namespace deltaflow
