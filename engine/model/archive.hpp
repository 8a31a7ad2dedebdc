// Values as bytes and back. One list of fields serves both ways, so that they cannot drift apart.
#pragma once

#include "signal/rational.hpp"

#include <array>
#include <cstddef>
#include <cstring>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace deltaflow {

// Bytes that are not what was saved.
struct BadArchive : std::runtime_error {
    BadArchive() : std::runtime_error("the saved state is damaged") {}
};

class Archive {
public:
    Archive() = default;  // writes
    explicit Archive(std::span<const std::byte> bytes) : writing_(false), rest_(bytes) {}

    bool is_writing() const { return writing_; }
    std::vector<std::byte> take() { return std::move(bytes_); }
    std::size_t left() const { return rest_.size(); }

    // Writes the fields, or reads them. Lists of things that cannot be made from nothing have their length
    // already.
    template <class... T>
    void operator()(T&... fields) {
        (visit(fields), ...);
    }

    // The length of something: what is read cannot be longer than the bytes that are left.
    std::size_t length(std::size_t n) {
        std::uint64_t wide = n;
        raw(&wide, sizeof wide);
        if (!writing_ && wide > rest_.size()) throw BadArchive();
        return static_cast<std::size_t>(wide);
    }

private:
    void raw(void* p, std::size_t n) {
        if (writing_) {
            const auto* from = static_cast<const std::byte*>(p);
            bytes_.insert(bytes_.end(), from, from + n);
        } else {
            if (rest_.size() < n) throw BadArchive();
            if (n > 0) std::memcpy(p, rest_.data(), n);
            rest_ = rest_.subspan(n);
        }
    }

    template <class T>
    void visit(T& x) {
        if constexpr (requires { x.archive(*this); })
            x.archive(*this);
        else if constexpr (requires { archive(*this, x); })
            archive(*this, x);
        else
            plain(x);
    }
    template <class T>
    void plain(T& x) {
        static_assert(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>);
        raw(&x, sizeof x);
    }
    void visit(Integer& n) {
        std::string digits = writing_ ? n.str() : std::string();
        visit(digits);
        if (!writing_) n = Integer(digits);
    }
    void visit(std::string& s) {
        s.resize(length(s.size()));
        raw(s.data(), s.size());
    }
    template <class T>
    void visit(std::vector<T>& list) {
        resize(list);
        if constexpr (std::is_trivially_copyable_v<T> && !requires(T & x) { x.archive(*this); } &&
                      !std::is_same_v<T, bool>)
            raw(list.data(), list.size() * sizeof(T));
        else
            for (T& x : list) visit(x);
    }
    template <class T>
    void visit(std::deque<T>& list) {
        resize(list);
        for (T& x : list) visit(x);
    }
    template <class A, class B>
    void visit(std::pair<A, B>& p) {
        visit(p.first);
        visit(p.second);
    }
    template <class T>
    void visit(std::optional<T>& x) {
        bool there = x.has_value();
        visit(there);
        if (!there) return x.reset();
        if (!x) x.emplace();
        visit(*x);
    }
    template <class K, class V>
    void visit(std::map<K, V>& map) {
        std::size_t n = length(map.size());
        if (writing_) {
            for (auto& [key, value] : map) {
                K copy = key;
                visit(copy);
                visit(value);
            }
            return;
        }
        map.clear();
        while (n-- > 0) {
            K key{};
            visit(key);
            visit(map[key]);
        }
    }
    template <class L>
    void resize(L& list) {
        const std::size_t n = length(list.size());
        if constexpr (std::is_default_constructible_v<typename L::value_type>)
            list.resize(n);
        else if (n != list.size())
            throw BadArchive();
    }

    bool writing_ = true;
    std::vector<std::byte> bytes_;
    std::span<const std::byte> rest_;
};

}  // namespace deltaflow
