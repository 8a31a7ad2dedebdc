// What --help says below the options of each command, with examples; manual page and completion print it,
// too.
#pragma once

namespace deltaflow::app {

inline constexpr const char* greeting =
    R"(Deltaflow simulates diagrams whose wires carry distributions: functions that jump, impulses and their
derivatives. Three commands to begin with:

  deltaflow new ball.toml            write a small model, with comments
  deltaflow run ball.toml --plot -   run it and draw it here
  deltaflow blocks                   what models can be made of

"deltaflow --help" lists all commands.
)";

inline constexpr const char* main_examples = R"(Examples:
  deltaflow new ball.toml
  deltaflow run ball.toml
  deltaflow check ball.toml
  deltaflow compare ball.toml
  deltaflow show ball.toml --svg ball.svg
  deltaflow blocks integrator

Exit codes: 0 done; 2 wrong usage; 3 the model is wrong; 4 an operation that distribution theory does not
define; 5 time does not diverge; 6 a file could not be read or written; 7 numbers left the finite range;
8 an assert failed; 70 a mistake of the program; 128 + n ended by signal n.)";

inline constexpr const char* run_examples =
    R"(FILE may be - for standard output. Numbers may be fractions or expressions: 1/100, 2*pi.
--plot - draws in the terminal. --plot "y,v;F" says what pictures show: y and v in one panel, F in the next;
without --svg it draws in the terminal, too. --plot "y:v" draws v over y, a phase plane. --svg ball.png and ball.pdf work
where rsvg-convert, inkscape, cairosvg or ImageMagick is installed.

Examples:
  deltaflow run ball.toml
  deltaflow run ball.toml --plot -
  deltaflow run ball.toml --svg ball.svg --plot "y,v;F"
  deltaflow run ball.toml --svg ball.svg --plot "y:v" --size 600x600
  deltaflow run ball.toml --svg ball.svg --record y --also e=0.5 --also e=0.9 --from 1 --to 3
  deltaflow run ball.toml --stop 2 --set e=0.5 --record y,v --svg ball.svg
  deltaflow run ball.toml --quiet --json - --at 0.5,1,3/2
  deltaflow run ball.toml --impulses numeric --step 1/1000 --csv ball.csv
  deltaflow run ball.toml --set simulation.zeno=stop --table)";

inline constexpr const char* check_examples = R"(Examples:
  deltaflow check ball.toml
  deltaflow check ball.toml --json -)";

inline constexpr const char* compare_examples =
    R"(Without --steps: a hundredth, a thousandth and a ten thousandth of the run. Without --signal: the first recorded
signal that impulses reach. Steps may be fractions.

Examples:
  deltaflow compare ball.toml
  deltaflow compare ball.toml --steps 1/100,1/1000 --signal v --json - --svg ball.svg)";

inline constexpr const char* exact_examples =
    R"(Every signal as a piecewise polynomial of t and impulses, in fractions and at most one square root. Models that
are not polynomial, and events at other times, are refused.

Examples:
  deltaflow exact ball.toml
  deltaflow exact ball.toml --stop 3/2 --set g=981/100 --record y,v
  deltaflow exact ball.toml --latex > ball.tex
  deltaflow exact ball.toml --json -)";

inline constexpr const char* hypa_examples =
    R"(The notation is that of Cuijpers, Broenink and Mosterman, Constitutive Hybrid Processes (2004).

Examples:
  deltaflow hypa collision.toml
  deltaflow hypa collision.toml --latex > collision.tex
  deltaflow hypa vacuum_chamber.toml --compose 64)";

inline constexpr const char* show_examples =
    R"(With neither --svg nor --dot: a list of blocks and elements, in words. --svg needs the program dot of Graphviz.
A mode names states of automata, or controlled elements as on or off; without --mode: the initial one.

Examples:
  deltaflow show ball.toml
  deltaflow show ball.toml --svg ball.svg
  deltaflow show collision.toml --mode touch=together --svg collision.svg
  deltaflow show cradle.toml --flat --dot - | dot -Tpdf > cradle.pdf)";

inline constexpr const char* explain_examples =
    R"(T is a time as `run` prints it, or a fraction. N counts the events in the list that `run` prints, from 1; one
more is the instant that ended a run by an error.

Examples:
  deltaflow explain ball.toml --event 1
  deltaflow explain ball.toml --event 1 --svg instant.svg
  deltaflow explain ball.toml --at 1.42784312 --latex > instant.tex
  deltaflow explain ball.toml --event 1 --set e=0.5 --json -)";

inline constexpr const char* merge_examples =
    R"text(Examples:
  deltaflow merge part1.csv part2.csv --output all.csv
  deltaflow sweep merge part*.csv --output all.csv)text";

inline constexpr const char* sweep_examples =
    R"text(A row a run: the parameters, the final value of each recorded signal, the number of events, and how it ended.
