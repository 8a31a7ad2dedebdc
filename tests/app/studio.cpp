// What `deltaflow studio` refuses before it serves anything. web/tests talks to it.
#include "tests/app/program.hpp"

#include <catch2/catch.hpp>

using Catch::Matchers::Contains;

TEST_CASE("the studio needs its page", "[studio]") {
    const Workplace here;
    const Result result = here.deltaflow("studio --no-browser --page nowhere");
    CHECK(result.code == 6);
    CHECK_THAT(result.err, Contains("the page of the studio is not installed"));
    CHECK(result.out.empty());
}

TEST_CASE("the studio begins with a model that is there", "[studio]") {
    const Workplace here;
    here.write("index.html", "<!doctype html>");
    const Result result = here.deltaflow("studio gone.toml --no-browser --page .");
    CHECK(result.code == 6);
    CHECK_THAT(result.err, Contains("gone.toml: there is no such file"));
    CHECK(here.deltaflow("studio --port 70000 --page .").code == 2);
}

TEST_CASE("the studio serves until it is interrupted", "[studio]") {
    const Workplace here;
    here.write("index.html", "<!doctype html>");
    const Result result = here.interrupted("studio --no-browser --page .", 0.5);
    CHECK(result.code == 0);
    CHECK_THAT(result.out, Contains("the studio is at http://127.0.0.1:"));
}
