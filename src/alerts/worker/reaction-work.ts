import type { EntityManager } from 'typeorm';
import type { ReactionKind } from '../alert-reaction.entity.js';

/** All due rows of one kind about one alert. */
export interface DueReaction {
  alertId: number;
  /** Numbers of events of the rows, the oldest row first. */
  events: number[];
}

/** Outcome of the rows, apart from the data that was written. */
export interface ReactionOutcome {
  /** Alerts that someone else holds: to be taken one by one, waiting for them. */
  busy: number[];
  /** Log message; null for none. */
  summary: string | null;
  /** Called after the commit. */
  committed?: () => Promise<void>;
}

/**
 * Handles rows of one kind, within the transaction that deletes the rows: both happen, or neither.
 * Can be called again for rows whose transaction failed.
 */
export interface ReactionWork {
  readonly kind: ReactionKind;
  /** Among several alerts it waits for none (see `busy`): who waits for it could have another. */
  react(tx: EntityManager, due: DueReaction[], mayWait: boolean): Promise<ReactionOutcome>;
}
