// Sources become schedules.
#include "tests/blocks/blocks.hpp"
#include "tests/folder.hpp"

#include <catch2/catch.hpp>

#include <limits>

using namespace deltaflow;
using namespace deltaflow::testing;
using deltaflow::test::Folder;

namespace {

// "before; t: value slope [impulses]; ..."
std::string text(const Schedule& s) {
    std::string all = fmt::format("{}", s.before);
    for (const Breakpoint& p : s.points) {
        all += fmt::format("; {}: {} {}", to_string(p.t), p.value, p.slope);
        for (const double c : p.impulses) all += fmt::format(" [{}]", c);
    }
    return s.period ? all + " every " + to_string(*s.period) : all;
}

std::string schedule(std::string_view type, std::vector<Argument> given) {
    return text(make_block(type, std::move(given)).schedule());
}

std::string read(const std::string& content, std::vector<Argument> given = {}) {
    const Folder folder;
    given.push_back(word("file", folder.write("data.csv", content)));
    return schedule("data", std::move(given));
}

// With the name of the file, without its folder.
std::string read_error(const std::string& content, std::vector<Argument> given = {}) {
    const Folder folder;
    given.push_back(word("file", folder.write("data.csv", content)));
    std::string message = argument_error("data", std::move(given));
    const std::string place = folder.path().string() + "/";
    if (const auto at = message.find(place); at != std::string::npos) message.erase(at, place.size());
    return message;
}

}  // namespace

TEST_CASE("Steps, ramps and pulses are breakpoints at exact times", "[sources]") {
    CHECK(schedule("step", {number("at", 0.1), number("size", 0.2), number("initial", 0.1)}) ==
          "0.1; 1/10: 0.3 0");
    CHECK(schedule("ramp", {exact_number("at", "1/3"), number("slope", 2)}) == "0; 1/3: 0 2");
    CHECK(schedule("pulse", {number("at", 1), number("width", 0.5), number("size", 3)}) ==
          "0; 1: 3 0; 3/2: 0 0");
    CHECK(schedule("pulse", {number("width", 0.5), number("period", 2)}) == "0; 0: 1 0; 1/2: 0 0 every 2");
}

TEST_CASE("Impulses stand in order, those of one time together", "[sources]") {
    CHECK(schedule("impulse", {number("at", 1), number("size", 5)}) == "0; 1: 0 0 [5]");
    CHECK(schedule("impulse", {number("at", 1), number("order", 2)}) == "0; 1: 0 0 [0] [0] [1]");
    const auto at = [](double t, double size, int order) {
        return TrainEntry{number_from_double(t), number_from_double(size), order};
    };
    CHECK(schedule("impulse", {train({at(2, 1, 0), at(1, 2, 1), at(1, 3, 0), at(1, 4, 0)})}) ==
          "0; 1: 0 0 [7] [2]; 2: 0 0 [1]");
    CHECK(argument_error("impulse", {train({at(1, 2, 21)})}) ==
          "train: order has to be a whole number from 0 to 20");
    CHECK(argument_error("impulse", {train({at(0, 1, 0), at(2, 1, 0)}), number("period", 2)}) ==
          "period: the whole train has to fit into one period");
}

TEST_CASE("Sources refuse what makes no sense", "[sources]") {
    CHECK(argument_error("impulse", {}) == ": an impulse needs \"at\", or a \"train\"");
    CHECK(argument_error("impulse", {number("at", 1), train({})}) ==
          "at: give \"at\" or a \"train\", not both");
    CHECK(argument_error("impulse", {train({})}) == "train: the train is empty");
    CHECK(argument_error("impulse", {number("at", 1), number("order", 1.5)}) ==
          "order: order has to be a whole number from 0 to 20");
    CHECK(argument_error("pulse", {number("width", 0)}) == "width: width has to be greater than 0");
    CHECK(argument_error("pulse", {number("width", 2), number("period", 2)}) ==
          "width: width has to be less than period");
    CHECK(argument_error("sine", {}) == ": a sine needs frequency (Hz) or omega (rad/s)");
    CHECK(argument_error("sine", {number("omega", 1), number("frequency", 1)}) ==
          "omega: give frequency (Hz) or omega (rad/s), not both");
    CHECK(argument_error("constant", {number("value", std::numeric_limits<double>::infinity())}) ==
          "value: value has to be a finite number");
    CHECK(argument_error("polynomial", {list("coefficients", {})}) ==
          "coefficients: a polynomial needs at least one coefficient");
}

