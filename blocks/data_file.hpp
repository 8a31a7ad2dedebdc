// A column of a CSV file as a scheduled source.
#pragma once

#include "blocks/diagram.hpp"

#include <string>
#include <vector>

namespace deltaflow {

// Values at times that increase; at least one.
struct DataColumn {
    std::vector<Rational> times;
    std::vector<double> values;
};

// The first row names the columns. The time is the column "t", else the first one. With no name given
// the first column that is not the time is read. Throws ArgumentError.
DataColumn read_data_column(const std::string& path, const std::string& column);

Schedule interpolated(const DataColumn& data);
Schedule held(const DataColumn& data);

}  // namespace deltaflow
