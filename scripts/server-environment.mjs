/**
 * The environment of the server program, however it is started. The systemd unit and the Dockerfile in `deploy/` have it too.
 *
 * glibc keeps what threads have freed for these threads, and that of a large block from its second use on, too: every thread
 * that has checked a password keeps 19 MB for the next one. With two pools for all threads, and large blocks given back at
 * once, a node takes 15 to 75 MB less under load and 76 MB less after some log-ins (docs/performance.md). Other C
 * libraries ignore it.
 */
export const SERVER_ENVIRONMENT = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '8388608',
  MALLOC_TRIM_THRESHOLD_: '8388608',
};
