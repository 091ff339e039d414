"""Files of scores: what is meaningful gives its numbers, the rest an error that says where."""

import bz2
import gzip
import io
import math
import os
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pyarrow.csv as arrow_csv
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fastcompare as fc
from fastcompare._adapters import delimited, files
from fastcompare._adapters import files as unpacking
from fastcompare._adapters.delimited import arrow_buffer, read_delimited
from fastcompare._adapters.files import read_table

PLAIN = b"y,a\n1,0.5\n0,-2\n"


@pytest.fixture
def write(tmp_path):
    """Return a function that writes bytes to a file and returns its path."""

    def write(content, name="scores.csv"):
        path = tmp_path / name
        path.write_bytes(content)
        return path

    return write


def cell(text):
    """Return a file with a field in line 3 between two good scores."""
    return f"y,a\n1,0.5\n0,{text}\n1,4\n".encode()


SAME = {
    "plain": PLAIN,
    "byte order mark": b"\xef\xbb\xbf" + PLAIN,
    "CRLF": PLAIN.replace(b"\n", b"\r\n"),
    "CR": PLAIN.replace(b"\n", b"\r"),
    "blank lines": b"\n" + PLAIN + b"\n\n",
    "no last newline": PLAIN.strip(),
    "quoted": b'"y","a"\n"1","0.5"\n0,"-2"\n',
    "quoted newline elsewhere": b'y,a,id\n1,0.5,"p\n""q"",r"\n0,-2,\n',
    "padded, as after a comma": b"y,a\n1, 0.5\n0, -2 \n",
    "other spellings": b"y,a\n1,.5\n0,-0.2E1\n",
    "lone quote in a field of no interest": b'y,a,size\n1,0.5,5"\n0,-2,7\n',
    "gzip": gzip.compress(PLAIN),
    "gzip in two parts": gzip.compress(PLAIN[:6]) + gzip.compress(PLAIN[6:]),
    "bzip2": bz2.compress(PLAIN),
    "zstd": pa.compress(PLAIN, codec="zstd", asbytes=True),
}


@pytest.mark.parametrize("content", SAME.values(), ids=SAME)
def test_awkward_text_reads_as_plain_text_does(write, content):
    table = read_table(write(content, "wrong.extension"))
    assert list(table.column("y")) == [1, 0]
    assert list(table.scores("a")) == [0.5, -2.0]


FAULTY = {
    "empty": (b"", "no rows"),
    "blank lines only": (b"\n\n", "no rows"),
    "header only": (b"y,a\n", "no rows"),
    "header without newline": (b"y,a", "no rows"),
    "short row": (b"y,a\n1,2\n3\n", "line 3 has 1 fields, the header has 2"),
    "long row": (b"y,a\n1,2\n\n3,4,5\n", "line 4 has 3 fields"),
    "row after a quoted newline": (b'y,a,i\n1,2,"p\nq"\n3\n', "line 4 has 1 fields"),
    "no name": (b"y,,a\n1,2,3\n", "column 2 of 3 has no name"),
    "duplicate names": (b"y,a,a\n1,2,3\n", "same name: 'a'"),
    "unclosed quote": (b'y,a\n1,2\n1,"2\n0,4\n', "line 3: a quote is opened and never closed"),
    "NUL": (b"y,a\n1,\0\n", "line 2 has a NUL"),
    "no text of Windows": (b"y,a,\x81\n1,2,3\n", "byte 0x81 at offset 4.*--encoding"),
    "a sign in a word": ("y,Größe\n1,2\n".encode("cp850"), "byte 0x94.*--encoding"),
    "UTF-16 without a mark": ("y,a\n1,2\n".encode("utf-16-le"), "NUL.*--encoding"),
    "truncated gzip": (gzip.compress(PLAIN)[:-4], "damaged.*[Tt]runcated"),
    "gzip with a tail": (gzip.compress(PLAIN) + b"tail", "damaged"),
    "broken Parquet": (b"PAR1" + bytes(40), "not a readable Parquet file"),
}


AS_TABLE = {
    "blanks": b"y a\n1 0.5\n0 -2\n",
    "several blanks": b"  y     a\n  1   0.5\n  0    -2\n",
    "a line of one no-break space": "y a\n\u00a0\n1 0.5\n0 -2\n".encode(),
    "a title above blanks": b"# of 2024\ny a\n1 0.5\n0 -2\n",
    "UTF-16": PLAIN.decode().encode("utf-16"),
    "names of rows, as R writes them": b'"y" "a"\n"1" 1 0.5\n"2" 0 -2\n"3" 0 -3\n',
    "names of rows between commas": b'"y","a"\n"p1",1,0.5\n"p2",0,-2\n"p3",0,-3\n',
}


@pytest.mark.parametrize("content", AS_TABLE.values(), ids=AS_TABLE)
def test_blanks_marks_and_names_of_rows_are_found(write, content):
    table = read_table(write(content))
    assert list(table.column("y"))[:2] == [1, 0]
    assert list(table.scores("a"))[:2] == [0.5, -2.0]


