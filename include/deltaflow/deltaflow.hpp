// Everything.
#pragma once

#include "deltaflow/choices.hpp"
#include "deltaflow/error.hpp"
#include "deltaflow/model.hpp"
#include "deltaflow/simulation.hpp"
#include "deltaflow/sink.hpp"
#include "deltaflow/trace.hpp"
#include "deltaflow/version.hpp"
