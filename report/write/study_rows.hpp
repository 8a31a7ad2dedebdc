// Rows of a study, a line each, as they are written one by one: CSV, or JSON lines.
#pragma once

#include "engine/sweep.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace deltaflow::report {

class RowText {
public:
    virtual ~RowText() = default;
    // The line above the rows, if there is one; and as it was written before.
    virtual bool has_heading() const { return false; }
    virtual std::string heading() const { return {}; }
    virtual void take_heading(std::string_view /*line*/) {}
    // A run may have signals that no column is there for: makes room, and tells that it did.
    virtual bool make_room(const SweptRun& /*run*/) { return false; }
    // A line of the columns before as it is with those made since.
    virtual std::string with_room(std::string line) const { return line; }
    virtual std::string line(std::size_t index, const SweptRun& run) const = 0;
    virtual bool is_interrupted(std::string_view line) const = 0;
};

std::unique_ptr<RowText> csv_rows(std::vector<std::string> parameters, std::vector<std::string> measures);
std::unique_ptr<RowText> json_rows(std::vector<std::string> parameters, std::vector<std::string> measures);

// Fields of a line of CSV, as they stand there, quotes included.
std::vector<std::string> csv_fields_of(std::string_view line);

}  // namespace deltaflow::report
