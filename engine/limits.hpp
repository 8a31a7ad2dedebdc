// Tolerances and limits, each with its reason.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace deltaflow::limits {

// Taylor: order of the series where it is not a polynomial. With local terms at 1e-16 an order near 20 to
// 24 costs least per unit of time (Jorba and Zou: -ln(1e-16)/2 + a few).
inline constexpr int taylor_order = 24;
// A flow whose series ends at or below this degree is a polynomial: one step, no error. (Higher ones come out
// of the full series just as exactly, with terms that are zero.)
inline constexpr int polynomial_degree = 8;
// The same where the degree follows from sources through algebra and integrators alone. Beyond, cancellation
// would eat up what exactness gains.
inline constexpr int highest_polynomial = 64;
// Terms of a polynomial may outweigh the polynomial so often before its sum loses `tolerance`.
inline constexpr double cancellation = 1e4;
// The last two terms of a Taylor step, against the largest of the first half, per unit of `tolerance`:
// the default tolerance 1e-12 gives 1e-16, the rounding of a double.
inline constexpr double taylor_tail = 1e-4;
inline constexpr double smallest_tail = 1e-16;
// A step that is no polynomial is at most this part of the run, and so many times the one before.
inline constexpr double longest_step = 1.0 / 16;
inline constexpr double step_growth = 8;
// The equations confirm a step to `tolerance` of the sizes shown in it, but never finer than this: N terms at
// smallest_tail, differentiated, leave a few 1e-15.
inline constexpr double least_confirmed = 1e-14;
// Terms below this part of the largest do not move the places where a signal turns round by much.
inline constexpr double extreme_terms = 1e-7;
// Values of nonlinear functions on the way need only have the right shape.
inline constexpr double confirmed_shape = 1e-3;
// Smaller than any size that means something, unless `absolute` says so; nearer to underflow a power that
// grows out of zero would take thousands of steps, and terms of a series have no digits left.
inline constexpr double least_size = 1e-100, least_absolute_size = 1e-250;
// A step that was found wrong is shortened by a factor between these.
inline constexpr double least_shortening = 1.0 / 16, most_shortening = 0.7;
// A root is confirmed this part of its step before it, where the branch that it ends still holds.
inline constexpr double before_root = 0x1p-20;
// A step that would end where a condition is zero to rounding ends so much earlier.
inline constexpr double away_from_root = 0.8;
// A step below this fraction of the time (or of the run) cannot be told from none.
inline constexpr double smallest_step = 1e-14;
// The part of a run before which nothing happens: stiff runs over many powers of ten begin with short steps.
inline constexpr double earliest_change = 1e-9;

// Errors of single steps add up: this part of the tolerance is asked of each, but no more than doubles have.
inline constexpr double local_share = 0.1;
inline constexpr double smallest_local_tolerance = 2e-15;
// An error may be so many times its estimate, inside a step and where errors of other states add to it.
inline constexpr double error_estimates = 10;
// A state that began as zero is measured at least against this part of the largest state.
inline constexpr double size_beside_largest = 1e-20;
// The longest step of methods without a series, as a part of the run: a pulse of a hundredth of it is seen.
inline constexpr double longest_sampled_step = 1.0 / 200;
// A first step moves no state by more than this part of the size that it has shown.
inline constexpr double first_move = 0.01;

// Proofs (certify). A state that has shown less than this counts as if it had: nothing has a relative error.
inline constexpr double smallest_size = 1e-60;
// Steps are proved this part longer than they are taken: what happens at their very end lies inside.
inline constexpr double proof_margin = 0x1p-8;
// An event lies where its condition is zero to so many times what is known of it.
inline constexpr double proved_zero = 64;
// Where the end of a step is in doubt it is taken so much shorter.
inline constexpr double away_from_doubt = 0.75;
// A root of several orders, as a double has it: half or a third of its digits.
inline constexpr double same_root = 1e-6;
// Tries without progress by a thousandth of the run: the step creeps, and the run would take for ever.
inline constexpr std::uint64_t proof_attempts = 100000;
inline constexpr double proof_progress = 1e-3;

// Roots are located to this many ulps of the time; a due event as near as that is the same instant.
inline constexpr double same_time_ulps = 8;
// Subdivision of a Bernstein form ends at this fraction of the step: a touch.
inline constexpr double root_resolution = 1e-15;
// Halvings that leave no digit of a root to find.
inline constexpr int root_halvings = 60;
// A series may be off by so many times its rounding; what is larger need not be asked of the equations.
inline constexpr double may_be_doubt = 1e6;

// Loops: dense LU up to this size, sparse LU above.
inline constexpr int dense_loop = 24;
inline constexpr int newton_iterations = 60;
// The smallest part of a Newton step that is tried: an exponential may allow no more than some 700 of 1e9.
inline constexpr double least_part = 0x1p-40;
// A step that leaves so little of the correction has not passed a fold on its way, but by bad luck.
inline constexpr double surely_near = 1.0 / 16;
// So many steps one after the other that a loop has cut short must bring the run forward by this part of it.
inline constexpr int creeping_steps = 100;
inline constexpr double creeping = 1e-6;
// Arguments of functions below this part of the largest one are not resolved in relation to themselves.
inline constexpr double argument_scale = 1e-6;
// Paths to solutions, in lengths of the first Newton step: the first arc, the shortest one, how far off the
// path may be as a part of the arc, and when to give up.
inline constexpr double first_arc = 0.1, least_arc = 1e-10, path_width = 1e-3;
inline constexpr int path_steps = 400, path_corrections = 8;
// Residuals that no longer fall are rounding below this part of what the equation adds up.
inline constexpr double newton_rounding = 16 * 2.3e-16;
// A reciprocal condition below this means a loop has no unique solution in doubles.
inline constexpr double singular_rcond = 1e-14;

