// One function a command: does it and gives the exit code. They throw ModelError and OutputError.
#pragma once

#include "app/options.hpp"

namespace deltaflow::app {

int run(const RunOptions& options);
int check(const CheckOptions& options);
int compare(const CompareOptions& options);
int closed_forms(const ExactOptions& options);
int explain(const ExplainOptions& options);
int hypa(const HypaOptions& options);
int show(const ShowOptions& options);
int sweep(const SweepOptions& options);
int merge(const MergeOptions& options);
int blocks(const BlocksOptions& options);
int make_new(const NewOptions& options);
int completion(const CompletionOptions& options);
int studio(const StudioOptions& options);
int man(const ManOptions& options);
int lsp(const LspOptions& options);

}  // namespace deltaflow::app
