/**
 * Node gives new objects up to 128 MB before it collects them, and takes them at the start already;
 * with `--expose-gc` a process collects what only its start needed. docker-entrypoint.sh sets the
 * same. Measured: docs/decisions/0047-production-bundle.md.
 */
export const NODE_FLAGS = ['--max-semi-space-size=8', '--expose-gc'];

/**
 * Makes glibc's malloc return freed memory: by default it keeps eight arenas per core, and raises
 * its trim threshold after each large block is freed.
 */
export const MEMORY_ENV = {
  MALLOC_ARENA_MAX: process.env.MALLOC_ARENA_MAX || '2',
  MALLOC_TRIM_THRESHOLD_: process.env.MALLOC_TRIM_THRESHOLD_ || '131072',
};
