import { given } from '../../../core/ui/form-input.decorator.js';
import { FIELD_NAMES, presentMapping } from '../../integrations/mapping-rules.js';
import type { FoundIntegration } from '../../alert-integrations.repository.js';
import type { JsonObject, PayloadPath } from '../../parsing/incoming-alert.js';
import { payloadFields, type PayloadField } from '../../parsing/payload-fields.js';
import { prettyValue } from '../raw-text.js';

/** Values of the custom mapping form; paths are JSON text, '' for none. */
export interface MappingValues {
  /** JSON text as it was pasted. */
  example: string;
  /** By the name of the alert's field: `TITLE`. */
  paths: Record<string, string>;
  resolvedPath: string;
  /** Parted by commas. */
  resolvedWords: string;
}

type Mapped = Pick<
  FoundIntegration,
  'payloadExample' | 'payloadAttributeMappings' | 'resolvedWhen'
>;

/** The form as it begins. */
export function valuesOfMapping(integration: Mapped): MappingValues {
  const { payloadExample, payloadAttributeMappings, resolvedWhen } = integration;
  const isEmpty = Object.keys(payloadExample).length === 0;
  const lines = payloadAttributeMappings.map(presentMapping);
  return {
    example: isEmpty ? '' : prettyValue(payloadExample),
    paths: Object.fromEntries(lines.map((line) => [line.field_name, JSON.stringify(line.path)])),
    resolvedPath: resolvedWhen === null ? '' : JSON.stringify(resolvedWhen.path),
    resolvedWords: resolvedWhen?.values.join(', ') ?? '',
  };
}

/** The form as it was sent. */
export function valuesOfForm(form: Record<string, unknown>): MappingValues {
  const mapped = form['mapping'];
  const paths = typeof mapped === 'object' && mapped !== null ? { ...mapped } : {};
  return {
    example: given(form, 'payload_example'),
    paths: Object.fromEntries(FIELD_NAMES.map((name) => [name, given(paths, name)])),
    resolvedPath: given(form, 'resolved_path'),
    resolvedWords: given(form, 'resolved_values'),
  };
}

/**
 * Returns the choices of a path: the fields of the sample payload, and chosen paths that it does
 * not have.
 */
export function choicesOf(values: MappingValues, example: JsonObject): PayloadField[] {
  const found = payloadFields(example);
  const known = new Set(found.map(({ path }) => JSON.stringify(path)));
  const chosen = [...Object.values(values.paths), values.resolvedPath];
  const others = [...new Set(chosen)].filter((text) => text !== '' && !known.has(text));
  return [...found, ...others.flatMap(keptField)];
}

/** Parameters of the API for the form; what makes no sense is left to its checks. */
export function paramsOf(
  values: MappingValues,
  choices: readonly PayloadField[],
): Record<string, unknown> {
  const byPath = new Map(choices.map((field) => [JSON.stringify(field.path), field]));
  const lines = Object.entries(values.paths).filter(([, path]) => path !== '');
  const words = values.resolvedWords.split(',').map((word) => word.trim());
  return {
    payload_example: values.example,
    payload_attribute_mappings: lines.map(([field_name, path]) => {
      const { type = 'STRING', label } = byPath.get(path) ?? {};
      return { field_name, path, type, label };
    }),
    resolved_when:
      values.resolvedPath === '' && values.resolvedWords.trim() === ''
        ? null
        : { path: values.resolvedPath, values: words.filter((word) => word !== '') },
  };
}

function keptField(text: string): PayloadField[] {
  const path = readPathText(text);
  if (path === null) return [];
  return [{ path, label: path.join('/'), type: 'STRING' }];
}

function readPathText(text: string): PayloadPath | null {
  try {
    const path: unknown = JSON.parse(text);
    const isPath =
      Array.isArray(path) && path.every((step) => ['string', 'number'].includes(typeof step));
    return isPath ? (path as PayloadPath) : null;
  } catch {
    return null;
  }
}
