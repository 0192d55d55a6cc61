import { hash } from 'node:crypto';
import { isBlankText, readField, valueAfter } from './alert-attributes.js';
import type { JsonObject, MappableField, ParsingRules, PayloadPath } from './incoming-alert.js';

/** Fields that differ between two payloads of one problem. */
const VARYING_FIELDS: ReadonlySet<string> = new Set<MappableField>([
  'start_time',
  'end_time',
  'hosts',
]);

/** Grouping key of Prometheus items that have neither fingerprint nor labels. */
interface PrometheusIdentity {
  /** As sent: the same instant in another spelling is another alert. */
  startsAt: string;
  title: string;
  query: string | null;
}

/**
 * Returns the fingerprint of a plain payload: SHA-1 of its own fingerprint, else of the payload
 * without its times, hosts and recovery field, wherever they are mapped. Payloads without other
 * fields share one fingerprint.
 */
export function plainFingerprint(payload: JsonObject, rules: ParsingRules): Buffer {
  const given = givenText(readField(payload, rules.mappings, 'fingerprint'));
  if (!isBlankText(given)) return sha1(given);
  return sha1(canonicalJson(withoutVarying(payload, rules) ?? {}));
}

/** Fingerprint of a Prometheus item: SHA-1 of its own one, else of its labels, else of the rest. */
export function prometheusFingerprint(
  item: JsonObject,
  labels: JsonObject,
  identity: PrometheusIdentity,
): Buffer {
  const own = item.fingerprint;
  if (typeof own === 'string' && !isBlankText(own)) return sha1(own);
  if (Object.keys(labels).length > 0) return sha1(canonicalJson(labels));
  return sha1(`${identity.startsAt}/${identity.title}/${identity.query ?? ''}`);
}

function sha1(text: string): Buffer {
  // A third of the time that asking for a buffer takes.
  return Buffer.from(hash('sha1', text, 'hex'), 'hex');
}

/** Lists are flattened and joined with nothing between; '' when nothing is given. */
function givenText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map(givenText).join('');
  return typeof value === 'object' ? canonicalJson(value) : String(value);
}

function withoutVarying(payload: JsonObject, { mappings, resolvedWhen }: ParsingRules): unknown {
  const others: JsonObject = {};
  for (const name of Object.keys(payload)) {
    if (!VARYING_FIELDS.has(name)) others[name] = payload[name];
  }
  let rest: unknown = others;
  for (const { field, path } of mappings) {
    if (VARYING_FIELDS.has(field)) rest = without(rest, path);
  }
  return resolvedWhen === null ? rest : without(rest, resolvedWhen.path);
}

/**
 * Returns a copy without the value at the path. Marks removed values as undefined, so that list
 * positions stay; removes containers that become empty, and null in their place: depending on the
 * tool, an end that is not reached yet is `{}`, null or missing.
 */
function without(value: unknown, path: PayloadPath): unknown {
  const [step, ...further] = path;
  if (step === undefined) return value;
  if (typeof value !== 'object' || value === null) return value ?? undefined;
  const next = valueAfter(value, step);
  const left = further.length === 0 ? undefined : without(next, further);
  const copy = next === undefined ? value : withMember(value, step, left);
  return Object.values(copy).every((member) => member === undefined) ? undefined : copy;
}

function withMember(value: object, step: string | number, member: unknown): object {
  if (!Array.isArray(value)) return { ...value, [step]: member };
  return value.map((element: unknown, at) => (at === step ? member : element));
}

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
