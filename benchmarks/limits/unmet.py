"""Why rows are above their limits: what was tried, and where the time goes.

The figures are of two cores with AVX2. Most limits of the main path were set with AVX-512, by which
a sort takes a third of the argsort that it is measured in; here it takes half.
"""

UNMET = {  # by how names of rows begin; of several the longest counts
    "delong_test, n = 100,": """
        The kernel that checks, sorts and sums takes 0.6 of the call. The rest is Python's: options,
        a look at the arrays, the record.""",
    "delong_test, n = 10^5, n_jobs": """
        Two bare sorts of the keys take 0.46 of the unit.""",
    "delong_test, n = 10^6, n_jobs": """
        Two bare sorts of the keys take 0.35 to 0.38 of the unit. Buckets before the sort were
        tried: 14.7 ns a score in place of 15.3, for 1,024 of them.""",
    "delong_test, n = 10^4, cluster": """
        A linear map to 32 bits leaves such scores in few prefixes, so that they take keys of 64
        bits, between those of a sample: continuous scores take half of that. 3.8 by processor
        time.""",
    "delong_test, n = 10^4, two clusters": """
        A linear map to 32 bits leaves such scores in few prefixes, so that they take keys of 64
        bits, between those of a sample: continuous scores take half of that.""",
    "delong_test, n = 10^4, rounded": """
        A linear map to 32 bits leaves such scores in few prefixes: they take keys of 64 bits and
        are settled by the scores themselves.""",
    "delong_batch, n = 50:": """
        Of 20 ns a case all kernels take 13, most of it the fixed costs of sorting 50 keys; the
        rest is p-values and warnings of 10,000 problems.""",
    "delong_batch, n = 200:": """
        Of 14.6 ns a case a bare sort takes 3.2, packing 2.0, settling equal prefixes 3.0, placing
        2.4 and the sums 1.5: their order keeps the bits, so each addition waits for the last.""",
    "delong_batch, n = 1000:": """
        Of 17 ns a case a bare sort takes 7, packing 1.9, settling equal prefixes 2.6, placing 2.8,
        the sums 1.2.""",
    "delong_batch, n = 20,000:": """
        Its problems take the kernels of the test, one by one: the ratio is 1 but for noise.""",
    "delong_batch, n = 100,000:": """
        Its problems take the kernels of the test, one by one: the ratio is 1 but for noise.""",
    "two threads, delong_batch, n = 200": """
        Kernels of one block take 0.8 of the call; p-values and warnings of all problems are left
        to one thread, so that two cannot take less than 0.6.""",
    "two threads, delong_covariance": """
        Placements take 0.57 of 12 ms, shared out; copying columns, the matrix product and its
        scaling are left to one thread, since 0.1 ms go by until another starts: 0.71 at best.""",
    "two threads, delong_pairwise_test, n = 10^4": """
        As for the covariance: placements take 0.55 of the call.""",
    "two threads, delong_pairwise_test, n = 10^5": """
        Placements take 0.7 of 12 ms; the pairs are summed in one thread, since steps of 0.1 ms do
        not repay another.""",
    "delong_covariance, k = 100, n = 10^5 by rows": """
        Columns are copied some cases at a time, which by columns is not needed: 0.72 there.""",
    "delong_test, n = 1000, sampling": """
        Of 86 us (the test without weights takes 21) sorting and weighing take 26, the sums 13,
        totals of both classes 9, the record 10, and checks in Python most of the rest. Both models
        are one call of a kernel; before, it took 400 us.""",
    "delong_test, n = 1000, frequency": """
        As with sampling weights, whose record is the larger one.""",
    "delong_test, n = 10^6, sampling": """
        0.86 of the time is weighing the sorted keys. Their limbs of 128 bits make results
        independent of the order, at twice the memory of what the test without weights reads.""",
    "delong_test, n = 10^6, frequency": """
        As with sampling weights: the same kernel.""",
    "bootstrap_auc_test, 2000 replicates, n = 1000": """
        Drawing the counts takes 0.4 of the call, 39 ns for 64 of them, of which Philox is 18; the
        walks take 0.3, and calls of kernels from Python for 32 blocks the rest.""",
    "bootstrap_auc_test, n = 10^4, n_jobs = 2": """
        What comes before and after the blocks is one thread's, 0.1 of the call.""",
    "peak memory beyond the input, bootstrap_auc_test": """
        Weights of 64 replicates take 32 bytes a score by themselves. Blocks of 32 would draw each
        row of random numbers twice.""",
    "permutation_auc_test(method='venkatraman')": """
        One pass over the ranks, 3.3 ns each, takes 0.77 of the call. Two lanes at once, and shifts
        in place of products, gained nothing.""",
    "average_precision_test, 200 replicates": """
        Drawing takes as long as in the unit; what is walked is one division for each step, 0.38 of
        the call, where the unit adds whole numbers.""",
    "mcnemar_test, n = 10^6, float": """
        Floats must be looked at for NaN and for 0 and 1 before they are compared: half of the call.
        2.8 by processor time.""",
    "mcnemar_test, n = 1000": """
        A call of 28 us: comparing and counting takes 15, as in the unit; the rest are checks of
        options and types in Python, and the p-value.""",
    "compare, 2 models": """
        Some 80 us are added, whatever the test takes: a third of it tells what the data are, the
        rest checks options, looks at what tests assume, and words the reasons.""",
    "calibration_error with its interval, n = 1,000": """
        The p-value is inverted by moments of some 60 trial values in Python, a kernel of NumPy
        calls each: 0.5 of the call; drawing the errors takes 0.1.""",
    "scoring_pairwise_test, sign flips": """
        45 pairs are five times the work of 9. They share no signs: each pair takes them in the
        order of its own sizes, so that the order of the cases does not count.""",
    "scoring_test, n = 10^6": """
        Two passes over labels and probabilities take 2.7 ms, checks that they are such 1.5. SciPy
        reads ready losses. An array of the differences would save half a pass and take 8 bytes a
        case. Much below 1 by processor time, near 1 by the clock.""",
    "brier_score, n = 10^6": """
        The sum takes 0.7 ms of 1.5, a third of NumPy's pass, the checks the rest. 0.7 by processor
        time.""",
    "read_evals": """
        The parser of the lines takes 1.0 of it. Lines are read in blocks and cells told flat,
        which took 1.5 to 1.35 and 1.9 to 1.6; less would need another parser.""",
    "fastcompare evals": """
        Of processor time importing Numba takes 0.5 s, scipy.special 0.26, typer 0.2.""",
    "warm process": """
        `import numba` alone is 3.1 imports of NumPy: NumPy 0.10 s, Numba 0.32, ours 0.08, the first
        call 0.06. Without that import ready code would need a loader of its own.""",
    "fresh process without a cache, fc.delong_test": """
        Two thirds is Numba's typing and lowering, a third LLVM. Kernels that others call are not
        made callable, and small ones are compiled within their callers: 4.6 s before.""",
    "fresh process without a cache, fc.bootstrap_auc_test": """
        Half of it compiles the drawing of counts. 10.5 s before kernels that others call were left
        without code of their own.""",
    "fresh process without a cache, fc.warmup": """
        246 kernels, none of which takes a twentieth: LLVM's passes are 0.32 of it, machine code
        0.13, typing and lowering the rest. 89 s before kernels that others call were left without
        code of their own.""",
}


def why_unmet(name):
    """Return why the row of this name may be above its limit; "" where it was not looked into."""
    known = [start for start in UNMET if name.startswith(start)]
    return " ".join(UNMET[max(known, key=len)].split()) if known else ""