NO_NAMES = {
    "decimals": b"y,a\n0.5,1,2\n0.25,0,3\n0.75,1,3\n",
    "a comma at the end": b"y,a\n1,2,\n2,3,\n3,3,\n",
    "twice the same": b"y,a\n1,2,3\n1,3,4\n2,3,4\n",
}


@pytest.mark.parametrize("content", NO_NAMES.values(), ids=NO_NAMES)
def test_other_fields_without_a_header_are_refused(write, content):
    with pytest.raises(fc.FastCompareError, match="line 2 has 3 fields, the header has 2"):
        read_table(write(content))


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252"])
def test_text_of_windows_is_read_and_said(write, encoding):
    table = read_table(write("y,Größe,d’été\n1,2,3\n0,3,4\n".replace("’", "'").encode(encoding)))
    assert table.names == ["y", "Größe", "d'été"]
    assert "Windows-1252" in table.note
    assert not read_table(write("y,Größe\n1,2\n".encode())).note
    assert not read_table(write("y,é\n1,2\n".encode("latin-1")), encoding="latin-1").note


@pytest.mark.parametrize(("content", "fault"), FAULTY.values(), ids=FAULTY)
def test_faulty_files_are_refused_in_one_line(write, content, fault):
    with pytest.raises(fc.FastCompareError, match=fault) as caught:
        read_table(write(content))
    assert "\n" not in str(caught.value)


NO_DECIMALS = ["1_000", "١", " inf ", "inf", "-Infinity", "-nan", "1e400", "0x1p-3", "1d3", "-"]
NO_DECIMALS += ["None", "#N/A", "true", "2020-01-01", "12:30", "1 2", "0,5", "50%", "'1", "é"]


@pytest.mark.parametrize("text", NO_DECIMALS)
def test_scores_must_be_plain_decimals(write, text):
    table = read_table(write(cell(f'"{text}"')))
    with pytest.raises(fc.FastCompareError, match="column 'a' must contain") as caught:
        table.scores("a")
    assert f"line 3 has {text!r}" in str(caught.value)


def number(text):
    """Return the plain decimal number that a text is; None if it is none."""
    try:
        value = float(text) if set(text) <= set("0123456789.eE+- \t") else math.inf
    except ValueError:
        return None
    return value if math.isfinite(value) else None


@pytest.mark.slow
@given(text=st.text("019.eE+- \t_xinf", min_size=1, max_size=8))
def test_scores_are_what_python_reads_or_refused(text):
    table = read_delimited("file", cell(text), ",", "utf-8")
    if number(text) is not None:
        assert table.scores("a")[1] == number(text)
        return
    with pytest.raises(fc.FastCompareError, match="line 3 has"):
        table.scores("a")


def test_a_huge_field_names_its_line(write):
    with pytest.raises(fc.InvalidValueError, match="line 3: field larger than"):
        read_table(write(cell("x" * 200_000))).scores("a")


@pytest.mark.parametrize("word", ["", "NA", "NaN", "nan", "null", "N/A"])
@pytest.mark.parametrize("others", ["int", "float"])
def test_few_words_are_missing_values(write, word, others):
    content = cell(word) if others == "float" else cell(word).replace(b"0.5", b"5")
    scores = read_table(write(content)).scores("a")
    with pytest.raises(fc.InvalidValueError, match="missing"):
        fc.roc_auc([1, 0, 0], scores)
    with pytest.warns(fc.DroppedCasesWarning):
        assert fc.roc_auc([1, 0, 0], scores, nan_policy="omit") in (0.0, 1.0)


def test_a_column_of_missing_values_counts_as_numeric(write):
    table = read_table(write(b"y,a\n1,NA\n0,\n"))
    assert table.is_numeric("a")
    with pytest.raises(fc.InvalidValueError, match="missing"):
        fc.roc_auc(table.column("y"), table.scores("a"))


def test_text_stays_text(write):
    table = read_table(write(b"y,a\nNA,1\nnull,2\n,3\nb,4\n"))
    assert list(table.column("y")) == ["NA", "null", "", "b"]
    assert not table.is_numeric("y")


def test_words_of_truth_become_labels(write):
    assert read_table(write(b"y,a\nTrue,1\nfalse,2\n")).column("y") == [True, False]


def test_wide_integers_keep_their_order(write):
    table = read_table(write(b"y,a\n1,9007199254740993\n0,9007199254740992\n"))
    assert fc.roc_auc(table.column("y"), table.scores("a")) == 1.0


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16", "utf-16-le", "utf-8", "UTF-8-sig"])
def test_encodings(write, encoding):
    table = read_table(write("y,naïve\n1,2\n".encode(encoding)), encoding=encoding)
    assert table.names == ["y", "naïve"]


@pytest.mark.parametrize("encoding", ["klingon", "rot13"])
def test_unknown_encodings_are_refused(write, encoding):
    with pytest.raises(fc.InvalidValueError, match="encoding"):
        read_table(write(PLAIN), encoding=encoding)


