import type { MoveState } from './move-states.js';

/** A storage and the limits of moves from and to it. */
export interface PresentedStorage {
  /** @example "default" */
  name: string;
  /** Share of new repositories; 0 = takes none. */
  weight: number;
  /** true lets no move from or to the storage start; running ones finish. */
  paused: boolean;
  /** Moves into the storage at the same time. */
  max_in: number;
  /** Moves out of the storage at the same time. */
  max_out: number;
  /**
   * Maximum bytes per second that the moves of one worker read and write on the storage; null = no
   * limit.
   */
  bytes_per_second: number | null;
  /**
   * Until then nothing moves in, since the disk was full; null when it is open.
   * @format date-time
   */
  blocked_until: string | null;
}

/** Containers of each kind on a storage. */
export interface PresentedContainerCounts {
  project: number;
  snippet: number;
  group: number;
}

/** How many moves are in each state; states without any are absent. */
export type PresentedMoveCounts = Partial<Record<MoveState, number>>;

/** A storage with what lies on it and what moves there. */
export interface PresentedStorageSummary extends PresentedStorage {
  containers: PresentedContainerCounts;
  /** Moves into the storage, by state. */
  incoming: PresentedMoveCounts;
  /** Moves out of the storage, by state. */
  outgoing: PresentedMoveCounts;
  /** What running moves have yet to copy into the storage. */
  bytes_left: number;
  /** Rate of one move by what moves have taken lately; null without any. */
  measured_bytes_per_second: number | null;
  /** Until `bytes_left` is copied at that rate. */
  eta_seconds: number | null;
  repositories_in_trash: number;
}
