import { spawnSync } from 'node:child_process';

const MEBIBYTE = 1024 * 1024;

/** Memory limits of git processes in bytes, by operation. */
export const MEMORY = {
  /** Tree comparisons of up to half a million changed files. */
  comparing: 256 * MEBIBYTE,
  /** Histories of millions of commits, and whole files. */
  reading: 512 * MEBIBYTE,
  /** Clones, pushes, merges and consistency checks of the largest repositories. */
  working: 4096 * MEBIBYTE,
} as const;

let works: boolean | undefined;

/**
 * Returns the command prefix that limits a process's memory: a pushed tree of a few kilobytes can
 * expand to billions of files. Mapped packs are not counted, since the system can reclaim them.
 * Empty where util-linux' prlimit is missing.
 */
export function limitingMemory(bytes: number): readonly string[] {
  works ??= spawnSync('prlimit', [`--data=${bytes}`, 'true']).status === 0;
  return works ? ['prlimit', `--data=${bytes}`] : [];
}

/** Tests whether git ran out of memory, by this limit or by GIT_ALLOC_LIMIT. */
export function isOutOfMemory(stderr: string): boolean {
  return /out of memory|cannot allocate memory|attempting to allocate/i.test(stderr);
}
