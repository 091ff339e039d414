/* What functions of kernels share: see build_bundle.py, which puts them in. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#define NPY_TARGET_VERSION NPY_2_0_API_VERSION
#include <math.h>
#include <numpy/arrayobject.h>
#include <numpy/arrayscalars.h>
#include <stdint.h>

#define HIDDEN __attribute__((visibility("hidden")))
#define KEPT \
    (NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_F_CONTIGUOUS | NPY_ARRAY_ALIGNED | NPY_ARRAY_WRITEABLE)

/* Arguments are taken where Numba gives them the very types that code was compiled for. */
static inline int as_array(PyObject *given, PyArrayObject **x, int type, int ndim, int mask, int flags) {
    *x = (PyArrayObject *)given;
    return PyArray_CheckExact(given) && PyArray_TYPE(*x) == type && PyArray_NDIM(*x) == ndim &&
           (PyArray_FLAGS(*x) & mask) == flags && PyArray_ISNOTSWAPPED(*x);
}

static inline int as_int64(PyObject *given, int64_t *x) {
    int is_large = 0;
    if (PyLong_CheckExact(given)) *x = PyLong_AsLongLongAndOverflow(given, &is_large);
    else if (PyArray_IsScalar(given, Int64)) *x = PyArrayScalar_VAL(given, Int64);
    else return 0;
    return !is_large;
}

static inline int as_uint64(PyObject *given, uint64_t *x) {
    if (!PyArray_IsScalar(given, UInt64)) return 0;
    *x = PyArrayScalar_VAL(given, UInt64);
    return 1;
}

static inline int as_float64(PyObject *given, double *x) {
    if (!PyFloat_Check(given)) return 0; /* NumPy's are floats, too */
    *x = PyFloat_AS_DOUBLE(given);
    return 1;
}

static inline int as_bool(PyObject *given, uint8_t *x) {
    if (!PyBool_Check(given) && !PyArray_IsScalar(given, Bool)) return 0;
    *x = given == Py_True || (!PyBool_Check(given) && PyArrayScalar_VAL(given, Bool));
    return 1;
}

static inline int is_tuple(PyObject *given, Py_ssize_t size) {
    return PyTuple_Check(given) && PyTuple_GET_SIZE(given) == size;
}

static PyObject *failed(int32_t status) {
    return PyErr_Format(PyExc_MemoryError,
        "a kernel stopped (%d): there is too little memory, or its arguments do not fit", status);
}

/* What Numba's code calls: memory of arrays in kernels, which Python never sees. */
typedef struct {
    size_t count;
    void (*destructor)(void *, size_t, void *);
    void *detail, *data;
    size_t size;
    void *allocator;
} MemInfo;

HIDDEN void *NRT_MemInfo_alloc_aligned(size_t size, uint32_t align) {
    if (size > (size_t)PTRDIFF_MAX - sizeof(MemInfo) - align) return NULL;
    MemInfo *made = malloc(sizeof(MemInfo) + size + align);
    if (!made) return NULL;
    uintptr_t first = (uintptr_t)(made + 1);
    *made = (MemInfo){1, NULL, NULL, (void *)((first + align - 1) / align * align), size, NULL};
    return made;
}

HIDDEN void *NRT_MemInfo_alloc(size_t size) { return NRT_MemInfo_alloc_aligned(size, 16); }
HIDDEN void NRT_MemInfo_call_dtor(void *made) { free(made); }
HIDDEN void *NRT_Allocate(size_t size) { return malloc(size); }
HIDDEN void NRT_Free(void *made) { free(made); }
HIDDEN double numba_frexp(double x, int *power) { return frexp(x, power); }
HIDDEN double numba_ldexp(double x, int power) { return ldexp(x, power); }

/* Of contiguous arrays, which kernels alone reshape: the strides of another shape. */
HIDDEN int numba_attempt_nocopy_reshape(npy_intp ndim, const npy_intp *sizes, const npy_intp *strides,
        npy_intp new_ndim, const npy_intp *new_sizes, npy_intp *new_strides, npy_intp itemsize, int is_f) {
    for (npy_intp axis = new_ndim; axis--; itemsize *= new_sizes[axis]) new_strides[axis] = itemsize;
    return 1;
}

typedef int sorts(void *, npy_intp, void *);
static sorts *sort32, *sort64;
HIDDEN int fastcompare_sort_uint32(void *x, npy_intp n, void *array) { return sort32(x, n, array); }
HIDDEN int fastcompare_sort_uint64(void *x, npy_intp n, void *array) { return sort64(x, n, array); }

/* KERNELS */
static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "kernels", NULL, -1, METHODS};

static sorts *sort_of(int type) {
    PyArray_Descr *dtype = PyArray_DescrFromType(type);
    sorts *found = (sorts *)PyDataType_GetArrFuncs(dtype)->sort[NPY_QUICKSORT];
    Py_DECREF(dtype);
    return found;
}

PyMODINIT_FUNC PyInit_kernels(void) {
    import_array();
    sort32 = sort_of(NPY_UINT32), sort64 = sort_of(NPY_UINT64);
    PyObject *made = PyModule_Create(&MODULE);
#ifdef Py_GIL_DISABLED
    if (made) PyUnstable_Module_SetGIL(made, Py_MOD_GIL_NOT_USED); /* or the import switches it on */
#endif
    return made;
}
