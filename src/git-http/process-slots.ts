import { unavailable } from './git-refusal.js';

/** Bounds how many git processes serve clients at once, per repository and in all. */
export class ProcessSlots {
  private readonly taken = new Map<string, number>();
  private total = 0;

  constructor(private readonly limits: { perRepository: number; total: number }) {}

  /** Takes a slot and answers how to give it back, once; refuses with 503 when none is free. */
  take(repository: string): () => void {
    const mine = this.taken.get(repository) ?? 0;
    if (mine >= this.limits.perRepository || this.total >= this.limits.total) {
      throw unavailable('The server is busy with other Git requests. Please try again later.');
    }
    this.taken.set(repository, mine + 1);
    this.total += 1;
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.giveBack(repository);
    };
  }

  private giveBack(repository: string): void {
    const mine = (this.taken.get(repository) ?? 1) - 1;
    if (mine === 0) this.taken.delete(repository);
    else this.taken.set(repository, mine);
    this.total -= 1;
  }
}
