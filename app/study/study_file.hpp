// A file that rows of a study are appended to as they end, in order, and that a later run can go on with.
//
// Beside it, while rows are missing, stands FILE.study: which study and which part of it this is, and rows
// that are done before those that come first. Whatever is killed when, a row that was told of is in one of
// both.
#pragma once

#include "engine/study/to_do.hpp"
#include "report/write/study_rows.hpp"

#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace deltaflow::app {

// What tells a study from others.
struct StudyIdentity {
    std::uint64_t fingerprint = 0;  // model, options, axes, measures, and the kind of file
    std::size_t runs = 0;           // of the whole study
    Share share;

    std::string text() const;  // one line
};

// Of a file that is there: whose it is, and what has been done. Rows are lines without their ends.
struct StudyRecord {
    StudyIdentity identity;
    std::map<std::size_t, std::string> early;  // rows by their numbers
};
std::string record_path(const std::string& path);  // FILE.study
// Throws ModelError (option) if there is none.
StudyRecord read_record(const std::string& path);

class StudyFile {
public:
    // Begins anew, or goes on with what is there. Throws ModelError (option) where that is another study.
    // "-" is standard output: nobody can go on with that.
    StudyFile(std::string path, StudyIdentity identity, std::unique_ptr<report::RowText> text, bool resume);
    StudyFile(const StudyFile&) = delete;
    StudyFile& operator=(const StudyFile&) = delete;
    ~StudyFile();

    // Rows that stand in the file, in order; numbers of those that are done besides.
    std::size_t written() const { return written_; }
    std::set<std::size_t> early() const;
    bool has(std::size_t index) const {
        return identity_.share.position(index) < written_ || early_.count(index) > 0;
    }
    void put(std::size_t index, const SweptRun& run);
    // Nothing more comes.
    void close();

private:
    void begin();
    void go_on();
    std::uintmax_t take_rows();
    void put_what_follows();
    void widen();
    void open_rows();
    void write_record();
    void append(const std::string& line);
    void keep_early(std::size_t index, const std::string& line);
    bool is_complete() const { return written_ == identity_.share.size(identity_.runs); }

    struct Close {
        void operator()(std::FILE* file) const {
            if (file != stdout) std::fclose(file);
        }
    };
    using File = std::unique_ptr<std::FILE, Close>;

    std::string path_;
    StudyIdentity identity_;
    std::unique_ptr<report::RowText> text_;
    bool regular_ = true;  // not a pipe, a device or standard output
    File rows_, record_;
    std::size_t written_ = 0;
    bool cut_short_ = false;  // some of them
    std::map<std::size_t, std::string> early_;
};

}  // namespace deltaflow::app
