import threading
import time

import pytest

from fastcompare._parallel import map_threads


@pytest.mark.parametrize("n_jobs", [1, 2, 5])
def test_results_come_in_the_order_of_the_items(n_jobs):
    assert map_threads(lambda x: x * x, range(40), n_jobs) == [x * x for x in range(40)]
    assert map_threads(str, [], n_jobs) == []


def test_all_threads_take_their_share():
    def work(_):
        time.sleep(0.002)
        return threading.get_ident()

    workers = map_threads(work, range(40), 4)
    assert len(set(workers)) == 4
    assert threading.get_ident() in workers
    assert max(workers.count(worker) for worker in set(workers)) <= 20


def test_an_error_reaches_the_caller_and_stops_the_others():
    done = []

    def work(x):
        if x == 3:
            raise MemoryError("no room")
        time.sleep(0.001)
        done.append(x)

    with pytest.raises(MemoryError, match="no room"):
        map_threads(work, range(500), 2)
    assert len(done) < 400