@pytest.mark.parametrize("separator", [";", "\t", "|", " "])
def test_separators(write, separator):
    content = PLAIN.replace(b",", separator.encode())
    assert read_table(write(content), separator=separator).scores("a").tolist() == [0.5, -2.0]


COMMAS = b"y;a\n1;0,5\n0;-2,0\n1;NA\n"


@pytest.mark.parametrize("options", [{}, {"separator": ";"}, {"separator": ";", "decimal": ","}])
def test_separators_and_decimal_commas_are_found_or_specified(write, options):
    scores = read_table(write(COMMAS), **options).scores("a")
    np.testing.assert_array_equal(scores, [0.5, -2.0, np.nan])


def test_of_decimal_commas_a_point_is_no_number(write):
    table = read_table(write(COMMAS.replace(b"-2,0", b"0.9")), separator=";", decimal=",")
    with pytest.raises(fc.InvalidTypeError, match=r"line 3 has '0\.9'"):
        table.scores("a")


@pytest.mark.parametrize("text", ["1,234", "12,345", "a,5", "0.5"])
def test_other_columns_are_not_taken_for_decimal_commas(write, text):
    content = f'y,a\n1,"{text}"\n0,"{text}"\n'.encode()
    assert read_table(write(content)).names == ["y", "a"]


@pytest.mark.parametrize("decimal", [";", ",,", "·"])
def test_impossible_decimal_marks_are_refused(write, decimal):
    with pytest.raises(fc.InvalidValueError, match=r"`decimal` must be '\.' or ','"):
        read_table(write(COMMAS), separator=";", decimal=decimal)
    with pytest.raises(fc.InvalidValueError, match="other than `separator`"):
        read_table(write(COMMAS), separator=",", decimal=",")


@pytest.mark.parametrize("separator", [",,", '"', "\n", "é"])
def test_impossible_separators_are_refused(write, separator):
    with pytest.raises(fc.InvalidValueError, match="separator"):
        read_table(write(PLAIN), separator=separator)


def test_what_is_no_file(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_table(tmp_path / "missing.csv")
    with pytest.raises(IsADirectoryError):
        read_table(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(fc.InvalidValueError, match="not a regular file"):
        read_table(tmp_path / "pipe")


def test_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(PLAIN))))
    assert read_table("-").scores("a").tolist() == [0.5, -2.0]


def test_missing_pyarrow_names_the_extra(monkeypatch, write):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match=r"pip install 'fastcompare\[cli\]'"):
        read_table(write(PLAIN))


@pytest.mark.slow
def test_reading_does_not_load_pandas(write):
    path = write(cell("NA") + b"0,7\n")
    code = (
        "import sys; from fastcompare._adapters.files import read_table; "
        f"t = read_table({str(path)!r}); t.scores('a'); t.column('y'); "
        "sys.exit('pandas' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_magic_bytes_are_not_ambiguous():
    magics = [files.PARQUET, *unpacking.CODECS]
    assert not any(a.startswith(b) for a in magics for b in magics if a is not b)


def test_integers_past_64_bits_are_refused_and_not_tied(tmp_path):
    path = tmp_path / "wide.csv"
    rows = [f"{i % 2},{2**64 - 4 + i}" for i in range(4)]
    path.write_text("\n".join(["y,a", *rows]))
    with pytest.raises(ValueError, match="line 2 has '18446744073709551612'"):
        read_table(str(path)).scores("a")
    path.write_text("y,a\n0,1e20\n1,2e20\n")
    assert read_table(str(path)).scores("a").tolist() == [1e20, 2e20]


def test_threads_of_readers_hold_no_bytes_of_python(write, monkeypatch):
    """One that frees them while the interpreter ends aborts the process, after a right answer."""
    content = bytearray(b"y,a\n1,0.5\n")
    reader = arrow_buffer(content)
    content.clear()  # a BufferError if something held it
    assert reader.read() == b"y,a\n1,0.5\n"
    assert arrow_buffer(b"").read() == b""

    readers, files_read = [], []
    read_csv = arrow_csv.read_csv

    def copied(content):
        readers.append(arrow_buffer(content))
        return readers[-1]

    def watched(file, **options):
        files_read.append(file)
        return read_csv(file, **options)

    monkeypatch.setattr(delimited, "arrow_buffer", copied)
    monkeypatch.setattr(arrow_csv, "read_csv", watched)
    assert read_table(write(b"y,a\n1,0.25\n0,0.75\n")).arrow.num_rows == 2
    assert files_read
    assert files_read == readers


@pytest.mark.parametrize("compress", [gzip.compress, bz2.compress])
def test_a_bomb_is_not_unpacked(write, monkeypatch, compress):
    path = write(compress(PLAIN + b"1,0.25\n" * 10_000))
    monkeypatch.setattr(files, "MOST_UNPACKED", 1000)
    with pytest.raises(fc.InvalidValueError, match=r"more than 1000 bytes.*MOST_UNPACKED"):
        read_table(path)
    monkeypatch.setenv("FASTCOMPARE_MOST_UNPACKED", "1000000")
    assert read_table(path).arrow.num_rows == 10_002