FROM:TO:STEP counts in fractions, both ends included. With several --over every combination is run, the last one fastest.
log:FROM:TO:COUNT are values with the same factor between them. normal:MEAN:DEVIATION and uniform:FROM:TO are drawn by chance,
--runs of each, from --seed on; they are not combined with each other.
Measures: max, min, mean and final of a signal; first and count of what happens: the signal jumps or has an impulse, or what is
named causes an event. The mean counts what impulses bring.
--svg and --plot - draw measures, or else final values, over the parameter with the most values.
A run that fails has its row, too: the others go on, and how it failed is said in the end.

Examples:
  deltaflow sweep ball.toml --over e=0:1:0.1
  deltaflow sweep ball.toml --over e=0.5:0.9:0.05 --measure "max(v)" --measure "count(hit)" --svg ball.svg
  deltaflow sweep ball.toml --over g=log:1:100:9 --measure "first(hit)" --plot -
  deltaflow sweep ball.toml --over e=normal:0.8:0.05 --runs 50 --seed 7 --measure "final(y)" --csv ball.csv
  deltaflow sweep ball.toml --over e=0.5:0.9:0.1 --over y0=5,10 --record v --csv ball.csv
  deltaflow sweep ball.toml --over simulation.method=taylor,rk4,euler --step 1/1000
  deltaflow sweep ball.toml --over e=uniform:0:1 --over g=uniform:1:20 --sampling sobol --runs 1024 --csv ball.csv
  deltaflow sweep ball.toml --over @points.csv --csv ball.csv --resume)text";

inline constexpr const char* blocks_examples = R"(Examples:
  deltaflow blocks
  deltaflow blocks integrator
  deltaflow blocks --schema > model.schema.json)";

inline constexpr const char* new_examples =
    R"(A file that is already there is left alone unless --force is given.

Templates:
{}
Examples:
  deltaflow new ball.toml
  deltaflow new circuit.toml --template circuit
  deltaflow new - --template doses)";

inline constexpr const char* completion_examples =
    R"(The scripts ask for --parameters and --signals of the model that stands on the line, after --set, --over, --record,
--signal and --plot.

Examples:
  deltaflow completion bash > ~/.local/share/bash-completion/completions/deltaflow
  deltaflow completion zsh > ~/.zfunc/_deltaflow
  deltaflow completion fish > ~/.config/fish/completions/deltaflow.fish
  source <(deltaflow completion bash)
  deltaflow completion --parameters ball.toml)";

inline constexpr const char* lsp_examples =
    R"(A language server for model files, by the language server protocol. Editors start it; docs/editors.md tells how.

Examples:
  deltaflow lsp
  deltaflow lsp --stdio)";

inline constexpr const char* help_examples = R"(Examples:
  deltaflow help
  deltaflow help run)";

// What the manual page says beside commands.
inline constexpr const char* model_words =
    R"(A model is a text file in TOML. All tables but one of [blocks], [elements], [circuit] and [mechanics] may be missing; the
order of definitions does not matter.

  name  = "Bouncing ball"
  about = "A unit mass on a rigid floor; restitution e."
  use   = ["library.toml"]            # diagrams of other files
  [parameters]                        # numbers, or expressions of parameters
  e = 0.8
  [blocks]                            # a name is an output
  a   = "-9.81 + F"                   # an expression
  F   = "-(1 + e) * pre(v) * hit"
  hit = { type = "crossing", in = "y", direction = "falling" }
  v   = { type = "integrator", in = "a" }
  y   = { type = "integrator", in = "v", initial = 10 }
  [simulation]
  stop   = 4                          # start, method, impulses, step, every, tolerance, zeno ...
  record = ["y", "v", "F"]            # default: every block

Expressions know + \- * / ^, comparisons, and, or, not, t, pi, sin cos tan exp log sqrt abs sign min max and more, if(c, u, v),
der(x), the derivative, and pre(x), the left limit.

[diagrams.NAME] is a diagram that can be used as a type, with inputs, outputs, parameters and blocks. [elements], [bonds] and
[automata.NAME] are a bond graph, [circuit] and [mechanics] networks of two-poles. "deltaflow blocks" lists all types,
"deltaflow blocks NAME" tells what one of them takes, and "deltaflow new FILE" writes a model to begin with.)";

inline constexpr const char* files_words = R"(FILE.toml:
  a model, or diagrams that models use
FILE.csv:
  what a block of type data reads: a header, or none; times in the first column
trace (run \-\-csv, \-\-json, \-\-jsonl):
  samples and events; impulses are lists of coefficients of delta and its derivatives
checkpoint (run \-\-checkpoint):
  the state of a run, from which run \-\-resume goes on

A file that is written appears whole or not at all. An output never takes the place of the model, of a file that it uses, or of
another output.)";

inline constexpr const char* studio_examples =
    R"(Serves the page on the loopback address, with the folder of the model: models are read from it and saved into
it. Nobody else on the machine or in the network can reach it.

Examples:
  deltaflow studio
  deltaflow studio ball.toml
  deltaflow studio ball.toml --port 8017 --no-browser)";

inline constexpr const char* man_examples = R"(Examples:
  deltaflow man | man -l -
  deltaflow man > deltaflow.1)";

}  // namespace deltaflow::app
