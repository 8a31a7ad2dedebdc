// What the pages of elements and of two-poles share.
#pragma once

#include "blocks/schema_text.hpp"
#include "bonds/poles.hpp"

namespace deltaflow::bonds {

std::string parameter_text(const ElementParameter& parameter);
std::string markdown_row(const ElementParameter& parameter);
std::string parameter_schema(const ElementParameter& parameter);

std::string markdown_of_poles();
void add_pole_schemas(schema_text::Members& definitions);

}  // namespace deltaflow::bonds
