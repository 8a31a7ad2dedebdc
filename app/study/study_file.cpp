// Appends, and the record beside. A torn last line of either is a row that was not told of.
#include "app/study/study_file.hpp"

#include "app/files.hpp"

#include <fmt/format.h>

#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>
#include <thread>

namespace deltaflow::app {

namespace fs = std::filesystem;

namespace {

constexpr const char* kind = "deltaflow-study";

[[noreturn]] void cannot_write(const std::string& path) {
    throw OutputError(fmt::format("cannot write {}: {}", path == "-" ? "standard output" : path,
                                  std::generic_category().message(errno)));
}

bool is_regular(const std::string& path) {
    std::error_code none;
    return path != "-" && (!fs::exists(path, none) || fs::is_regular_file(path, none));
}

}  // namespace

std::string StudyIdentity::text() const {
    return fmt::format("{} {:016x} runs {} shard {} of {}", kind, fingerprint, runs, share.shard + 1,
                       share.shards);
}

std::string record_path(const std::string& path) { return path + ".study"; }

StudyRecord read_record(const std::string& path) {
    std::ifstream file(record_path(path), std::ios::binary);
    StudyRecord record;
    StudyIdentity& id = record.identity;
    std::string line, word, runs, shard, of;
    std::getline(file, line);
    std::istringstream words(line);
    words >> word >> std::hex >> id.fingerprint >> std::dec >> runs >> id.runs >> shard >> id.share.shard >>
        of >> id.share.shards;
    if (!words || word != kind || id.share.shard < 1 || id.share.shard > id.share.shards)
        refuse_file(ErrorKind::option, path,
                    fmt::format("there is no {} that says which study this is", record_path(path)));
    --id.share.shard;
    while (std::getline(file, line) && !file.eof())  // a line without its end is torn
        if (const std::size_t space = line.find(' '); space != std::string::npos)
            record.early[std::strtoull(line.c_str(), nullptr, 10)] = line.substr(space + 1);
    return record;
}

StudyFile::StudyFile(std::string path, StudyIdentity identity, std::unique_ptr<report::RowText> text,
                     bool resume)
    : path_(std::move(path)), identity_(identity), text_(std::move(text)), regular_(is_regular(path_)) {
    if (resume && !regular_) refuse_file(ErrorKind::option, path_, "a study can only go on with a file");
    std::error_code none;
    if (!regular_)
        rows_.reset(path_ == "-" ? stdout : std::fopen(path_.c_str(), "w"));
    else if (resume && fs::exists(path_, none))
        go_on();
    else
        begin();
    if (!rows_) cannot_write(path_);
}

StudyFile::~StudyFile() = default;

void StudyFile::begin() {
    write_record();
    write_file(path_, [&](Output& output) {
        if (text_->has_heading()) output.print("{}\n", text_->heading());
    });
    open_rows();
}

void StudyFile::go_on() {
    open_rows();
    std::error_code none;
    StudyRecord record{identity_, {}};
    const bool recorded = fs::exists(record_path(path_), none);
    if (recorded) record = read_record(path_);
    if (record.identity.text() != identity_.text())
        refuse_file(ErrorKind::option, path_,
                    fmt::format("this is another study, or another part of one, than the command line says "
                                "(model, axes, options); see {}",
                                record_path(path_)));
    early_ = std::move(record.early);
    const std::uintmax_t good = take_rows();
    std::erase_if(early_, [&](const auto& row) { return text_->is_interrupted(row.second); });
    if (!recorded && !is_complete()) read_record(path_);  // throws: nobody knows what this is
    if (good == 0) {                                      // nobody knows the columns of what is there
        early_.clear();
        return begin();
    }
    fs::resize_file(path_, good);
    while (!early_.empty() && identity_.share.position(early_.begin()->first) < written_)
        early_.erase(early_.begin());
    if (!is_complete()) write_record();
    put_what_follows();
}

// Rows up to the first that was interrupted stand, and end where this says; those behind it are kept for
// later.
std::uintmax_t StudyFile::take_rows() {
    std::ifstream file(path_, std::ios::binary);
    bool heading = text_->has_heading(), broken = false;
    std::uintmax_t good = 0;
    std::size_t position = 0;
    for (std::string line; std::getline(file, line) && !file.eof();) {  // a line without its end is torn
        if (heading) {
            text_->take_heading(line);
            heading = false;
        } else {
            const std::size_t index = identity_.share.index(position++);
            const bool interrupted = text_->is_interrupted(line);
            broken = broken || interrupted;
            if (broken && !interrupted) early_[index] = line;
            if (!broken) ++written_;
        }
        if (!broken) good += line.size() + 1;
    }
    if (position > identity_.share.size(identity_.runs))
        refuse_file(ErrorKind::option, path_, "there are more rows than this study has");
    return good;
}

std::set<std::size_t> StudyFile::early() const {
    std::set<std::size_t> numbers;
    for (const auto& [index, line] : early_) numbers.insert(index);
    return numbers;
}

void StudyFile::put(std::size_t index, const SweptRun& run) {
    if (text_->make_room(run)) widen();
    const std::string line = text_->line(index, run);
    if (!regular_ && text_->has_heading()) {  // columns may still come: it is written in the end
        early_[index] = line;
    } else if (index != identity_.share.index(written_)) {
        keep_early(index, line);
    } else {
        append(line);
        ++written_;
        put_what_follows();
    }
}

void StudyFile::put_what_follows() {
    const bool waited = !early_.empty();
    for (auto row = early_.begin(); row != early_.end() && row->first == identity_.share.index(written_);
         row = early_.erase(row), ++written_)
        append(row->second);
    if (waited && early_.empty() && record_ &&
        ::ftruncate(::fileno(record_.get()), static_cast<off_t>(identity_.text().size() + 1)) != 0)
        cannot_write(record_path(path_));
}

void StudyFile::widen() {
    for (auto& [index, line] : early_) line = text_->with_room(line);
    if (!regular_) return;
    rows_.reset();
    std::ifstream old(path_, std::ios::binary);
    write_file(path_, [&](Output& output) {
        output.print("{}\n", text_->heading());
        std::string line;
        std::getline(old, line);
        while (std::getline(old, line)) output.print("{}\n", text_->with_room(line));
    });
    open_rows();
    write_record();
}

// A program that was told to end may still be writing; nobody else may.
void StudyFile::open_rows() {
    constexpr int tries = 200;
    constexpr auto pause = std::chrono::milliseconds(50);
    rows_.reset(std::fopen(path_.c_str(), "a"));
    if (!rows_) cannot_write(path_);
    for (int i = 0; ::flock(::fileno(rows_.get()), LOCK_EX | LOCK_NB) != 0; ++i) {
        if (errno != EWOULDBLOCK) return;  // a file system without locks
        if (i == tries) refuse_file(ErrorKind::option, path_, "another program is writing this file");
        std::this_thread::sleep_for(pause);
    }
}

void StudyFile::write_record() {
    record_.reset();
    const std::string path = record_path(path_);
    write_file(path, [&](Output& output) {
        output.print("{}\n", identity_.text());
        for (const auto& [index, line] : early_) output.print("{} {}\n", index, line);
    });
    record_.reset(std::fopen(path.c_str(), "a"));
    if (!record_) cannot_write(path);
}

void StudyFile::append(const std::string& line) {
    cut_short_ = cut_short_ || text_->is_interrupted(line);
    if (std::fputs((line + "\n").c_str(), rows_.get()) < 0 || std::fflush(rows_.get()) != 0)
        cannot_write(path_);
}

void StudyFile::keep_early(std::size_t index, const std::string& line) {
    early_[index] = line;
    if (record_ && (std::fputs(fmt::format("{} {}\n", index, line).c_str(), record_.get()) < 0 ||
                    std::fflush(record_.get()) != 0))
        cannot_write(record_path(path_));
}

void StudyFile::close() {
    if (!regular_) {
        if (text_->has_heading()) append(text_->heading());
        for (const auto& [index, line] : early_) append(line);
        return;
    }
    if (::fsync(::fileno(rows_.get())) != 0) cannot_write(path_);
    if (!is_complete() || cut_short_) return;
    record_.reset();
    if (identity_.share.shards == 1) ::unlink(record_path(path_).c_str());
}

}  // namespace deltaflow::app
