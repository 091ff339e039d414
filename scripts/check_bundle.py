"""Check kernels that came with an installed package: they save compiling, and change no bit.

python scripts/check_bundle.py FOLDER

For each level that came and runs here, in processes without a cache of compiled kernels: a score
of calls and commands import no Numba; every call of `tests/shared/every_call.py` in FOLDER and all
of `fastcompare warmup` succeed where Numba cannot be imported, of many cases, too; all calls
of `fastcompare warmup` return what they return by kernels that are compiled here; and a first
DeLong test takes no more processor time than with a warm cache. FOLDER has copies of tests that
must pass.
"""

import os
import resource
import subprocess
import sys
import tempfile

from fastcompare._jit import bundle

RATIO, RUNS = 1.0, 5  # of processor time, and how many runs the shortest is of
WARM = "0"  # no level: the cache, which is warm once all calls have been made
CALLS = """
import contextlib, io, sys
import numpy as np
import fastcompare as fc
from fastcompare.__main__ import main

rng = np.random.default_rng(0)
y = (rng.random(300) < 0.4).astype(int)
a, b, c = rng.normal(size=(3, 300)) + y
p, q = 1 / (1 + np.exp(-a)), 1 / (1 + np.exp(-b))
few = {"n_resamples": 200, "rng": 0}
fc.roc_auc(y, a)
fc.delong_test(y, a, b)
fc.delong_pairwise_test(y, {"a": a, "b": b, "c": c})
fc.bootstrap_auc_test(y, a, b, **few)
fc.permutation_auc_test(y, a, b, **few)
fc.mcnemar_pairwise_test(y, {"a": a > 0, "b": b > 0, "c": c > 0})
fc.bootstrap_metric_test(y, a > 0, b > 0, metric="f1", **few)
fc.scoring_test(y, p, q)
fc.paired_mean_test(a, b, groups=np.arange(300) // 2)
fc.ttest_corrected(a[:20], b[:20], n_train=90, n_test=10)
fc.friedman_test(np.stack([a, b, c], 1)[:20])
fc.wilcoxon_test(a, b)
time, event = rng.exponential(size=300), rng.random(300) < 0.7
fc.concordance_test(time, event, a, b)
fc.auc_at_test(time, event, a, b, horizon=0.5)
readers = {model: {"Ann": x, "Bo": x + c, "Cy": x - c} for model, x in (("a", a), ("b", b))}
fc.reader_study_test(readers, truth=y)
with open("times.csv", "w") as file:
    print("time,event,a,b", file=file)
    for row in zip(time, event * 1, a, b):
        print(*row, sep=",", file=file)
for command in ("auc", "compare times.csv --kind times"):
    sys.argv[1:] = command.split()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
        main()
print("imports", *{"numba", "llvmlite"} & {*sys.modules})
print(fc.show_config()["kernels"])
"""
NUMBERS = """
import hashlib, inspect, warnings
import numpy as np
import fastcompare as fc
from fastcompare import _config
warnings.simplefilter("ignore")
for calls in _config.FAMILIES.values():
    for name, data, options in calls():
        call = getattr(fc, name)
        seed = {"rng": 0} if "rng" in inspect.signature(call).parameters else {}
        result = call(*data, **seed | options)
        whole = repr(result.to_dict()) if hasattr(result, "to_dict") else repr(float(result))
        print(name, hashlib.sha256(whole.encode()).hexdigest())
"""
ALONE = """
import sys, warnings
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("numba", "llvmlite"):
            raise ImportError(f"{name} is not installed")
sys.meta_path.insert(0, Missing())
sys.path.insert(0, sys.argv[1])
import numpy as np
import fastcompare as fc
from fastcompare import _config
from tests.shared import every_call
def read_only(x):
    if isinstance(x, np.ndarray):
        x = x.copy()
        x.flags.writeable = False
    return {name: read_only(each) for name, each in x.items()} if isinstance(x, dict) else x
calls = [(name, (), each | every_call.options_of(name))
         for name in every_call.CALLS for form in every_call.given(name)
         for each in (form, read_only(form))]
calls += [call for calls in _config.FAMILIES.values() for call in calls()]
for n in (3000, 20_000, 70_000, (1 << 20) + 1):
    y, pair = np.arange(n) % 3 // 2, np.random.default_rng(1).normal(size=(2, n))
    for a, b in (pair, pair.astype(np.float32), pair.round(1)):
        calls += [("delong_test", (y, a, b), {}), ("roc_auc", (y, a), {})]
warnings.simplefilter("ignore")
failed = {}
for name, data, options in calls:
    try:
        getattr(getattr(fc, name)(*data, **options), "to_dict", dict)()
    except ImportError as error:
        failed[name] = error
fc.warmup("folds")
print(len(calls), "calls of", len({name for name, *_ in calls}), "functions")
sys.exit(f"these need Numba: {failed}" if failed else 0)
"""
FIRST = """
import numpy as np, fastcompare as fc
scores = np.random.default_rng(0).normal(size=(2, 1000))
print(fc.delong_test(np.arange(1000) % 2, *scores))
"""


