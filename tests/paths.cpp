// Where the project and the program under test are, as the build was told.
#include "tests/paths.hpp"

namespace deltaflow::test {

std::string project_folder() { return DELTAFLOW_ROOT; }
std::string program_path() { return DELTAFLOW_PROGRAM; }

}  // namespace deltaflow::test
