// What goes wrong, with its kind and its places.
#pragma once

#include "deltaflow/choices.hpp"
#include "deltaflow/version.hpp"

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace deltaflow {

// A mistake in a model. Lines and columns count from 1; line 0: nowhere in particular.
struct Mistake {
    std::string file;
    unsigned line = 0, column = 0;
    std::string message;
    std::vector<std::string> notes;  // what to do
};

// `what()` is the complete text, as the program would print it.
class DELTAFLOW_API Error : public std::runtime_error {
public:
    Error(ErrorKind kind, const std::string& text, std::vector<Mistake> mistakes = {},
          std::optional<double> t = {});
    ~Error() override;
    ErrorKind kind() const { return kind_; }
    const std::vector<Mistake>& mistakes() const { return mistakes_; }
    // When it happened, if it happened in a run.
    std::optional<double> time() const { return t_; }

private:
    ErrorKind kind_;
    std::vector<Mistake> mistakes_;
    std::optional<double> t_;
};

}  // namespace deltaflow
