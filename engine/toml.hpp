// toml++, in the one configuration in which all of its users must see it.
#pragma once

#define TOML_HEADER_ONLY 0
#define TOML_EXCEPTIONS 1
#define TOML_ENABLE_FORMATTERS 0

#include <toml++/toml.h>
