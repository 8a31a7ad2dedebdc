// The runs of a study that are left to do, or those of one part of it.
#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

namespace deltaflow {

// Part `shard` of `shards`, counted from 0: every run of that many, so that parts take about the same time.
struct Share {
    std::size_t shard = 0, shards = 1;
    std::size_t size(std::size_t all) const { return (all + shards - 1 - shard) / shards; }
    std::size_t index(std::size_t position) const { return shard + position * shards; }
    std::size_t position(std::size_t index) const { return (index - shard) / shards; }
};

// Handed out in order, each once; threads may share it.
class ToDo {
public:
    ToDo(std::size_t runs, Share share = {}, std::size_t from = 0, std::set<std::size_t> done = {})
        : share_(share),
          position_(from),
          end_(share.size(runs)),
          left_(end_ - from - done.size()),
          done_(std::move(done)) {}

    // The number of a run in the whole study.
    std::optional<std::size_t> next() {
        const std::lock_guard lock(taking_);
        while (position_ < end_ && done_.erase(share_.index(position_)) > 0) ++position_;
        if (position_ >= end_) return std::nullopt;
        return share_.index(position_++);
    }
    // How many there were at first.
    std::size_t size() const { return left_; }

private:
    std::mutex taking_;
    Share share_;
    std::size_t position_, end_, left_;
    std::set<std::size_t> done_;
};

}  // namespace deltaflow
