// Parts have every n-th row each: a line of each by turns.
#include "app/study/merge.hpp"

#include "app/files.hpp"
#include "app/study/study_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <optional>

namespace deltaflow::app {

namespace {

using Columns = std::vector<std::string>;

struct Part {
    std::string path;
    StudyIdentity identity;
    std::ifstream rows;
    Columns columns;  // of CSV
};

// JSON lines have no heading, and begin with a bracket; a part without runs is empty then.
bool is_csv(const std::vector<std::string>& paths) {
    return std::any_of(paths.begin(), paths.end(), [](const std::string& path) {
        std::ifstream file(path, std::ios::binary);
        return file.peek() != '{' && file.good();
    });
}

// What an interrupt cut short is to be run again.
void expect_complete(const Part& part, bool csv) {
    const auto text = csv ? report::csv_rows({}, {}) : report::json_rows({}, {});
    std::ifstream file(part.path, std::ios::binary);
    std::size_t lines = 0;
    for (std::string line; std::getline(file, line) && !file.eof();) lines += !text->is_interrupted(line);
    const std::size_t rows = csv && lines > 0 ? lines - 1 : lines,
                      all = part.identity.share.size(part.identity.runs);
    if (rows < all)
        refuse_file(
            ErrorKind::option, part.path,
            fmt::format("only {} of {} rows are there; run this part again with --resume", rows, all));
}

std::vector<Part> parts_of(const std::vector<std::string>& paths, bool csv) {
    std::vector<Part> parts(paths.size());
    for (std::size_t i = 0; i < paths.size(); ++i) {
        Part& part = parts[i];
        part.path = paths[i];
        part.identity = read_record(part.path).identity;
        expect_complete(part, csv);
        part.rows.open(part.path, std::ios::binary);
        if (!part.rows) refuse_file(ErrorKind::file, part.path, "cannot be read");
        std::string heading;
        if (csv && std::getline(part.rows, heading)) part.columns = report::csv_fields_of(heading);
    }
    std::sort(parts.begin(), parts.end(),
              [](const Part& a, const Part& b) { return a.identity.share.shard < b.identity.share.shard; });
    return parts;
}

void expect_one_study(const std::vector<Part>& parts) {
    const StudyIdentity& first = parts.front().identity;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const StudyIdentity& id = parts[i].identity;
        if (id.fingerprint != first.fingerprint || id.runs != first.runs ||
            id.share.shards != first.share.shards)
            refuse_file(ErrorKind::option, parts[i].path,
                        fmt::format("this is part of another study than {}", parts.front().path));
        if (i > 0 && id.share.shard == parts[i - 1].identity.share.shard)
            refuse_file(ErrorKind::option, parts[i].path,
                        fmt::format("this is the same part as {}", parts[i - 1].path));
        if (id.share.shard != i)
            refuse_file(ErrorKind::option, parts[i].path,
                        fmt::format("part {} of {} is missing", i + 1, first.share.shards));
    }
    if (parts.size() < first.share.shards)
        refuse_file(ErrorKind::option, parts.back().path,
                    fmt::format("part {} of {} is missing", parts.size() + 1, first.share.shards));
}

// Columns of all parts: what one lacks comes where its neighbours stand.
Columns all_columns(const std::vector<Part>& parts) {
    Columns all = parts.front().columns;
    for (const Part& part : parts) {
        auto place = all.begin();
        for (const std::string& name : part.columns) {
            const auto found = std::find(all.begin(), all.end(), name);
            place = found == all.end() ? all.insert(place, name) + 1 : found + 1;
        }
    }
    return all;
}

std::string in_columns(const std::string& line, const Columns& own, const Columns& all) {
    if (own == all) return line;
    const Columns fields = report::csv_fields_of(line);
    Columns out(all.size());
    for (std::size_t i = 0; i < std::min(own.size(), fields.size()); ++i)
        out[static_cast<std::size_t>(std::find(all.begin(), all.end(), own[i]) - all.begin())] = fields[i];
    return fmt::format("{}", fmt::join(out, ","));
}

}  // namespace

void merge(const std::vector<std::string>& paths, const std::string& path) {
    const bool csv = is_csv(paths);
    std::vector<Part> parts = parts_of(paths, csv);
    expect_one_study(parts);
    claim_outputs({path}, paths);
    const Columns all = csv ? all_columns(parts) : Columns{};
    write_file(path, [&](Output& output) {
        if (csv) output.print("{}\n", fmt::join(all, ","));
        for (std::size_t run = 0; run < parts.front().identity.runs; ++run) {
            Part& part = parts[run % parts.size()];
            std::string line;
            std::getline(part.rows, line);
            output.print("{}\n", csv ? in_columns(line, part.columns, all) : line);
        }
    });
}

}  // namespace deltaflow::app
