"""The purposes of all random draws, in one place: two that differ never share bits.

The purpose is one of the four words of 32 bits that `philox` hashes. Its lowest 8 bits are one of
the numbers below. Above them a purpose may count its lanes, strata or attempts.
"""

from ..sums import U

# replicates; each of these numbers belongs to one kernel or one family of kernels
COUNT, REFINE, CORRECT = U(0), U(1), U(2)  # bootstrap weights; above the last two, the lane
SIGNS = U(3)  # exchanges of two models' ranks
FLIPS = U(4)  # signs of differences
EXCHANGES = U(5)  # coins of cells of equal cases
WEIGHTS = U(6)  # exponential weights of Walsh averages
SHUFFLES = U(7)  # permutations within rows; above it, how often they were drawn anew
COUNTS = U(8)  # how many cases fall into each cell of a table
POISSON, POISSON_AGAIN = U(10), U(11)  # independent bootstrap weights; above the last, the lane
LABELS = U(9)  # how many labels of a bin are positive, drawn from the cases' probabilities

# trials of simulations
CASES = U(16)
SPLIT, RESAMPLED, FOLDS, HALVES = U(17), U(18), U(19), U(20)  # schemes of Dietterich's tests
RETRAINED = U(8)  # added to a scheme: what its rounds answer anew
SCORES, SEEDS = U(29), U(30)
ROUNDS, DATASETS = U(31), U(32)

GAPS = U(40)  # the largest difference of any two models, drawn once for all data

LANE_SHIFT = ATTEMPT_SHIFT = U(8)
STRATUM_SHIFT = U(14)  # above the 64 lanes
