// The compiled part of toml++. Its asserts abort on some malformed input, so it is built without them.
#ifndef NDEBUG
#define NDEBUG
#endif
#define TOML_IMPLEMENTATION
#include "engine/front/read/toml.hpp"
