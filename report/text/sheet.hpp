// A file that is written in any order, and regions of text that all grow on it.
#pragma once

#include "report/text/output.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace deltaflow::report {

class Sheet {
public:
    virtual ~Sheet() = default;
    virtual void put(std::uint64_t at, std::string_view text) = 0;
    virtual void get(std::uint64_t at, std::span<char> text) = 0;  // what was put there
    virtual void cut(std::uint64_t size) = 0;
    virtual std::unique_ptr<Sheet> another() = 0;   // an empty one, as good as this one
    virtual void become(Sheet& other) = 0;          // one that another() gave
    virtual bool hurries() const { return false; }  // somebody waits for the end
};

// For where there is no disk.
class MemorySheet final : public Sheet {
public:
    void put(std::uint64_t at, std::string_view text) override;
    void get(std::uint64_t at, std::span<char> text) override;
    void cut(std::uint64_t size) override { text_.resize(size); }
    std::unique_ptr<Sheet> another() override { return std::make_unique<MemorySheet>(); }
    void become(Sheet& other) override { text_.swap(dynamic_cast<MemorySheet&>(other).text_); }
    const std::string& text() const { return text_; }

private:
    std::string text_;
};

using MakeSheet = std::function<std::unique_ptr<Sheet>()>;

// The sheet that an output has, or one from `make` that is written to the output in the end.
class SheetOf {
public:
    SheetOf(Output& output, const MakeSheet& make)
        : output_(output), own_(output.sheet() ? nullptr : make()), sheet_(own_ ? *own_ : *output.sheet()) {}
    Sheet& operator*() { return sheet_; }
    Sheet* operator->() { return &sheet_; }
    void end(std::uint64_t size);

private:
    Output& output_;
    std::unique_ptr<Sheet> own_;
    Sheet& sheet_;
};

// What stands from `begin` to `end`, in order.
void for_each_piece(Sheet& sheet, std::uint64_t begin, std::uint64_t end,
                    const std::function<void(std::string_view)>& take);

// Texts that stand one behind the other in the end and all grow at once, such as the columns of a table that
// is written column by column. On the sheet each is followed by blanks, room to grow into; once that is used
// up all are laid out anew, with twice the room. So whoever is in a hurry finds a text that is whole but for
// its ending, though with blanks in it, however long it is.
class Regions {
public:
    // `most`: what may wait in memory.
    explicit Regions(Sheet& sheet, std::size_t most = 4 << 20) : sheet_(sheet), most_(most) {}
    void open(std::string_view lead) { regions_.push_back({std::string(lead)}); }  // before anything is added
    void add(std::size_t region, std::string_view text);
    // Without blanks, unless the sheet is in a hurry. How long it has become.
    std::uint64_t close(std::string_view tail);

private:
    struct Region {
        std::string lead, waiting = {};
        std::uint64_t begin = 0, used = 0, room = 0;
        std::uint64_t growth = 0;  // what waited last
    };
    enum class Room { to_grow, none };
    bool fits() const;
    bool is_tight() const;
    void put_what_waits();
    void settle();
    bool lay_out(Room room, bool may_stop);
    bool copy(const Region& region, Sheet& to, std::uint64_t at, bool may_stop) const;

    Sheet& sheet_;
    std::size_t most_, waiting_ = 0;
    bool laid_out_ = false;
    std::vector<Region> regions_;
};

}  // namespace deltaflow::report
