#include "neighbor/search/nearest.h"

static bool farther(const mo_nearest *n, int64_t a, int64_t b)
{
    return n->square[a] > n->square[b] || (n->square[a] == n->square[b] && n->row[a] > n->row[b]);
}

static void exchange(mo_nearest *n, int64_t a, int64_t b)
{
    int32_t row = n->row[a];
    double square = n->square[a];
    n->row[a] = n->row[b];
    n->square[a] = n->square[b];
    n->row[b] = row;
    n->square[b] = square;
}

static void sink(mo_nearest *n, int64_t at, int64_t count)
{
    for (;;) {
        int64_t child = 2 * at + 1;
        if (child >= count) {
            return;
        }
        child += child + 1 < count && farther(n, child + 1, child);
        if (!farther(n, child, at)) {
            return;
        }
        exchange(n, at, child);
        at = child;
    }
}

void mo_nearest_put(mo_nearest *n, int32_t row, double square)
{
    if (n->count == n->k) {
        if (n->k == 0 || square > n->square[0] || (square == n->square[0] && row > n->row[0])) {
            return;
        }
        n->row[0] = row;
        n->square[0] = square;
        sink(n, 0, n->count);
        return;
    }
    int64_t at = n->count++;
    n->row[at] = row;
    n->square[at] = square;
    while (at > 0 && farther(n, at, (at - 1) / 2)) {
        exchange(n, at, (at - 1) / 2);
        at = (at - 1) / 2;
    }
}

int64_t mo_nearest_finish(mo_nearest *n)
{
    for (int64_t count = n->count; count > 1; --count) {
        exchange(n, 0, count - 1);
        sink(n, 0, count - 1);
    }
    return n->count;
}