// Equal nodes in a row are run as one batch up to this many inputs; few blocks have more.
inline constexpr int batch_inputs = 6;

// Instants: solves of one instant, commits at one time; real models need a handful.
inline constexpr int branch_solves = 200;
inline constexpr int commits_at_a_time = 10000;
// Sliding: integrators between a block and its condition; sets of held blocks that an instant tries.
inline constexpr int sliding_order = 16;
inline constexpr int sliding_trials = 100;

// The ledger of energy doubles the work of a step; larger graphs go without.
inline constexpr std::size_t ledger_elements = 2000;
// Energies at an instant are sums of squares of values that carry the rounding of a solve.
inline constexpr double energy_rounding = 1e-13;
inline constexpr double energy_audit = 1e-9;

// A change of mode that reaches more of a graph than this is solved on the whole of it: that costs as little.
inline constexpr double part_of_graph = 0.5;

// A mode keeps the values it was entered with, but for the rounding of the solve.
inline constexpr double kept = 1e-9;

// Instants at which automata switch together are tried one at a time, too: the first few of a run.
inline constexpr int order_trials = 20;

// Zeno: so many shrinking intervals of steady ratio, and an estimated rest below this part of what they have
// covered so far: of microseconds and of years alike.
inline constexpr int zeno_intervals = 8;
inline constexpr double zeno_rest = 1e-6;
inline constexpr double zeno_ratio_steadiness = 0.05;
// With ratios as small as these eight intervals would end in the rounding of time: three or two ratios that
// agree must do.
inline constexpr double zeno_fast = 0.2;
inline constexpr double zeno_fastest = 0.02;
// Intervals of so many roundings of the time: a bounce as short as that cannot be told from a touch any more.
inline constexpr double zeno_resolution = 64;
// Of intervals that errors of the method keep from shrinking any further: so small a part of a former one.
inline constexpr double zeno_shrunk = 0.1;
// Instants, one after the other, that a double cannot tell apart in time.
inline constexpr int stuck_instants = 100;

// A hop of slope v and curvature 2 c rises v^2 / (4 c). Methods without a series read a condition to eight
// times its bound, and see no hop below that; this is twice as much.
inline constexpr double hidden_hop = 64;

// Methods without a series look at conditions in this many Chebyshev points of a step.
inline constexpr int collocation_points = 9;
// The past that delays keep: as Taylor series where each covers so much of a step, else as polynomials
// through points, halved at most so often until they meet the signal between them, in units of the tolerance.
inline constexpr double shortest_expansion = 1.0 / 32;
inline constexpr int fit_halvings = 8;
inline constexpr std::array fit_points = {0.0841, 0.3371, 0.7113};
inline constexpr double history_fit = 10;

// Numeric impulses: what is nearer to a sample than this part of a step happens in it. Shorter steps would
// make impulses so high that they lose the digits that are sought.
inline constexpr double same_sample = 1e-9;
// Rounding of a sample after many steps, against what it was added up from: an assertion lets it pass.
inline constexpr double sample_rounding = 1e-13;
// Just after a sample, as a part of a step: what a condition already is there it did not become under way.
inline constexpr double just_after = 0x1p-26;
// The step, as a part of a whole one, that decides between modes: so short that an impulse outweighs what is
// finite, and long enough for difference quotients to keep half of their digits.
inline constexpr double instant_step = 0x1p-16;
// A jump of a state over that step, as a part of the state; what is finite moves it by far less.
inline constexpr double sample_jump = 1e-6;
// How far back the sizes are looked up that a sample was added up from.
inline constexpr int magnitude_depth = 8;
// Samples, one after the other, that change the mode: more than any cascade of collisions.
inline constexpr int switching_samples = 1000;

// A part of a run that is handed on: so many samples, and so many events of one island.
inline constexpr std::size_t samples_in_a_part = 4096, events_in_a_part = 65536;
// Samples of a run: more would take days to write.
inline constexpr double most_samples = 1e10;
// Steps that numeric impulses or a delay ask for beforehand: some minutes; and those of rk4 and euler.
inline constexpr double most_steps = 1e8, most_plain_steps = 1e12;
// A period that would bring so many times the events that are allowed is refused before the run.
inline constexpr double hopeless_events = 1000;
// Samples of one step of numeric impulses, between which a value is held: they are kept until it is taken.
inline constexpr double samples_of_a_step = 1e5;

// Exact numbers: bits of a numerator or denominator, some twelve hundred decimal digits. What is longer grows
// with every event, and each costs the cube of it.
inline constexpr unsigned exact_bits = 1 << 12;
// On the way to them, in rungs and in Sturm's chains, there is more.
inline constexpr unsigned exact_work_bits = 1 << 15;
// Denominators of a condition of degree three or more: its root is halved down to twice as many bits.
inline constexpr unsigned exact_root_bits = 1 << 11;
// Bits of all numbers of a closed form together: 128 MB.
inline constexpr std::size_t exact_total_bits = std::size_t{1} << 30;

// Whole numbers that floor counts up to: a branch is an int, and strides double.
inline constexpr int largest_whole = 1 << 29;

// Regularity and demand that pass this bound fall or grow without end.
inline constexpr int deepest_rung = 64;

}  // namespace deltaflow::limits
