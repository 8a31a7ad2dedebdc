// Where the project and the program under test are.
#pragma once

#include <string>

namespace deltaflow::test {

std::string project_folder();
std::string program_path();

}  // namespace deltaflow::test
