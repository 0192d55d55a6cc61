import { ValidationFailedError } from '../../../core/errors.js';
import {
  MAPPABLE_FIELDS,
  MAPPING_TYPES,
  type FieldMapping,
  type MappableField,
  type MappingType,
  type PayloadPath,
} from '../../parsing/incoming-alert.js';
import { isStorable, readPath } from './payload-paths.js';
import { isHashOf, listOf } from './structured-input.js';

const KEYS = ['field_name', 'path', 'type', 'label'];
const MAX_LABEL = 255;

/** Name that senders of v4 platforms have for the environment; the mapping is shown with ours. */
const FOREIGN_NAMES: Readonly<Record<string, MappableField>> = {
  GITLAB_ENVIRONMENT_NAME: 'svc_environment_name',
};

/** Names of the alert fields that a mapping can fill, as the API has them: `TITLE`. */
export const FIELD_NAMES = MAPPABLE_FIELDS.map(fieldName);

/** Field of a custom mapping. */
export interface PresentedFieldMapping {
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
export function presentMapping({ field, path, type, label }: FieldMapping): PresentedFieldMapping {
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
