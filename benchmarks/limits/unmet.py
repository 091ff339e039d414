"""Why rows are above their limits: what was tried, and where the time goes.

The figures are of two cores with AVX2, unless another processor is named. Most limits of the main
path were set with AVX-512, by which a sort takes a third of the argsort that it is measured in;
with AVX2 it takes half. On Zen 4 the argsort is slow, and keys are sorted by digits: DeLong's rows
are met from 10^4 cases on (0.2 of the unit at 10^6), and less is left for a second thread.
"""

UNMET = {  # by how names of rows begin; of several the longest counts
    "delong_test, n = 100,": """
        2.3 to 2.6 by processor time, 8.1 us, where two argsorts take 3.1 to 3.4 with AVX-512. The
        kernel and looks at the arrays take 0.3 of the call, estimate, p-value and the record of 17
        fields 0.5 (0.6 us of them ask which fields are arrays, to lock these), checks of options a
        tenth; all but the kernel's 0.05 is Python's. Fields put into the record by assignment of
        its dictionary took as long.""",
    "delong_test, n = 100, 20 positives": """
        3.1 by processor time, 4.1 before unseen failures of one result went without arrays: as with
        more positives, and 5 us for Student's t by SciPy with its degrees of freedom.""",
    "delong_test, n = 200, in a loop": """
        22 us by processor time with AVX-512, where two argsorts take 5: these scores differ
        significantly, and whether unseen failures would explain it takes 9, in which both AUCs are
        computed; 77 before this went without arrays of NumPy. The sums take 4, the record 3.""",
    "print of delong_test": """
        1,043, 2,600 before: some 350, 200 of them abs(), solve the four ends of both AUCs' score
        intervals, by 30 evaluations (54 of the squared equation); the rest words the sentences and
        writes the tables.""",
    "delong_control_test": """
        5.0 on busy cores, 11 there before tails had the same points for all differences; 0.7
        without Dunnett's p-values. 33,000 draws of 19 differences are made correlated, and counted
        in 190 tails. Evenly spread draws (multiples of roots of primes) err half as much at 5% for
        19 differences, but more for 40 at p-values near 1.""",
    "bootstrap_auc, n = 1000, k = 50": """
        7.4: the p-values of 1,225 pairs, two counts of 500 replicates each, take two fifths, the
        replicates' variances a fifth. 5.2 for 10^4 cases.""",
    "mean_pairwise_test, n = 10^4, k = 200": """
        19 to 20, 54 before powers were products and adjusted p-values waited until they are read,
        which takes another 170 ms for max-t. Of 194 ms with AVX-512 sixth powers take 57, by three
        products of tables, third powers and theirs 39, the covariance 10 (the unit is one product
        of a symmetric matrix, 9.7), sums and extremes of columns 32, whether scores are of few
        values 12; the rest are 19,900 p-values and their bounds.""",
    "auc_at_test": """
        4.6 at 10^6 by processor time with AVX-512, 7.5 at 10^5, 8.5 at 10^4; 6.8, 11 and 11.6
        before passes of NumPy over squares, losses and censored times became kernels. Of 270 ms the
        wins of both models take 56, ranks 42, errors of three values 38, the order in time 21,
        scores in that order 18. 3.6 to 3.9 of tied times.""",
    "survival_brier_test": """
        2.9 at 10^6 by processor time with AVX-512, 5.2 at 10^5, 6.3 at 10^4; 5.4, 9.0 and 10.8
        before, as for auc_at_test. Of 169 ms errors of three values take 60, the order in time 21,
        chances in that order 17.""",
    "scoring_test, log loss": """
        0.9: two logarithms a model, since which one a case needs cannot be foreseen, take two
        fifths; two passes over the losses a quarter; the checks of labels and probabilities a
        tenth.""",
    "calibration_error, quantile bins": """
        6.9 to 8.1, 37 before, on Zen 4: of 11.3 ms sums by bin take 5.3, since each case's bucket
        is looked up, the cases that share a bucket with a quantile 3.9, the p-value's copy 0.4.""",
    "calibration_error, uniform bins": """
        3.0 to 3.1, 10.6 before, on Zen 4: of 4.9 ms the five sums by bin, in the order of the
        cases, take 3.5.""",
    "net_benefit, n = 1000": """
        1.9 to 2.1: 15 us, 17 before, where the unit takes 7.8. Reading the arrays takes 5, in three
        passes of NumPy of 1.2 each, the count 2, copies for bands 1, and the record, its parts and
        wrappers the rest.""",
    "net_benefit, n = 10^6": """
        0.97 to 1.2: to tell that labels and probabilities are such takes 0.6 of 1.6 ms, the copy
        for bands 0.4, the count 0.1.""",
    "disagreement, n = 1000": """
        1.7 to 2.0, 2.3 before: 25 us where the unit takes 14.7. 14 look at the labels and count
        them, the formula on arrays of four numbers takes 5, since it serves many tables at once,
        the rest are options and the record.""",
    "double_fault, n = 1000": """
        As for the disagreement.""",
    "spiegelhalter_test": """
        1.55 to 1.85, 2.0 before: 16.5 us where the unit takes 10.7. Reading takes 5, the sums and
        whether few cases determine them 3, and the p-value, the record and wrappers the rest.""",
    "scoring_test, log, n = 100": """
        1.45 times the Brier score's, which takes 60 to 65 us beside other programs, 88 before: some
        25 calls of NumPy for both models' losses and their extremes.""",
    "normality_report": """
        1.2 to 1.4: SciPy's test computes the weights of each pair anew.""",
    "adjust_pvalues, rom, m = 10^5": """
        0.65 s on a quiet Zen 4, 1.1 to 2.2 by processor time and on busy cores; 6.6 before. The
        recursion's kernel takes a third. Later families take 25 ms.""",
    "ttest_resampled, 10^5": """
        1.0, 1.35 before: the scatter takes a third, the differences and whether they vary a
        quarter, both means a sixth, copies and checks of the columns the rest.""",
    "delong_test, n = 1000, n_jobs": """
        1.07 to 1.13 with AVX-512, where two argsorts take 15.5 us: of 16.5 us the kernel takes 9,
        of which two bare sorts are 5.5; the rest is Python's, as with n = 100.""",
    "delong_test, n = 10^4, 100 values": """
        0.49 by processor time with AVX-512, up to 0.62 by the clock.""",
    "delong_test, n = 10^4, n_jobs": """
        0.60 to 0.62 with AVX2, 0.36 on Zen 4.""",
    "delong_test, n = 10^5, float16": """
        Converting to doubles, packing and counting take 5 ns a score where continuous doubles take
        8; the sums are the same.""",
    "two threads share models, delong_test": """
        0.57 of 10^7 cases, 0.6 of 10^6: checks of labels and missing scores, by one thread.""",
    "two threads share models, delong_covariance": """
        0.56 of 10^7 cases. Of 10^6 two models go by a thread each, and the third is split before
        its sort, which takes 0.4 more processor time for so few.""",
    "two threads share models, roc_auc_interval": """
        0.62 to 0.65 of 10^7 cases with AVX-512, which sorts all keys of one thread in 0.2 s: of
        0.13 s by two threads 0.017 are labels and missing scores, which one thread looks at, and
        keys are packed twice and split, 0.2 more processor time (0.4 at 10^6).""",
    "delong_test, n = 10^5, n_jobs": """
        Two bare sorts of the keys take 0.46 of the unit.""",
    "delong_test, n = 10^6, n_jobs": """
        Two bare sorts of the keys take 0.35 to 0.38 of the unit. Buckets before the sort were
        tried: 14.7 ns a score in place of 15.3, for 1,024 of them.""",
    "delong_test, n = 10^4, cluster": """
        A linear map leaves such scores in few prefixes: they are packed between those of a sample,
        at seven steps a score. 2.3 by processor time.""",
    "delong_test, n = 10^4, two clusters": """
        As beside an outlier: packed between a sample's scores. 2.6 by processor time.""",
    "concordance_test, n = 10^4:": """
        6.1 with AVX-512: of 1.24 ms the wins of both models take 0.56, the order in time 0.08; the
        rest are 60 calls of NumPy and Python over events, pairs and errors.""",
    "survival_calibration": """
        4.3 to 4.7 with AVX-512: risks of Kaplan and Meier for each of ten bins take half, a third
        of it NumPy's searches; sorting the times a tenth.""",
    "concordance_test, n = 10^5, n_jobs": """
        0.66 to 0.67 where nobody else computes. Of 13.6 ms the two models' wins take 9.9, which
        threads share; the order in time 1.5, the pairs 0.3, the sums 0.35, checks 0.3 and starting
        a thread 0.3 to 0.5 are left to one. To rank scores in one thread while another orders the
        times took 0.62, but of 10^6 cases 0.67 for 0.655, since ranks go through memory once more:
        it slowed one thread by a twentieth.""",
    "concordance_test, n = 10^6, n_jobs": """
        0.63 to 0.66 where nobody else computes: as with 10^5 cases.""",
    "delong_batch, n = 50:": """
        Of 20 ns a case the kernels take 13: packing two models 1.9, sorting 2.7, settling equal
        prefixes 1.7, placing 2.6, the sums 2.2. The rest is p-values and warnings of all
        problems.""",
    "delong_batch, n = 200:": """
        Of 14.6 ns a case a bare sort takes 3.2, packing 2.0, settling equal prefixes 1.9,
        placing 2.4, the sums 1.5 (their order keeps the bits, so each addition waits for the
        last), p-values and warnings 3.1.""",
    "delong_batch, n = 1000:": """
        Of 17 ns a case a bare sort takes 7.0, packing 1.9, settling equal prefixes 1.4, placing
        2.8, the sums 1.2, p-values and warnings 2.0.""",
    "delong_batch, n = 20,000:": """
        Its problems take the kernels of the test, one by one: the ratio is 1 but for noise.""",
    "delong_batch, n = 100,000:": """
        Its problems take the kernels of the test, one by one: the ratio is 1 but for noise.""",
    "two threads, delong_batch, n = 200": """
        Kernels of one block take 0.8 of the call; p-values and warnings of all problems are left to
        one thread, so that two cannot take less than 0.6.""",
    "two threads, delong_batch, n = 10^5": """
        0.67 on Zen 4 by digits; 0.55 there by NumPy's sort, which takes four times longer.""",
    "two threads, roc_auc_interval of a Parquet file": """
        The longer of two threads computes 0.47 of what one does (0.46 of two models): more by the
        clock where others compute. Reading takes 0.05 of 0.41 s for 6 * 10^6 rows, and two threads
        read row groups while the other one counts; a thread that reads ahead for one that computes
        would save 0.1 at most, and use two where `n_jobs` asks for one.""",
    "two threads, delong_test of a Parquet file": """
        As of one model.""",
    "two dask workers": """
        0.72 on Zen 4: 6.7 and 4.8 s, where one thread takes 1.9 and two 1.1. It is not compilation,
        a first call takes 0.2 to 2 s more. With AVX-512 half as many rows take 3.3 and 2.4 s beside
        others: tasks 2.3 s of one worker's processor, of which reading and counting are 1.6 and
        pickling, merging and pickling again 0.7. One process by itself receives 100 MB, 8 bytes a
        row, in 0.2 s, merges them in 0.1 and puts them in order in 0.2 by two threads. Single
        precision, sorted by the workers and sent as differences, would take 1.1 bytes a score in
        place of 4, double precision by its range some 7 of 8; counts take more, since 2% of the
        values repeat within a task. It would save those 0.2 s at most, of either number of workers,
        and was not built. Tasks of 4 or 12 row groups, and workers that keep memory
        (MALLOC_TRIM_THRESHOLD_), gained nothing.""",
    "two threads, delong_covariance": """
        Placements take 0.57 of 12 ms, shared out; copying columns, the matrix product and its
        scaling are left to one thread, since 0.1 ms go by until another starts: 0.71 at best.""",
    "two threads, auc_at_test": """
        0.70 by the processor time of the longer one: the order in time, the estimate of censoring
        and what all models share take 105 of 270 ms; three values go by two threads.""",
    "two threads, delong_test, groups": """
        Degrees of freedom, from sorts of the sizes of clusters, take 15 of 91 ms, the numbers of
        clusters 6, the least scores 8: each goes by one thread.""",
    "two threads, delong_pairwise_test, n = 10^6": """
        Of 303 ms of processor time all but the least scores, 31, are shared: 347 by two threads,
        which copy the columns of their own models; 359 and 515 before.""",
    "two threads, multiclass_auc_test": """
        Of 91 ms with 250,000 cases 26 to 30 go by one thread: the order of the classes, values of
        cases and their covariance.""",
    "two threads, delong_pairwise_test, n = 10^4": """
        As for the covariance: placements take 0.55 of the call.""",
    "two threads, delong_pairwise_test, n = 10^5": """
        Placements take 0.56 of 12 ms. Columns are copied and pairs summed in one thread, since
        steps of 0.1 ms do not repay another: 0.72 at best.""",
    "two threads, average_precision_test": """
        0.56 to 0.67: 32 blocks are 0.9 of 35 ms, and one thread sorts before them.""",
    "two threads, permutation_auc_test": """
        13 blocks of 1 ms are 0.9 of the call, so that one thread has seven: 0.6 at best.""",
    "delong_covariance, k = 100, n = 10^5 by rows": """
        1.2 to 1.4 by processor time with AVX-512, 0.9 to 1.1 by columns, where an argsort takes 1.6
        ms: of 214 ms sorts take 60, placements 36, keys 17, the product and its columns 49, copies
        of the columns 39, some cases at a time; by tiles in a kernel they would take 31. 0.72 by
        columns on Zen 4.""",
    "delong_covariance, k = 100, n = 10^5 by columns": """
        As by rows, but for the copies.""",
    "delong_test, n = 1000, sampling": """
        4.2 by processor time, 5.8 before Kish's sizes came of the pass that has them: of 79 us (the
        test without weights takes 18.8) weighing and the sums take 30, the result with its p-value
        22, checks in Python most of the rest. Both models are one call of a kernel.""",
    "delong_test, n = 1000, frequency": """
        10.3 where a class has fewer than 1,000 cases: rows are repeated for the skewness, which
        takes 0.45 of the call, since it is defined by placements of single cases. Otherwise as with
        sampling weights.""",
    "delong_test, n = 10^6, sampling": """
        3.15 with AVX-512 by processor time, 4.2 before Kish's sizes came of the pass that has them:
        0.75 sorts and weighs the keys, whose cases' weights are read and wins written at random, 24
        bytes each; the products of errors take 0.1. Weights are whole numbers of two limbs, so that
        sums do not depend on the order.""",
    "delong_test, n = 10^6, frequency": """
        3.1 with AVX-512, 3.5 before: the same kernels.""",
    "bootstrap_auc_test, 2000 replicates, n = 1000": """
        Drawing the counts takes 0.4 of the call, 39 ns for 64 of them, of which Philox is 18; the
        walks take 0.3, and calls of kernels from Python for 32 blocks the rest.""",
    "bootstrap_auc_test, 2000 replicates, n = 10^4": """
        0.32 to 0.34 with AVX-512: drawing takes 0.6 of the call, the walks 0.3.""",
    "bootstrap_auc_test, 200 replicates, n = 10^5": """
        On Zen 4 the walks take 0.42 of the call, drawing 0.37, the sorts 0.08. 0.46 with AVX2.""",
    "bootstrap_auc_test, n = 10^4, n_jobs = 2": """
        0.59 and 0.68 in quiet runs of different days. The sort before the blocks and the
        intervals after them are one thread's.""",
    "peak memory beyond the input, bootstrap_auc_test": """
        Weights of 64 replicates take 32 bytes a score by themselves. Blocks of 32 would draw each
        row of random numbers twice.""",
    "permutation_auc_test(method='venkatraman')": """
        10.6 with AVX-512, 14.2 there and 19.7 on Zen 4 before steps of curves were looked up and
        took a byte each. Of 1.7 ns a rank looking up takes 0.9, sums of distances 0.5, bits 0.3.
        Two lanes at once, and shifts in place of products, gained nothing.""",
    "partial_auc, n = 1000": """
        5.0 to 6.7 by the clock with AVX-512, where an argsort takes 7 us.""",
    "average_precision_test, 200 replicates": """
        Drawing takes as long as in the unit; what is walked is one division for each step, 0.38 of
        the call, where the unit adds whole numbers.""",
    "mcnemar_test, n = 10^6, float": """
        Telling whether floats are 0 and 1, and that none is missing, takes two thirds of the
        call. 2.8 by processor time.""",
    "mcnemar_test, n = 10^6 in": """
        6.0 to 6.6: of 6.8 ms sizes and discordant cases of clusters take 0.55, in five passes of
        NumPy's bincount, and reading and numbering the labels the rest.""",
    "mcnemar_pairwise_test": """
        1.1: of 96 us no function takes a tenth; 190 p-values are computed, adjusted and recorded
        where the unit is one statistic.""",
    "leaderboard, n = 300": """
        4.3 to 5.4: skewness may explain a pair's lead, so that the leaderboard computes at once
        which leads are significant; max-t takes 0.6 of it, and waits in the unit until it is
        read.""",
    "Dietterich's five tests": """
        11 ms for 1,000 trials, where plain Python takes 1.1 s: 0.9 of them draw the trials in a
        kernel.""",
    "mcnemar_test, n = 1000": """
        1.7 to 2.2: 25 us, 29 before, where the unit takes 14.7. Counting takes 5, whether labels
        are of one coding 6, in copies of their bytes that are searched; the rest are options, the
        record and the p-value in Python.""",
    "paired_mean_test, n = 1,000 in 100 clusters": """
        128 to 134 us by processor time on a Xeon, a fifth more before (np.nan_to_num of single
        numbers); SciPy's test takes 220 to 250 there. Whether scores are skewed, and what bounds
        its correction, takes 0.4 of it, in some 25 calls of NumPy on the sums of 100 clusters;
        whether they are answers 0.1, the p-value and the record 0.25, the kernel and checks the
        rest.""",
    "compare, 5 models, items": """
        Of 9 ms the p-values adjusted by max-t take 7. They are computed when they are read, and the
        unit does not read them.""",
    "compare, ": """
        300 to 450 us are added to 16 to 100, the least to DeLong's test in arrays: whether a column
        is an id, a copy of the labels or a class's probability takes half of them, in some 30
        passes of NumPy, most over the first rows; the rest words the doubts and reasons.""",
    "calibration_test, n = 10^6": """
        31 with AVX2; with AVX-512 np.log is done in a fifth of the time, but passes of exp in
        kernels take as long. Six are left of ten, and one of logarithms, each some 9 to 17 ms.""",
    "calibration_error with its interval, n = 1,000": """
        0.5 of the call inverts the p-value, by sums over trial values in NumPy; 0.14 draws
        errors.""",
    "scoring_pairwise_test, sign flips": """
        45 pairs are five times the work of 9. They share no signs: each pair takes them in the
        order of its own sizes, so that the order of the cases does not count.""",
    "scoring_test, n = 10^6": """
        Two passes over labels and probabilities take 2.7 ms, checks that they are such 1.5; the
        unit reads ready losses. The differences are computed twice, since an array of them
        would take 8 bytes a case. 0.6 by processor time, more by the clock.""",
    "brier_score, n = 10^6": """
        The sum takes 0.7 ms, a third of NumPy's pass, checks of what is summed 0.8 to 1.2. Below 1
        by processor time.""",
    "rm_anova_batch, 5 models": """
        5 * 10^6 scores, 4.4 ns each.""",
    "friedman_test, nemenyi_test, k = 100": """
        0.44 to 0.60. Ranking takes 0.8 of the time, and each of the two tests ranks for itself.""",
    "read_evals": """
        The parser of the lines takes 1.0 of it. Lines are read in blocks and cells told flat,
        which took 1.5 to 1.35 and 1.9 to 1.6; less would need another parser.""",
    "fastcompare evals": """
        Of processor time importing Numba takes 0.5 s, scipy.special 0.26, typer 0.2.""",
    "warm process": """
        `import numba` alone is 3.1 imports of NumPy: NumPy 0.10 s, Numba 0.32, ours 0.08, the first
        call 0.06. Without that import ready code would need a loader of its own.""",
    "fresh process, average_precision": """
        3.0 s, 4.2 where other programs run.""",
    "fresh process without a cache, fc.delong_test": """
        Two thirds is Numba's typing and lowering, a third LLVM. Kernels that others call are not
        made callable, and small ones are compiled within their callers: 4.6 s before.""",
    "fresh process without a cache, fc.bootstrap_auc_test": """
        A third of what is compiled draws counts, a quarter packs keys, a fifth are the walks. 10.5
        s before kernels that others call were left without code of their own. Half of Numba's
        passes for these save a tenth, but a bootstrap takes 1.2 of the time.""",
    "fresh process without a cache, fc.warmup": """
        246 kernels, none of which takes a twentieth: LLVM's passes are 0.32 of it, machine code
        0.13, typing and lowering the rest. 89 s before kernels that others call were left
        without code of their own. Two processes that share the cache were not tried.""",
}


def why_unmet(name):
    """Return why the row of this name may be above its limit; "" where it was not looked into."""
    known = [start for start in UNMET if name.startswith(start)]
    return " ".join(UNMET[max(known, key=len)].split()) if known else ""
