// Files that are written while a run goes on.
#pragma once

#include "app/files.hpp"
#include "deltaflow/sink.hpp"

#include <functional>
#include <memory>
#include <span>
#include <string>

namespace deltaflow::app {

struct Stream {
    std::string path;
    bool live = false;  // readers see each line as it is written; else the file appears whole
    std::function<std::unique_ptr<Sink>(Output&)> make;
};

// Opens the files, adds who fills them to `sinks`, and lets `body` run. A file that fails is told of and does
// not keep the others from being written; false if there was one.
bool write_along(std::span<const Stream> streams, Sinks& sinks, const std::function<void()>& body);

}  // namespace deltaflow::app
