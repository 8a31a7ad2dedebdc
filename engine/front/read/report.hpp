// Collects what is wrong with a model.
#pragma once

#include "blocks/expression.hpp"
#include "engine/front/read/document.hpp"

namespace deltaflow::front {

// Thrown to give up on a block or a number whose error has been reported already.
struct Reported {};

// What was found wrong so far.
struct Findings {
    std::vector<Diagnostic> list;
    std::size_t unreadable = 0;  // of them: files that cannot be read
};

class Report {
public:
    explicit Report(const Sources& sources, Findings known = {})
        : sources_(sources), found_(std::move(known)) {}

    void add(const Place& place, std::string message, std::vector<std::string> notes = {});
    // An error inside the text of a string.
    void add(const Value& string, const ExpressionError& error, std::vector<std::string> notes = {});
    // `; did you mean "product"?`, or nothing. Gives up guessing after many errors: it takes time.
    std::string hint(std::string_view name, const std::vector<std::string_view>& known);
    bool gives_hints() const;
    // The same for keys, of which there are few: where none is near, all are told.
    std::string key_hint(std::string_view key, const std::vector<std::string_view>& known);

    // A file that cannot be read is an error of its own kind, unless the model is wrong in other ways too.
    void add_unreadable(const Place& place, std::string message, std::vector<std::string> notes = {}) {
        ++found_.unreadable;
        add(place, std::move(message), std::move(notes));
    }
    // Files that blocks have read.
    void note_file(std::string path) { files_read_.push_back(std::move(path)); }
    const std::vector<std::string>& files_read() const { return files_read_; }
    ErrorKind kind() const {
        return found_.unreadable == found_.list.size() ? ErrorKind::file : ErrorKind::model;
    }

    bool empty() const { return found_.list.empty(); }
    const Sources& sources() const { return sources_; }
    // All errors, sorted by place, each once, at most a few dozen.
    std::vector<Diagnostic> take();
    // All of them, as they are.
    Findings findings() && { return std::move(found_); }

private:
    const Sources& sources_;
    Findings found_;
    int hints_ = 0;
    std::vector<std::string> files_read_;
};

}  // namespace deltaflow::front
