// The version of the library; states that another version saved are refused.
#pragma once

#define DELTAFLOW_VERSION "0.1.0"

#if defined(_WIN32)
#define DELTAFLOW_API
#else
#define DELTAFLOW_API __attribute__((visibility("default")))
#endif
