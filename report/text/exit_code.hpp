// What the program exits with.
#pragma once

#include "deltaflow/choices.hpp"

namespace deltaflow {

constexpr int exit_code(ErrorKind kind) {
    switch (kind) {
        case ErrorKind::option:
            return 2;
        case ErrorKind::model:
            return 3;
        case ErrorKind::undefined:
            return 4;
        case ErrorKind::no_progress:
            return 5;
        case ErrorKind::file:
            return 6;
        case ErrorKind::not_finite:
            return 7;
        case ErrorKind::assertion:
            return 8;
        case ErrorKind::interrupted:
            return 130;
    }
    return 70;
}

}  // namespace deltaflow