TEST_CASE("Data are read from a column of a file", "[sources]") {
    const std::string content = "t, speed ,\"force\"\r\n0,1,10\r\n\r\n0.1, 3 ,20\n1e0,-1.5,30";
    CHECK(read(content) == "1; 0: 1 20; 1/10: 3 -5; 1: -1.5 0");
    CHECK(read(content, {word("column", "force"), word("interpolate", "hold")}) ==
          "10; 0: 10 0; 1/10: 20 0; 1: 30 0");
    CHECK(read("u,t\n5,0\n7,1\n", {word("time", "t"), word("column", "u")}) == "5; 0: 5 2; 1: 7 0");
    CHECK(read("when,u\n5,0\n") == "0; 5: 0 0");
}

TEST_CASE("Data need no header, and tabs or semicolons part their fields as well", "[sources]") {
    CHECK(read("0,1\n2,5\n") == "1; 0: 1 2; 2: 5 0");
    CHECK(read("0;1\n2;5\n") == "1; 0: 1 2; 2: 5 0");
    CHECK(read("time\tu\n0\t1\n2\t5\n") == "1; 0: 1 2; 2: 5 0");
    CHECK(read("t;\"a, b\";c\n0;1;7\n", {word("column", "a, b")}) == "1; 0: 1 0");
    CHECK(read("\xEF\xBB\xBFt,u\n0,1\n") == "1; 0: 1 0");
}

TEST_CASE("Columns of data are given by name or by number from 1 on", "[sources]") {
    const std::string content = "when,2,u\n0,10,20\n1,11,22\n";
    CHECK(read(content, {word("column", "3")}) == "20; 0: 20 2; 1: 22 0");
    CHECK(read(content, {word("column", "2")}) == "10; 0: 10 1; 1: 11 0");  // its name
    CHECK(read("0,10,20\n1,11,22\n", {word("column", "3")}) == "20; 0: 20 2; 1: 22 0");
    CHECK(read(content, {word("column", "when"), word("time", "u")}) == "0; 20: 0 0.5; 22: 1 0");
    CHECK(read_error(content, {word("column", "4")}) ==
          "column: there is no column 4 in the file; it has 3, counted from 1");
    CHECK(read_error("0,1\n", {word("time", "u")}) ==
          "time: the file has no header row: give the number of a column, from 1 on");
}

TEST_CASE("Rows of equal times are a jump", "[sources]") {
    CHECK(read("t,u\n0,1\n1,2\n1,5\n2,6\n") == "1; 0: 1 1; 1: 5 1; 2: 6 0");
    CHECK(read("t,u\n0,1\n0,3\n1,3\n") == "1; 0: 3 0; 1: 3 0");
}

TEST_CASE("A data file that cannot be used says why and where", "[sources]") {
    const std::string place = "file: data.csv:";
    CHECK(argument_error("data", {word("file", "no/such.csv")}) == "file: cannot read \"no/such.csv\"");
    CHECK_THROWS_AS(make_block("data", {word("file", "no/such.csv")}), UnreadableFile);
    CHECK(read_error("") == place + "0: there is nothing to read in it");
    CHECK(read_error("t\n1\n") == place + "1: there is only one column; a time and a value are needed");
    CHECK(read_error("t,u\n") == place + "1: there are no rows below the header");
    CHECK(read_error("t,u\n1,1\n0,2\n") == place + "3: the times must not decrease");
    CHECK(read_error("t,u\n0,one\n") == place + "2: \"one\" is not a number");
    CHECK(read_error("t,u\n0,nan\n") == place + "2: \"nan\" is not a number");
    CHECK(read_error("t,u\n0,1\n1\n") == place + "3: there is no column 2 here");
    CHECK(read_error("t,speed\n0,1\n", {word("column", "sped")}) ==
          "column: there is no column \"sped\" in the file; did you mean \"speed\"?");
}
