import type { JsonObject } from './incoming-alert.js';

/**
 * Compact JSON with the names of every object sorted: equal values have equal texts. Undefined
 * members and elements are left out.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return canonicalList(value);
  const object = value as JsonObject;
  let text = '';
  for (const name of Object.keys(object).sort()) {
    const member = object[name];
    if (member === undefined) continue;
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${canonicalJson(member)}`;
  }
  return `{${text}}`;
}

function canonicalList(list: unknown[]): string {
  if (list.length === 0) return '[]';
  // Long lists are lists of scalars, which the engine writes many times faster.
  if (list.every(isScalar)) return JSON.stringify(list);
  const given = list.filter((element) => element !== undefined);
  return `[${given.map(canonicalJson).join(',')}]`;
}

function isScalar(value: unknown): boolean {
  return value === null || (typeof value !== 'object' && value !== undefined);
}
