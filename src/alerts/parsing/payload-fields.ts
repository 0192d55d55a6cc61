import type { MappingType, PayloadPath } from './incoming-alert.js';

/** Field of a sample payload. */
export interface PayloadField {
  path: PayloadPath;
  /** Readable path: `alerts[0]/labels/host`. */
  label: string;
  type: MappingType;
}

interface Position {
  path: PayloadPath;
  label: string;
}

/** More fields than this are of no use to who picks one from a list. */
const MAX_FIELDS = 500;
/** No mapping names a member whose name is longer. */
const MAX_NAME = 1_000;
/** Names that many fields share would make the answer a thousand times the example. */
const MAX_LABELS = 100_000;

interface Found {
  fields: PayloadField[];
  /** Characters of their labels. */
  length: number;
}

/**
 * Fields of an example payload, depth first and at most 500: lists and what is in them, texts,
 * and texts that begin like a date. Numbers, booleans and null are not offered, nor what is in
 * members with names of more than 1,000 characters.
 */
export function payloadFields(example: unknown): PayloadField[] {
  const found: Found = { fields: [], length: 0 };
  visit(example, { path: [], label: '' }, found);
  return found.fields;
}

function visit(value: unknown, position: Position, found: Found): void {
  if (isFull(found)) return;
  if (typeof value === 'string') {
    add(found, { ...position, type: /^\d{4}/.test(value) ? 'DATETIME' : 'STRING' });
  } else if (Array.isArray(value)) {
    if (position.path.length > 0) add(found, { ...position, type: 'ARRAY' });
    visitElements(value, position, found);
  } else if (typeof value === 'object' && value !== null) {
    visitMembers(value, position, found);
  }
}

function visitMembers(object: object, { path, label }: Position, found: Found): void {
  for (const [name, member] of Object.entries(object)) {
    if (name.length > MAX_NAME) continue;
    if (isFull(found)) return;
    const inner = label === '' ? name : `${label}/${name}`;
    visit(member, { path: [...path, name], label: inner }, found);
  }
}

function visitElements(list: unknown[], { path, label }: Position, found: Found): void {
  for (let at = 0; at < list.length && !isFull(found); at++) {
    visit(list[at], { path: [...path, at], label: `${label}[${at}]` }, found);
  }
}

function add(found: Found, field: PayloadField): void {
  found.fields.push(field);
  found.length += field.label.length;
}

function isFull({ fields, length }: Found): boolean {
  return fields.length >= MAX_FIELDS || length >= MAX_LABELS;
}
