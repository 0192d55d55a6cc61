import type { PayloadPath } from '../../parsing/incoming-alert.js';
import { listOf } from './structured-input.js';

/** As deep as payloads can be nested. */
const MAX_STEPS = 100;
const MAX_STEP_LENGTH = 1_000;

/**
 * A path into a payload: names of members and positions in lists, at least one; null for anything
 * else. Forms have only texts: there a path with a position is written as JSON text.
 */
export function readPath(value: unknown): PayloadPath | null {
  const steps = listOf(value);
  if (steps === null || steps.length === 0 || steps.length > MAX_STEPS) return null;
  return steps.every(isStep) ? steps : null;
}

function isStep(step: unknown): step is string | number {
  if (typeof step === 'number') return Number.isSafeInteger(step) && step >= 0;
  return typeof step === 'string' && step.length <= MAX_STEP_LENGTH && isStorable(step);
}

/** Neither NUL nor half a surrogate pair, which JSON text inside of a parameter may spell. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && !/\p{Surrogate}/u.test(text);
}
