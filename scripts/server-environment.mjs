/**
 * The environment of the server program, unless somebody has set it otherwise. The systemd unit and the Dockerfile in `deploy/`
 * have it too.
 *
 * glibc keeps freed memory for the thread that has used it. Each thread of Node's pool that has checked a second password
 * keeps 19 MB for the next one. With two pools for all threads, and with blocks from 8 MiB on given back at once, a node takes
 * 15 to 75 MB less under load; a program that checks passwords and does nothing else takes 76 MB less, and 17 % longer
 * (docs/performance-experiments.md). Other C libraries ignore it.
 */
export const SERVER_ENVIRONMENT = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '8388608',
  MALLOC_TRIM_THRESHOLD_: '8388608',
};

/**
 * Flags of Node.js for the server program, in the same places. While the program is loaded, V8 lets the young generation of the
 * main thread grow to twice 32 MB and then keeps it, though requests need a fraction of that. Workers, which have the messages,
 * begin with all of it where there is enough memory (packages/server/src/workers/heap.ts).
 */
export const SERVER_FLAGS = ['--max-semi-space-size=8'];
