import type { MappingType, PayloadPath } from './incoming-alert.js';

/** A value of an example payload that a mapping may name. */
export interface PayloadField {
  path: PayloadPath;
  /** The path for people: `alerts[0]/labels/host`. */
  label: string;
  type: MappingType;
}

interface Place {
  path: PayloadPath;
  label: string;
}

/** More fields than this are of no use to who picks one from a list. */
const MAX_FIELDS = 500;

/**
 * Fields of an example payload, depth first and at most 500: lists and what is in them, texts,
 * and texts that begin like a date. Numbers, booleans and null are not offered.
 */
export function payloadFields(example: unknown): PayloadField[] {
  const fields: PayloadField[] = [];
  visit(example, { path: [], label: '' }, fields);
  return fields;
}

function visit(value: unknown, place: Place, fields: PayloadField[]): void {
  if (fields.length >= MAX_FIELDS) return;
  if (typeof value === 'string') {
    fields.push({ ...place, type: /^\d{4}/.test(value) ? 'DATETIME' : 'STRING' });
  } else if (Array.isArray(value)) {
    if (place.path.length > 0) fields.push({ ...place, type: 'ARRAY' });
    visitElements(value, place, fields);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      const label = place.label === '' ? name : `${place.label}/${name}`;
      visit(member, { path: [...place.path, name], label }, fields);
    }
  }
}

function visitElements(list: unknown[], { path, label }: Place, fields: PayloadField[]): void {
  for (let at = 0; at < list.length && fields.length < MAX_FIELDS; at++) {
    visit(list[at], { path: [...path, at], label: `${label}[${at}]` }, fields);
  }
}
