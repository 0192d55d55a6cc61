import { spawnSync } from 'node:child_process';

const MEBIBYTE = 1024 * 1024;

/** Bytes that a git process may allocate, by what it does. */
export const MEMORY = {
  /** Comparing trees: a change of half a million files. */
  comparing: 256 * MEBIBYTE,
  /** Histories of millions of commits, and files whole. */
  reading: 512 * MEBIBYTE,
  /** Clones, pushes, merges and checks of the largest repositories. */
  working: 4096 * MEBIBYTE,
} as const;

let works: boolean | undefined;

/**
 * Command prefix of a process that may allocate so many bytes: a pushed tree of a few kilobytes can
 * stand for billions of files. Mapped packs do not count, for the system takes their memory back
 * when it is short of it. Empty where util-linux' prlimit is missing.
 */
export function limitingMemory(bytes: number): readonly string[] {
  works ??= spawnSync('prlimit', [`--data=${bytes}`, 'true']).status === 0;
  return works ? ['prlimit', `--data=${bytes}`] : [];
}

/** Whether git ended because it could have no more memory, here or at GIT_ALLOC_LIMIT. */
export function isOutOfMemory(stderr: string): boolean {
  return /out of memory|cannot allocate memory|attempting to allocate/i.test(stderr);
}
