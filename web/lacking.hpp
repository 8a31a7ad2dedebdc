// What the engine uses of the C++20 library and the one that comes with emscripten lacks; included before
// everything.
#pragma once

#include <cstring>
#include <type_traits>

namespace std {

template <class To, class From>
requires(sizeof(To) == sizeof(From) && is_trivially_copyable_v<To> && is_trivially_copyable_v<From>) To
    bit_cast(const From& from)
noexcept {
    To to;
    memcpy(&to, &from, sizeof to);
    return to;
}

// There are no threads here: what one should do is done at once, by whoever asks.
class jthread {
public:
    template <class Work>
    explicit jthread(Work work) {
        work();
    }
};

}  // namespace std
