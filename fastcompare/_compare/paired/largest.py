"""How probable it is that each of several gamma variables, or Dirichlet shares, is the largest."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

FINE = 8.0  # points a standard deviation of the narrowest variable
UNSEEN = 1e-18  # the probability beyond either end


def largest_of_gammas(shapes: Sequence[float]) -> NDArray[np.float64]:
    """Return the probability of each to be the largest; a shape of 0 stands for a variable of 0.

    P(X_i is the largest) is the integral of f_i prod F_j over j other than i. In log x all of it is
    smooth and the density dies off quickly, so that sums over equidistant points converge
    exponentially: 12 digits by a few hundred of them.
    """
    from scipy.special import gammainc, gammainccinv, gammaincinv, gammaln

    alive = np.array([shape for shape in shapes if shape > 0.0])[:, None]
    most = float(alive.max())  # below its quantile no largest one lies
    low, high = math.log(gammaincinv(most, UNSEEN)), math.log(gammainccinv(most, UNSEEN))
    points = np.linspace(low, high, math.ceil(FINE * math.sqrt(most) * (high - low)) + 2)
    x = np.exp(points)
    density = np.exp(alive * points - x - gammaln(alive))
    below = gammainc(alive, x)
    chances: NDArray[np.float64] = np.zeros(len(shapes))
    others = [np.delete(below, i, axis=0).prod(axis=0) for i in range(len(alive))]
    chances[np.array(shapes) > 0.0] = (density * others).sum(axis=1)
    return chances / math.fsum(chances)  # in any order the same
