// A folder of its own for a test, since tests run side by side.
#pragma once

#include <filesystem>
#include <string>

namespace deltaflow::test {

// Made anew; gone with everything in it when the test is over.
class Folder {
public:
    Folder();
    ~Folder();
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    const std::filesystem::path& path() const { return path_; }
    // Writes a file, and the folders it lies in; returns its path.
    std::string write(const std::string& name, const std::string& text) const;

private:
    std::filesystem::path path_;
};

}  // namespace deltaflow::test
