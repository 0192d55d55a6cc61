import type { VNode } from 'preact';
import type { Person } from '../email-row.js';

/** Whose doing it is; their account may be gone. */
export function Actor({ person }: { person: Person | null }): VNode {
  return <strong>{person?.name ?? 'Somebody'}</strong>;
}
