// A column of a CSV file as a scheduled source.
#pragma once

#include "blocks/diagram.hpp"

#include <string>
#include <vector>

namespace deltaflow {

// What a file says of one time: the rows of equal times are a jump, from the first to the last.
struct DataPoint {
    Rational t;
    double left, right;
};
// Times increase; at least one point.
using DataColumn = std::vector<DataPoint>;

// Fields are parted by tabs, semicolons or commas. The first row names the columns if any of its fields is no
// number. Columns are given by name, or by number from 1 on. With no name given the time is the column "t",
// else the first one, and the value is the first column that is not the time. Of the program's own traces the
// rows of mythical modes, and those that say nothing of the signal, are left out. Throws ArgumentError.
DataColumn read_data_column(const std::string& path, const std::string& column, const std::string& time);

Schedule interpolated(const DataColumn& data);
Schedule held(const DataColumn& data);

}  // namespace deltaflow
