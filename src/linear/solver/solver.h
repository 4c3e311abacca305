/*
 * The family of solvers of A x = b with a symmetric positive definite matrix of 3x3 blocks: one
 * file each.
 *
 * A system is a matrix, or (matrix-free) a function that multiplies with A and the matrix of its
 * diagonal blocks. All solvers start from the given x and report their iterations and the relative
 * residual |b - A x| / |b|. Data reused between systems (vectors, a colouring, a factorisation) is
 * the solver's state, created by `open` and rebuilt when the pattern number changes.
 *
 * Reproducibility: products are row by row, sums by blocks of rows in a fixed tree, sweeps by
 * colours, without atomics or locks.
 */
#ifndef MO_LINEAR_SOLVER_H
#define MO_LINEAR_SOLVER_H

#include "base/param.h"
#include "linear/block_matrix.h"
#include "linear/work.h"

/* Capabilities. */
enum {
    MO_LINEAR_MATRIX_FREE = 1u << 0, /* needs products and the diagonal only */
    MO_LINEAR_BOUNDS = 1u << 1       /* supports bounds */
};

typedef void mo_apply_fn(void *context, const double *p, double *y);

typedef struct mo_linear_system {
    mo_memory *memory;
    mo_pool *pool;
    const mo_block_matrix *matrix; /* of the diagonal only if there is `apply` */
    uint64_t pattern;              /* changes with the pattern */
    mo_apply_fn *apply;            /* y = A p; NULL: by the matrix */
    void *context;
    const double *b;
    double *x;      /* initial guess, then the solution; one value of padding */
    int count;      /* right-hand sides, b + stride, b + 2 stride, ...; 0 is 1 */
    int64_t stride; /* of b and of x */
    bool from_zero; /* the guess is 0: one product less */
    /* Bounds of every component of x (may be infinite; both NULL: none): x then minimises x A
     * x/2 - b x within them, and the residual excludes components blocked by a bound. */
    const double *lower, *upper;
    /* only test whether the matrix is definite, for solvers that can do so without x */
    bool only_definite;
} mo_linear_system;

typedef struct mo_linear_result {
    int64_t iterations;
    double residual; /* |b - A x| / |b|; 0 if b is */
    bool converged;  /* the tolerance was reached, or the number of iterations is fixed */
    bool indefinite; /* a direction with x A x <= 0 was found: the matrix is not positive
                      * definite */
} mo_linear_result;

typedef struct mo_linear_type {
    mo_descriptor base;
    mote_status (*open)(mo_memory *memory, void **state, mote_error *error);
    void (*close)(void *state, mo_memory *memory);
    mote_status (*solve)(void *state, const void *params, const mo_linear_system *system,
                         mo_linear_result *result, mote_error *error);
    bool many; /* `solve` supports `count`; otherwise it is called for each right-hand side */
} mo_linear_type;

extern const mo_family mo_linear_solvers;

/* A method with its state. */
typedef struct mo_linear_solver {
    const mo_linear_type *type;
    const void *params;
    mo_memory *memory;
    void *state;
} mo_linear_solver;

mote_status mo_linear_open(mo_memory *memory, mo_method method, mo_linear_solver *solver,
                           mote_error *error);
void mo_linear_close(mo_linear_solver *solver);
mote_status mo_linear_solve(mo_linear_solver *solver, const mo_linear_system *system,
                            mo_linear_result *result, mote_error *error);

/* The most accurate solver: cholesky if available, else cg to 1e-12. */
mo_method mo_linear_exact(void);
mo_method mo_linear_cg_exact(void);

/* For methods: y = A p by the matrix or matrix-free. */
void mo_linear_apply(const mo_linear_system *system, const double *p, double *y);
/* r = b - A x (b if the guess is 0), and |r|^2, |b|^2. */
mote_status mo_linear_residual(const mo_linear_system *system, double *r, double squares[2],
                               mote_error *error);
/* inverse[9 * row]: inverses of the diagonal blocks, column-major, one value of padding. */
void mo_linear_invert_diagonal(const mo_linear_system *system, double *inverse);

/* Stopping criteria of the iterative methods, at the end of their parameters. */
typedef struct mo_linear_limits {
    double tolerance;
    int64_t iterations;
    bool fixed;
} mo_linear_limits;

#define MO_LINEAR_LIMITS(type, default_value, name, check, use) \
    {"tolerance", \
     MO_REAL, \
     MO_FIELD(type, limits.tolerance), \
     .initial = default_value, \
     .range = "(0, 1)", \
     .doc = "Residual, relative to the right-hand side, at which the solver stops" check "."}, \
        {"iterations", \
         MO_INT, \
         MO_FIELD(type, limits.iterations), \
         .initial = "1000", \
         .range = "[1, 1000000]", \
         .doc = "Maximum number of " name ", with a warning if the tolerance is not reached."}, \
    { \
        "fixed", MO_BOOL, MO_FIELD(type, limits.fixed), \
            .initial = "false", \
            .doc = "Performs exactly `iterations` " name \
                   ", regardless of the residual and without a warning" use "." \
    }

/* ... vectors and the inverses of the diagonal blocks, at the beginning of their state. */
typedef struct mo_linear_scratch {
    mo_work vectors, inverses;
    double *inverse; /* see mo_linear_invert_diagonal */
} mo_linear_scratch;

void mo_linear_scratch_release(mo_memory *memory, mo_linear_scratch *scratch);
/* Reserves `count` vectors and the inverses for this system. */
mote_status mo_linear_begin(const mo_linear_system *system, mo_linear_scratch *scratch, int count,
                            double **vectors, mote_error *error);
/* The bound of squares[0] at convergence. */
double mo_linear_enough(const mo_linear_limits *limits, const double squares[2]);
/* Fills residual and converged. */
void mo_linear_finish(const mo_linear_limits *limits, const double squares[2],
                      mo_linear_result *result);

#endif
