// Columns: parameters, signals in the order they come up, measures, events, end.
#include "report/write/study_rows.hpp"

#include "blocks/json_text.hpp"
#include "report/write/csv.hpp"
#include "report/write/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace deltaflow::report {

namespace {

class CsvRows final : public RowText {
public:
    CsvRows(std::vector<std::string> parameters, std::vector<std::string> measures) {
        sweep_.parameters = std::move(parameters);
        sweep_.measures = std::move(measures);
    }
    bool has_heading() const override { return true; }
    std::string heading() const override { return csv_heading(sweep_); }
    void take_heading(std::string_view line) override {
        std::vector<std::string> fields = csv_fields_of(line);
        const std::size_t before = sweep_.parameters.size(), behind = sweep_.measures.size() + 2;
        if (fields.size() < before + behind) return;
        sweep_.signals.assign(fields.begin() + static_cast<std::ptrdiff_t>(before),
                              fields.end() - static_cast<std::ptrdiff_t>(behind));
        for (std::string& name : sweep_.signals) name = plain(name);
    }
    bool make_room(const SweptRun& run) override {
        const std::size_t before = sweep_.signals.size();
        for (const std::string& name : run.signals)
            if (column_of(name) == sweep_.signals.size()) sweep_.signals.push_back(name);
        added_ = sweep_.signals.size() - before;
        return added_ > 0;
    }
    std::string with_room(std::string line) const override {
        std::vector<std::string> fields = csv_fields_of(line);
        const std::size_t place = sweep_.parameters.size() + sweep_.signals.size() - added_;
        fields.insert(fields.begin() + static_cast<std::ptrdiff_t>(std::min(place, fields.size())), added_,
                      "");
        return fmt::format("{}", fmt::join(fields, ","));
    }
    std::string line(std::size_t, const SweptRun& run) const override {
        SweepRow row = run.row;
        row.finals.assign(sweep_.signals.size(), std::nullopt);
        for (std::size_t s = 0; s < run.signals.size(); ++s)
            row.finals[column_of(run.signals[s])] = run.row.finals[s];
        return csv_line(sweep_, row);
    }
    bool is_interrupted(std::string_view line) const override { return line.ends_with(",interrupted"); }

private:
    std::size_t column_of(const std::string& name) const {
        const auto& names = sweep_.signals;
        return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    }
    // Without its quotes.
    static std::string plain(const std::string& field) {
        if (field.size() < 2 || field.front() != '"') return field;
        std::string text;
        for (std::size_t i = 1; i + 1 < field.size(); ++i) {
            if (field[i] == '"') ++i;  // it is there twice
            text += field[i];
        }
        return text;
    }

    Sweep sweep_;
    std::size_t added_ = 0;
};

class JsonRows final : public RowText {
public:
    JsonRows(std::vector<std::string> parameters, std::vector<std::string> measures) {
        sweep_.parameters = std::move(parameters);
        sweep_.measures = std::move(measures);
    }
    std::string line(std::size_t index, const SweptRun& run) const override {
        Sweep here = sweep_;
        here.signals = run.signals;
        return json_line(here, run.row, index);
    }
    bool is_interrupted(std::string_view line) const override {
        return line.find("\"reason\":\"interrupted\"") != std::string_view::npos;
    }

private:
    Sweep sweep_;
};

}  // namespace

std::vector<std::string> csv_fields_of(std::string_view line) {
    std::vector<std::string> fields(1);
    bool quoted = false;
    for (const char c : line) {
        if (c == '"') quoted = !quoted;
        if (c == ',' && !quoted)
            fields.emplace_back();
        else
            fields.back() += c;
    }
    return fields;
}

std::unique_ptr<RowText> csv_rows(std::vector<std::string> parameters, std::vector<std::string> measures) {
    return std::make_unique<CsvRows>(std::move(parameters), std::move(measures));
}

std::unique_ptr<RowText> json_rows(std::vector<std::string> parameters, std::vector<std::string> measures) {
    return std::make_unique<JsonRows>(std::move(parameters), std::move(measures));
}

}  // namespace deltaflow::report
