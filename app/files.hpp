// Where the program writes: standard output, or a file that appears whole or not at all.
#pragma once

#include "engine/model/model.hpp"
#include "report/text/output.hpp"
#include "report/write/json.hpp"

#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

namespace deltaflow::app {

// A file could not be written (exit code 6); the text names it and says why.
struct OutputError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// For `errno` or the like; "-" is standard output.
OutputError cannot_write(const std::string& path, int reason);

using report::Output;
using report::Writer;

// Throws OutputError if it is plain beforehand that write_file(path, ...) will fail. "-" never does.
void require_writable(const std::string& path);

// The same for all files that a command writes; empty ones are not asked for. Throws ModelError (option) if
// one of them is a file that is read, or if two of them are one file, whatever the spelling.
void claim_outputs(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs);
// Throws a ModelError about a file.
[[noreturn]] void refuse_file(ErrorKind kind, const std::string& path, const std::string& why);
// The files that a model was read from.
std::vector<std::string> files_of(const FlatModel& model);

// Lets `writer` fill the file; "-" is standard output. A regular file is written beside its place and
// then renamed, so that no reader meets half of it. Throws OutputError.
void write_file(const std::string& path, const Writer& writer);

// Lets `writer` fill the file in place, each piece as it is handed on; "-" is standard output.
void write_live(const std::string& path, const Writer& writer);

// Room on the disk that is gone with the program, in memory where there is none; for a file of that name.
std::unique_ptr<report::Sheet> own_sheet(const std::string& name);

// Lets `writer` fill an open file that people call `name`. Throws OutputError.
void write_into(std::FILE* file, const std::string& name, const Writer& writer, bool live = false);

}  // namespace deltaflow::app
