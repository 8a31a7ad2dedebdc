// CSV: the first row has the names of parameters; fields are parted by tabs, semicolons or commas.
#include "app/study/point_table.hpp"

#include "app/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

namespace deltaflow::app {

namespace {

char separator_of(const std::string& line) {
    for (const char c : {'\t', ';'})
        if (line.find(c) != std::string::npos) return c;
    return ',';
}

std::string trimmed(const std::string& text) {
    const std::size_t begin = text.find_first_not_of(" \r\""), end = text.find_last_not_of(" \r\"");
    return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
}

std::vector<std::string> fields_of(const std::string& line, char separator) {
    std::vector<std::string> fields;
    std::size_t begin = 0;
    for (std::size_t end = 0; end != std::string::npos; begin = end + 1) {
        end = line.find(separator, begin);
        fields.push_back(trimmed(line.substr(begin, end - begin)));
    }
    return fields;
}

std::vector<SweepAxis> read_table(const std::string& path, int number) {
    std::ifstream file(path);
    std::string line;
    if (!file || !std::getline(file, line)) refuse_file(ErrorKind::file, path, "cannot be read");
    const char separator = separator_of(line);
    std::vector<SweepAxis> axes;
    for (const std::string& name : fields_of(line, separator)) axes.push_back({name, {}, {}, number});
    for (std::size_t row = 2; std::getline(file, line); ++row) {
        if (trimmed(line).empty()) continue;
        const auto fields = fields_of(line, separator);
        if (fields.size() != axes.size())
            refuse_file(ErrorKind::option, fmt::format("{}:{}", path, row),
                        fmt::format("there are {} fields where the first row names {} parameters",
                                    fields.size(), axes.size()));
        for (std::size_t a = 0; a < axes.size(); ++a) axes[a].values.push_back(fields[a]);
    }
    if (axes.front().values.empty()) refuse_file(ErrorKind::option, path, "has no row of values");
    return axes;
}

}  // namespace

std::vector<SweepAxis> with_tables(const std::vector<SweepAxis>& axes) {
    std::vector<SweepAxis> all;
    int number = 0;
    for (const SweepAxis& axis : axes) {
        if (!axis.name.starts_with('@')) {
            all.push_back(axis);
            continue;
        }
        for (SweepAxis& column : read_table(axis.name.substr(1), number)) all.push_back(std::move(column));
        ++number;
    }
    return all;
}

}  // namespace deltaflow::app
