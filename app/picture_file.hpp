// Pictures as files: SVG, or PNG and PDF where a program is installed that converts them.
#pragma once

#include "app/files.hpp"

namespace deltaflow::app {

// As write_file; a path that ends in .png or .pdf gets a picture of that kind. Throws OutputError.
void write_picture(const std::string& path, const Writer& svg);

}  // namespace deltaflow::app
