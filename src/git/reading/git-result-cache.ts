import type { GitAnswer } from './read-git.js';

/** Keeps answers in memory up to a number of bytes; the least recently used ones go first. */
export class GitResultCache {
  private readonly answers = new Map<string, GitAnswer>();
  private size = 0;

  constructor(private readonly bounds: { bytes: number; bytesPerAnswer: number }) {}

  find(key: string): GitAnswer | undefined {
    const answer = this.answers.get(key);
    if (answer === undefined) return undefined;
    this.answers.delete(key);
    this.answers.set(key, answer);
    return answer;
  }

  keep(key: string, answer: GitAnswer): void {
    const size = sizeOf(key, answer);
    if (size > this.bounds.bytesPerAnswer) return;
    this.drop(key);
    this.answers.set(key, answer);
    this.size += size;
    for (const oldest of this.answers.keys()) {
      if (this.size <= this.bounds.bytes) return;
      this.drop(oldest);
    }
  }

  private drop(key: string): void {
    const answer = this.answers.get(key);
    if (answer === undefined) return;
    this.answers.delete(key);
    this.size -= sizeOf(key, answer);
  }
}

function sizeOf(key: string, { stdout }: GitAnswer): number {
  return 2 * key.length + stdout.length;
}
