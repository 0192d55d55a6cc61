import type { Viewer } from '../access/auth-context.js';

/** Entries of a project's sidebar with a counter. */
export type SidebarCounter = 'issues' | 'merge_requests' | 'alerts' | 'errors';

/** Counters are exact up to these limits, which the SQL counts to. */
export const MAX_TODOS = 100;
export const MAX_COUNTED = 1_000;

/** Counters of the frame. */
export type FrameCounts = { todos: number } & Partial<Record<SidebarCounter, number>>;

export const NO_COUNTS: FrameCounts = { todos: 0 };

/** A viewer, and a project with the counters of the entries that they see in its sidebar. */
export interface FrameRequest {
  viewer: Viewer | null;
  project: { id: number; counters: readonly SidebarCounter[] } | null;
}

/** Reads the counters of a page's frame; implemented by a feature on a higher floor. */
export abstract class FrameCounters {
  abstract count(request: FrameRequest): Promise<FrameCounts>;
}

/** Returns `99+` for 100 of at most 100. */
export function countLabel(count: number, max: number): string {
  return count < max ? String(count) : `${max - 1}+`;
}
