"""Logarithms of far tails, where the p-values themselves underflow."""

import math


def log_beta_tail(a: float, b: float, log_r: float) -> float:
    """Return the logarithm of the regularised incomplete beta function I_x(a, b), x = 1 / (1 + r).

    It is the upper tail of F(df1, df2) with a = df2 / 2, b = df1 / 2, r = df1 F / df2, and twice
    that of Student's t with b = 1/2, r = t^2 / df. By its continued fraction, DLMF 8.17.22
    (https://dlmf.nist.gov/8.17#E22), from the front.
    """
    from scipy.special import betaln

    # log(1 + r), with all digits for small r and no overflow for large r
    log_x = -math.log1p(math.exp(log_r)) if log_r < 0 else -log_r - math.log1p(math.exp(-log_r))
    x = math.exp(log_x)
    value = d = 1.0 / (1.0 - (a + b) / (a + 1.0) * x)
    c, i = 1.0, 0
    change = 0.0
    while abs(change - 1.0) > 1e-15:
        i += 1
        for top in (
            i * (b - i) / ((a + 2 * i - 1) * (a + 2 * i)) * x,
            -(a + i) * (a + b + i) / ((a + 2 * i) * (a + 2 * i + 1)) * x,
        ):
            c, d = 1.0 + top / c, 1.0 / (1.0 + top * d)
            change = c * d
            value *= change
    front = a * log_x + b * (log_r + log_x) - math.log(a) - float(betaln(a, b))
    return front + math.log(value)


def log_chi2_tail(x: float, df: float) -> float:
    """Return the logarithm of a far upper tail of the chi-squared distribution.

    Gamma(a, y) = y^a e^-y U(1, 1 + a, y), DLMF 8.5.3 (https://dlmf.nist.gov/8.5#E3).
    """
    from scipy.special import gammaln, hyperu

    a, y = 0.5 * df, 0.5 * x
    return a * math.log(y) - y + math.log(float(hyperu(1.0, 1.0 + a, y))) - float(gammaln(a))
