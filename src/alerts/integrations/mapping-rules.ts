import { ValidationFailedError, ApiError } from '../../core/errors.js';
import { toList } from '../../core/params/coerce.js';
import {
  MAPPABLE_FIELDS,
  MAPPING_TYPES,
  type FieldMapping,
  type MappableField,
  type MappingType,
  type PayloadPath,
  type ResolvedWhen,
  type JsonObject,
} from '../parsing/incoming-alert.js';
import { JsonLimitExceededError, parseJsonBody } from '../../core/http/json-body.js';
import { MAX_ALERT_BYTES } from '../parsing/payload.js';

const KEYS = ['field_name', 'path', 'type', 'label'];
const MAX_LABEL = 255;

/** Name that senders of v4 platforms have for the environment; the mapping is shown with ours. */
const FOREIGN_NAMES: Readonly<Record<string, MappableField>> = {
  GITLAB_ENVIRONMENT_NAME: 'svc_environment_name',
};

/** Names of the alert fields that a mapping can fill, as the API has them: `TITLE`. */
export const FIELD_NAMES = MAPPABLE_FIELDS.map(fieldName);

/** Field of a custom mapping. */
export interface FieldMappingResponse {
  /** Field of the alert. @example "TITLE" */
  field_name: string;
  /** Path to the value: keys and list positions. @example ["alert", "name"] */
  path: PayloadPath;
  /** Type of the value, for display: values are not converted. */
  type: MappingType;
  /** Display name of the value. */
  label: string | null;
}

/**
 * The lines of a custom mapping as they are stored; null and [] are none. Throws 400, always with
 * the same message, for anything that is not exactly a mapping: a missing or further key, a field
 * that does not exist or comes twice, an empty path.
 */
export function readMappings(value: unknown): FieldMapping[] {
  const mappings = listOf(value)?.map(readMapping);
  if (mappings === undefined || !mappings.every((mapping) => mapping !== null)) throw invalid();
  const fields = new Set(mappings.map(({ field }) => field));
  if (fields.size < mappings.length) throw invalid();
  return mappings;
}

/** A stored line as the API shows it. */
export function presentMapping({ field, path, type, label }: FieldMapping): FieldMappingResponse {
  return { field_name: fieldName(field), path, type, label: label ?? null };
}

function readMapping(item: unknown): FieldMapping | null {
  if (!isHashOf(item, KEYS)) return null;
  const field = fieldOf(item['field_name']);
  const path = readPath(item['path']);
  const type = MAPPING_TYPES.find((known) => known === item['type']);
  const label = item['label'] ?? null;
  if (field === undefined || path === null || type === undefined || !isLabel(label)) return null;
  return { field, path, type, ...(label !== null && label !== '' && { label }) };
}

function fieldOf(name: unknown): MappableField | undefined {
  if (typeof name !== 'string') return undefined;
  if (Object.hasOwn(FOREIGN_NAMES, name)) return FOREIGN_NAMES[name];
  return MAPPABLE_FIELDS.find((field) => fieldName(field) === name);
}

function isLabel(label: unknown): label is string | null {
  if (label === null) return true;
  return typeof label === 'string' && label.length <= MAX_LABEL && isStorable(label);
}

function fieldName(field: MappableField): string {
  return field.toUpperCase();
}

function invalid(): ValidationFailedError {
  return new ValidationFailedError({ payload_attribute_mapping: ['must be a valid json schema'] });
}

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

const MAX_VALUES = 20;
const MAX_VALUE_LENGTH = 255;

/** Recovery condition of a custom mapping. */
export interface ResolvedWhenResponse {
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

/**
 * An example of a payload, sent as an object or as JSON text; {} for none. It has the limits of
 * payloads. Throws 400 for text that is no JSON, for what is too big, and for what is no object.
 */
export function readPayloadExample(value: unknown): JsonObject {
  if (value === null || value === undefined || value === '') return {};
  const example = parsed(typeof value === 'string' ? value : JSON.stringify(value));
  if (typeof example !== 'object' || example === null || Array.isArray(example)) {
    throw refused('must be a JSON object');
  }
  return example as JsonObject;
}

function parsed(text: string): unknown {
  if (Buffer.byteLength(text) > MAX_ALERT_BYTES) throw tooBig();
  try {
    return parseJsonBody(text);
  } catch (error) {
    if (error instanceof JsonLimitExceededError) throw tooBig();
    throw error instanceof ApiError ? refused('Invalid JSON string') : error;
  }
}

function tooBig(): ValidationFailedError {
  return refused('payloadExample JSON is too big');
}

function refused(problem: string): ValidationFailedError {
  return new ValidationFailedError({ payload_example: [problem] });
}

/** Marks text that is no JSON; no rule accepts it. */
const UNREADABLE = Symbol('unreadable JSON');

/**
 * A hash or list as it was sent, or as a form can spell it: as JSON text. null for none: the empty
 * text too, by which a form clears.
 */
function structureOf(value: unknown): unknown {
  if (value === '' || value === undefined || value === null) return null;
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return UNREADABLE;
  }
}

/** The items of a list, of a hash with the keys 0, 1, … or of JSON text; null when it is none. */
function listOf(value: unknown): unknown[] | null {
  const structure = structureOf(value);
  if (structure === null) return [];
  if (typeof structure !== 'object') return null;
  const list = toList(structure, false);
  return Array.isArray(list) ? list : null;
}

/** Returns true for a hash without other keys than these. */
function isHashOf(value: unknown, keys: readonly string[]): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.keys(value).every((key) => keys.includes(key));
}
