// Laid out anew each time it has doubled: what is written is written a few times in all.
#include "report/text/sheet.hpp"

#include <algorithm>

namespace deltaflow::report {

namespace {

constexpr std::size_t piece_size = 1 << 20;

bool put_blanks(std::uint64_t count, Sheet& to, std::uint64_t at, bool may_stop) {
    const std::string blanks(std::min<std::uint64_t>(count, piece_size), ' ');
    for (std::uint64_t done = 0; done < count; done += blanks.size()) {
        if (may_stop && to.hurries()) return false;
        to.put(at + done,
               std::string_view(blanks).substr(0, std::min<std::uint64_t>(count - done, blanks.size())));
    }
    return true;
}

}  // namespace

void MemorySheet::put(std::uint64_t at, std::string_view text) {
    if (text_.size() < at + text.size()) text_.resize(at + text.size());
    text_.replace(at, text.size(), text);
}

void MemorySheet::get(std::uint64_t at, std::span<char> text) {
    std::copy_n(text_.begin() + static_cast<std::ptrdiff_t>(at), text.size(), text.begin());
}

void Regions::add(std::size_t region, std::string_view text) {
    regions_[region].waiting += text;
    waiting_ += text.size();
    if (waiting_ > most_) settle();
}

void for_each_piece(Sheet& sheet, std::uint64_t begin, std::uint64_t end,
                    const std::function<void(std::string_view)>& take) {
    std::string piece;
    for (; begin < end; begin += piece.size()) {
        piece.resize(std::min<std::uint64_t>(end - begin, piece_size));
        sheet.get(begin, piece);
        take(piece);
    }
}

void SheetOf::end(std::uint64_t size) {
    if (own_) for_each_piece(sheet_, 0, size, [&](std::string_view text) { output_.write(text); });
}

bool Regions::fits() const {
    return laid_out_ && std::all_of(regions_.begin(), regions_.end() - 1, [](const Region& region) {
               return region.used + region.waiting.size() <= region.room;
           });
}

// Numbers may need six times as many letters from one time to the next.
bool Regions::is_tight() const {
    return std::any_of(regions_.begin(), regions_.end() - 1,
                       [](const Region& region) { return region.room - region.used < 6 * region.growth; });
}

void Regions::put_what_waits() {
    for (Region& region : regions_) {
        sheet_.put(region.begin + region.used, region.waiting);
        region.growth = region.waiting.size();
        region.used += region.growth;
        region.waiting.clear();
    }
    waiting_ = 0;
}

// Room is made before it is needed, so that making it may be given up.
void Regions::settle() {
    if (!fits()) {
        lay_out(Room::to_grow, false);
        return;
    }
    put_what_waits();
    if (is_tight()) lay_out(Room::to_grow, true);
}

bool Regions::copy(const Region& region, Sheet& to, std::uint64_t at, bool may_stop) const {
    std::string piece(std::min<std::uint64_t>(region.used, piece_size), '\0');
    for (std::uint64_t done = 0; done < region.used; done += piece.size()) {
        if (may_stop && sheet_.hurries()) return false;
        const std::span<char> part(piece.data(), std::min<std::uint64_t>(region.used - done, piece.size()));
        sheet_.get(region.begin + done, part);
        to.put(at + done, {part.data(), part.size()});
    }
    to.put(at + region.used, region.waiting);
    return true;
}

bool Regions::lay_out(Room room, bool may_stop) {
    const std::unique_ptr<Sheet> next = sheet_.another();
    std::vector<Region> regions = regions_;
    std::uint64_t end = 0;
    for (Region& region : regions) {
        const std::uint64_t size = region.used + region.waiting.size(), begin = end + region.lead.size();
        const bool last = &region == &regions.back();  // nothing stands in its way
        const std::uint64_t growth = std::max<std::uint64_t>(region.growth, region.waiting.size());
        const std::uint64_t more = room == Room::none || last ? 0 : std::max(size, 8 * growth);
        next->put(end, region.lead);
        if (!copy(region, *next, begin, may_stop) || !put_blanks(more, *next, begin + size, may_stop))
            return false;
        region = {std::move(region.lead), {}, begin, size, size + more, growth};
        end = begin + region.room;
    }
    regions_ = std::move(regions);
    waiting_ = 0;
    laid_out_ = true;
    sheet_.become(*next);
    return true;
}

std::uint64_t Regions::close(std::string_view tail) {
    if (fits()) put_what_waits();
    const bool all_written = waiting_ == 0 && laid_out_;
    if (!all_written || !sheet_.hurries()) lay_out(Room::none, all_written);
    const std::uint64_t end = regions_.back().begin + regions_.back().used;
    sheet_.put(end, tail);
    sheet_.cut(end + tail.size());
    return end + tail.size();
}

}  // namespace deltaflow::report
