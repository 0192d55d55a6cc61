import type { VNode } from 'preact';
import type { Person } from '../email-row.js';

/** Author of the event, who may have been deleted. */
export function Actor({ person }: { person: Person | null }): VNode {
  return <strong>{person?.name ?? 'Someone'}</strong>;
}
