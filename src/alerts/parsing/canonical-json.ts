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
  let text = '';
  for (const element of list) {
    if (element !== undefined) text += (text === '' ? '' : ',') + canonicalJson(element);
  }
  return `[${text}]`;
}
