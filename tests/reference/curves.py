"""Statistics of the ROC and precision-recall curve by their definitions, as fractions.

The two axes are treated apart, and nothing is mirrored.
"""

import itertools
from fractions import Fraction


def corners(labels, scores):
    """(FPR, TPR) from (0, 0) on, one for each distinct score from the highest down."""
    labels, scores = [int(label) for label in labels], [float(s) for s in scores]
    m = sum(labels)
    n = len(labels) - m
    points = [(Fraction(0), Fraction(0))]
    for threshold in sorted(set(scores), reverse=True):
        called = [label for label, s in zip(labels, scores, strict=True) if s >= threshold]
        points.append((Fraction(called.count(0), n), Fraction(called.count(1), m)))
    return points


def segments(labels, scores):
    points = corners(labels, scores)
    return list(itertools.pairwise(points))


def between(start, end, share):
    return start + share * (end - start)


def clipped(start, end, low, high):
    """Which shares of the way from `start` to `end` lie between low and high; None if no way."""
    if start == end or end <= low or start >= high:
        return None
    first = max(Fraction(0), (low - start) / (end - start))
    return first, min(Fraction(1), (high - start) / (end - start))


def area_by_fpr(labels, scores, low, high):
    """Below the curve, between two FPRs."""
    area = Fraction(0)
    for (x0, y0), (x1, y1) in segments(labels, scores):
        if part := clipped(x0, x1, low, high):
            x, y = ([between(a, b, t) for t in part] for a, b in ((x0, x1), (y0, y1)))
            area += (x[1] - x[0]) * (y[0] + y[1]) / 2
    return area


def area_by_tpr(labels, scores, low, high):
    """Right of the curve, between two TPRs."""
    area = Fraction(0)
    for (x0, y0), (x1, y1) in segments(labels, scores):
        if part := clipped(y0, y1, low, high):
            x, y = ([between(a, b, t) for t in part] for a, b in ((x0, x1), (y0, y1)))
            area += (y[1] - y[0]) * (2 - x[0] - x[1]) / 2
    return area


def standardized(area, low, high):
    """McClish (1989): `low` and `high` are FPRs, or 1 less the TPRs."""
    least, most = (high**2 - low**2) / 2, high - low
    return (1 + (area - least) / (most - least)) / 2


def tpr_at(labels, scores, fpr):
    """The highest point of the curve above an FPR."""
    found = []
    for (x0, y0), (x1, y1) in segments(labels, scores):
        if x0 <= fpr <= x1:
            found.append(y1 if x0 == x1 else between(y0, y1, (fpr - x0) / (x1 - x0)))
    return max(found)


def fpr_at(labels, scores, tpr):
    """The leftmost point of the curve beside a TPR."""
    found = []
    for (x0, y0), (x1, y1) in segments(labels, scores):
        if y0 <= tpr <= y1:
            found.append(x0 if y0 == y1 else between(x0, x1, (tpr - y0) / (y1 - y0)))
    return min(found)


def average_precision(labels, scores):
    """The mean over the positives of the precision at their score."""
    cases = list(zip([int(label) for label in labels], scores, strict=True))
    total = Fraction(0)
    for _, own in (case for case in cases if case[0]):
        called = [label for label, s in cases if s >= own]
        total += Fraction(sum(called), len(called))
    return total / sum(label for label, _ in cases)


def by_hand(labels, scores, thousandths):
    """All measures at a point or range, given in thousandths, by the names of `MEASURES`."""
    low, high = (Fraction(t, 1000) for t in thousandths)
    return {
        "fpr": area_by_fpr(labels, scores, low, high),
        "tpr": area_by_tpr(labels, scores, low, high),
        "fpr standardized": standardized(area_by_fpr(labels, scores, low, high), low, high),
        "tpr standardized": standardized(area_by_tpr(labels, scores, low, high), 1 - high, 1 - low),
        "sensitivity": tpr_at(labels, scores, 1 - high),
        "specificity": 1 - fpr_at(labels, scores, high),
        "precision": average_precision(labels, scores),
    }


def pieces(labels, scores):
    """(positives, negatives) of each distinct score from the highest down.

    Those without a positive that follow one another are one.
    """
    counts, found = {float(s): [0, 0] for s in scores}, []
    for label, s in zip(labels, scores, strict=True):
        counts[float(s)][int(label)] += 1
    for _, (q, p) in sorted(counts.items(), reverse=True):
        if found and p == found[-1][0] == 0:
            found[-1] = 0, found[-1][1] + q
        else:
            found.append((p, q))
    return found


def sums_in_doubles(shape, points, labels, scores):
    """The sums of `kernels.curve_values` in the same order, in double precision."""
    n = float(sum(1 for label in labels if not label))
    tp = fp = area = precisions = 0.0
    cuts = [round(t * n) if abs(t * n - round(t * n)) <= 1e-12 * n else t * n for t in points]
    heights = []
    for p, q in pieces(labels, scores):
        while len(heights) < len(cuts) and cuts[len(heights)] < fp + q:
            heights.append(tp + p * (cuts[len(heights)] - fp) / q)
        if shape == "area" and q:
            left, right = max(fp, points[0] * n), min(fp + q, points[1] * n)
            risen = p * ((left - fp) + (right - fp)) / q
            area += max(right - left, 0.0) * (2.0 * tp + risen)
        if p:
            precisions += p * (tp + p) / (tp + p + fp + q)
        tp, fp = tp + p, fp + q
    heights += (len(cuts) - len(heights)) * [tp]
    return {"area": [area], "height": heights, "precision": [precisions]}[shape]