def run(*arguments: str, level: str) -> str:
    """Return what Python prints that may use kernels of a level alone."""
    settings = {bundle.SWITCH: level} | ({} if level == WARM else {"FASTCOMPARE_CACHE_DIR": ""})
    command = [sys.executable, *arguments]
    with tempfile.TemporaryDirectory() as place:
        done = subprocess.run(
            command, env=os.environ | settings, capture_output=True, text=True, cwd=place
        )
    if done.returncode:
        sys.exit(f"{level}: {done.stdout}{done.stderr}")
    return done.stdout


def seconds(level: str) -> float:
    """Return the processor time of a process with one DeLong test."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run("-c", FIRST, level=level)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def check_first(levels: list[str]) -> None:
    """Exit if a first DeLong test takes longer than with a warm cache, by any level."""
    runs = [{level: seconds(level) for level in (WARM, *levels)} for _ in range(RUNS)]
    shortest = {level: min(each[level] for each in runs) for level in runs[0]}
    said = ", ".join(f"{level} {each:.2f}" for level, each in shortest.items())
    print(
        f"        seconds of a process with a DeLong test (0 is a warm cache): {said}", flush=True
    )
    if max(shortest.values()) > RATIO * shortest[WARM]:
        sys.exit(f"more than {RATIO} of a warm cache")


def check_level(level: str, compiled: str, folder: str) -> None:
    """Exit unless kernels of this level compile nothing and change no bit."""
    imported, served = run("-c", CALLS, level=level).splitlines()
    if imported != "imports" or not served.endswith("compiler 0") or "bundle 0" in served:
        sys.exit(f"{level}: {imported}; {served}")
    alone = run("-c", ALONE, os.path.abspath(folder), level=level).strip()
    print(f"ok      {level}: {alone} where Numba is missing", flush=True)
    numbers = run("-c", NUMBERS, level=level)
    if differing := set(numbers.splitlines()) ^ set(compiled.splitlines()):
        sys.exit(f"{level} differs from what is compiled here: {sorted(differing)}")
    tests = run(
        "-m", "pytest", "-q", "-m", "", "-o", "markers=slow", os.path.abspath(folder), level=level
    )
    calls, passed = len(numbers.splitlines()), tests.strip().splitlines()[-1]
    print(f"ok      {level}: {served}; {calls} calls as compiled here; {passed}", flush=True)


def main() -> None:
    """Check each level that came and runs here."""
    came = {path.name for path in (bundle.HERE / "bundles").iterdir()}
    levels = [level for level in bundle.LEVELS if f"{bundle.tag()}-{level}" in came]
    levels = [level for level in levels if not bundle.reason_not_to_use(level, level)]
    if not levels:
        sys.exit(f"of {sorted(came)} none runs here: {bundle.bundle().reason}")
    compiled = run("-c", NUMBERS, level=WARM)
    for level in levels:
        check_level(level, compiled, sys.argv[1])
    check_first(levels)


if __name__ == "__main__":
    main()
