"""Fields that wait until they are read."""

import copy
import dataclasses
import pickle

import pytest

from fastcompare._results.records import Record


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class Circle(Record):
    radius: float
    area: float
    _counted: list

    title = "A circle"

    def _compute_area(self):
        self._counted.append("area")
        return 3 * self.radius**2


def test_a_field_is_computed_when_it_is_read_and_once():
    circle = Circle.from_fields(radius=2.0, _counted=[])
    assert circle._counted == []
    assert circle.area == circle.area == 12.0
    assert circle._counted == ["area"]


@pytest.mark.parametrize("read", [Record.to_dict, str, repr, Record._repr_html_])
def test_what_shows_the_record_computes_the_field(read):
    assert "12" in str(read(Circle.from_fields(radius=2.0, _counted=[])))


@pytest.mark.parametrize(
    "copied",
    [copy.copy, copy.deepcopy, lambda c: pickle.loads(pickle.dumps(c)), dataclasses.replace],
)
def test_a_copy_knows_the_field(copied):
    assert copied(Circle.from_fields(radius=2.0, _counted=[])).area == 12.0


def test_a_field_that_is_given_is_not_computed():
    assert Circle(radius=2.0, area=1.0, _counted=[]).area == 1.0
    assert Circle.from_fields(radius=2.0, area=1.0).area == 1.0


def test_the_record_stays_frozen_and_knows_no_other_names():
    circle = Circle.from_fields(radius=2.0, _counted=[])
    with pytest.raises(dataclasses.FrozenInstanceError):
        circle.area = 1.0
    with pytest.raises(AttributeError, match="aera"):
        _ = circle.aera
