// Model files as text, and errors that point into them.
#pragma once

#include "blocks/diagram.hpp"
#include "deltaflow/choices.hpp"

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace deltaflow {

// The files of a model; Place::file is an index into them.
struct Sources {
    struct File {
        std::string path, text;
    };
    std::vector<File> files;
    // What else the model may read lies below one of these folders (canonical paths).
    std::vector<std::string> folders = {};
};

struct Diagnostic {
    Place place;
    std::string message;
    std::vector<std::string> notes;  // further lines: a path, the way out
};

// A text from outside as people may see it: control characters and bytes that are no UTF-8 are replaced.
// Line breaks stay if `lines`.
std::string clean_text(std::string_view text, bool lines = false);

// "file:line:column: message", the line, a caret under the place, then the notes.
std::string render(const Sources& sources, const Diagnostic& diagnostic);
// "file:line:column"
std::string render(const Sources& sources, const Place& place);

// The user's mistakes: all of a pass, sorted by place. `kind` is model, file or option.
struct ModelError : std::runtime_error {
    ModelError(ErrorKind kind_, Sources sources_, std::vector<Diagnostic> diagnostics_);
    ErrorKind kind;
    Sources sources;
    std::vector<Diagnostic> diagnostics;
};

// The known name that is nearest to a misspelt one, or nothing if none is near.
std::string nearest(std::string_view name, const std::vector<std::string_view>& known);

}  // namespace deltaflow
