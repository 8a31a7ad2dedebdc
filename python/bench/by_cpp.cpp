// The same work in C++: by_cpp MODEL WHAT N prints seconds of the processor for one of N.
#include "deltaflow/deltaflow.hpp"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <map>
#include <string>

using namespace deltaflow;

int main(int count, char** words) {
    if (count != 4) return 2;
    const std::string path = words[1];
    const int n = std::atoi(words[3]);
    const Model model = Model::load(path);
    Simulation simulation(model);
    double t = 0;
    const std::map<std::string, std::function<void()>> all{
        {"load_and_run", [&] { simulate(Model::load(path)); }},
        {"run", [&] { simulate(model); }},
        {"advance_to", [&] { simulation.advance_to(t += 1e-7); }},
        {"value", [&] { simulation.value("y"); }},
    };
    const auto& work = all.at(words[2]);
    work();
    const std::clock_t begin = std::clock();
    for (int i = 0; i < n; ++i) work();
    std::printf("%.17g\n", static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC / n);
}
