// Data files as sources: what the program writes it can read.
#include "engine/exact.hpp"
#include "tests/engine/run.hpp"
#include "tests/folder.hpp"

namespace deltaflow::engine_test {

namespace {

// A run of blocks beside which stands the file data.csv.
Trace run_beside(const std::string& csv, const std::string& blocks, const std::vector<double>& at) {
    const test::Folder folder;
    folder.write("data.csv", csv);
    FlatModel model =
        load_model(folder.write("model.toml", "[blocks]\n" + blocks + "[simulation]\nstop = 3\n"));
    model.settings.at = at;
    Trace trace = simulate(model);
    for (const RunError& error : trace.errors) FAIL_CHECK(error.text);
    return trace;
}

}  // namespace

TEST_CASE("two rows at one time are a jump, and its derivative an impulse") {
    const Trace trace = run_beside("t,u\n0,0\n1,1\n1,3\n2,4\n",
                                   "u = { type = \"data\", file = \"data.csv\" }\n"
                                   "d = \"der(u)\"\n"
                                   "h = { type = \"data\", file = \"data.csv\", interpolate = \"hold\" }\n",
                                   {0.5, 1, 1.5, 2.5});
    CHECK(samples_of(trace, "u") == std::vector<double>{0.5, 3, 3.5, 4});
    CHECK(samples_of(trace, "h") == std::vector<double>{0, 3, 3, 4});
    const auto d = happenings(trace, "d");
    REQUIRE(d.size() == 3);  // the slope begins at 0 and ends at 2
    CHECK(d[1].t == 1);
    check_impulses(d[1].impulses, {2});
}

TEST_CASE("the rows of one time count from the first to the last") {
    const Trace trace = run_beside("0;5\n1;5\n1;100\n1;-7\n2;-7\n",
                                   "u = { type = \"data\", file = \"data.csv\" }\n", {0.5, 1, 1.5});
    CHECK(samples_of(trace, "u") == std::vector<double>{5, -7, -7});
    check_once(trace, "u", 1, 5, -7);
}

// A ramp with a jump; a counter whose jump lies between two samples; a mode of no duration.
TEST_CASE("a trace that the program wrote is read back, jumps and all") {
    const std::string csv =
        "t,epsilon,index,side,y,n,n.delta\n"
        "0,0,0,sample,0,0,\n"
        "0.75,0,0,left,,0,\n"
        "0.75,0,0,right,,1,\n"
        "1,0,0,mythical,50,1,\n"
        "1,0,1,left,1,1,\n"
        "1,0,1,right,3,1,\n"
        "1,0,1,sample,3,1,\n"
        "2,0,0,sample,4,1,\n";
    const Trace trace =
        run_beside(csv,
                   "first = { type = \"data\", file = \"data.csv\" }\n"
                   "y = { type = \"data\", file = \"data.csv\", column = \"y\" }\n"
                   "n = { type = \"data\", file = \"data.csv\", column = \"n\", interpolate = \"hold\" }\n",
                   {0.5, 0.75, 1, 1.5});
    CHECK(samples_of(trace, "y") == std::vector<double>{0.5, 0.75, 3, 3.5});
    CHECK(samples_of(trace, "first") == samples_of(trace, "y"));
    CHECK(samples_of(trace, "n") == std::vector<double>{0, 1, 1, 1});
    check_once(trace, "y", 1, 1, 3);
}

}  // namespace deltaflow::engine_test
