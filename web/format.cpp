// fmt is a compiled library on most systems; there is none for WebAssembly, so here it is.
#include <fmt/format-inl.h>
