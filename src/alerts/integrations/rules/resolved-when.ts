import { ValidationFailedError } from '../../../core/errors.js';
import type { PayloadPath, ResolvedWhen } from '../../parsing/incoming-alert.js';
import { isStorable, readPath } from './payload-paths.js';
import { isHashOf, listOf, structureOf } from './structured-input.js';

const MAX_VALUES = 20;
const MAX_VALUE_LENGTH = 255;

/** Recovery condition of a custom mapping. */
export interface PresentedResolvedWhen {
  /** Path to the value. @example ["event", "state"] */
  path: PayloadPath;
  /** Values that mean recovery, case-insensitive. @example ["recovered", "ok"] */
  values: string[];
}

/** The rule as it is stored; null for none. Throws 400 for anything that is not exactly a rule. */
export function readResolvedWhen(value: unknown): ResolvedWhen | null {
  const structure = structureOf(value);
  if (structure === null) return null;
  const isRule = isHashOf(structure, ['path', 'values']);
  const path = isRule ? readPath(structure['path']) : null;
  const values = isRule ? readValues(structure['values']) : null;
  if (path !== null && values !== null) return { path, values };
  throw new ValidationFailedError({
    resolved_when: [`must have a path and 1 to ${MAX_VALUES} values`],
  });
}

function readValues(value: unknown): string[] | null {
  const values = listOf(value);
  if (values === null || values.length === 0 || values.length > MAX_VALUES) return null;
  return values.every(isWord) ? values : null;
}

function isWord(value: unknown): value is string {
  if (typeof value !== 'string' || value === '') return false;
  return value.length <= MAX_VALUE_LENGTH && isStorable(value);
}
