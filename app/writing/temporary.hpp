// Files beside the place that they are for, until they are whole.
#pragma once

#include "app/interrupt.hpp"
#include "report/text/sheet.hpp"

#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace deltaflow::app {

struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

// A file that is removed again unless it was renamed into its place. The folder may take none.
class Temporary {
public:
    explicit Temporary(const std::filesystem::path& target);
    Temporary(const Temporary&) = delete;
    Temporary& operator=(const Temporary&) = delete;
    ~Temporary();

    bool opened() const { return descriptor_ >= 0; }
    File file();  // once
    void keep_mode_of(const std::filesystem::path& target) const;
    bool rename_to(const std::filesystem::path& target);
    const std::filesystem::path& path() const { return path_; }
    const std::filesystem::path& target() const { return target_; }

private:
    void open();

    static constexpr int failed = -1, handed_over = -2;
    std::filesystem::path target_, path_;
    std::optional<Unfinished> unfinished_;
    int descriptor_ = failed;
};

// Lets a file go to the disk while it is written, so that little is left to wait for in the end.
class Paced {
public:
    explicit Paced(std::FILE* file) : file_(file) {}
    void wrote(std::uint64_t size);

private:
    std::FILE* file_;
    std::uint64_t since_ = 0;
};

// An open file that people call `name`; `place` is where it lies, if it has a name at all.
class FileSheet final : public report::Sheet {
public:
    FileSheet(std::FILE* file, std::string name, Temporary* place)
        : file_(file), name_(std::move(name)), place_(place), paced_(file) {}
    FileSheet(File own, std::string name) : FileSheet(own.get(), std::move(name), nullptr) {
        own_file_ = std::move(own);
    }
    void put(std::uint64_t at, std::string_view text) override;
    void get(std::uint64_t at, std::span<char> text) override;
    void cut(std::uint64_t size) override;
    std::unique_ptr<Sheet> another() override;
    void become(Sheet& other) override;
    bool hurries() const override { return interrupt_flag(); }

private:
    std::unique_ptr<Temporary> own_place_;  // of what another() gave
    File own_file_;
    std::FILE* file_;
    std::string name_;
    Temporary* place_;
    Paced paced_;
};

}  // namespace deltaflow::app
