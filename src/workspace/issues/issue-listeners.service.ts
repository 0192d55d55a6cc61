import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

/** Issues that one user closed together. */
export interface ClosedIssues {
  issueIds: number[];
  actorId: number;
}

export type ClosedListener = (tx: EntityManager, closed: ClosedIssues) => Promise<void>;

/** Tells features above what happens to issues, in the transaction in which it happens. */
@Injectable()
export class IssueListeners {
  private readonly closedListeners: ClosedListener[] = [];

  /** The listener runs for every closing of issues; what it throws undoes the closing. */
  onClosed(listener: ClosedListener): void {
    this.closedListeners.push(listener);
  }

  async tellClosed(tx: EntityManager, closed: ClosedIssues): Promise<void> {
    for (const listener of this.closedListeners) await listener(tx, closed);
  }
}
