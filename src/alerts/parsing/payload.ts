import { isUtf8 } from 'node:buffer';
import { ApiError } from '../../core/errors.js';
import { parseJsonBody } from '../../core/http/json-body.js';
import type {
  JsonObject,
  ParsedPayload,
  ParsingRules,
  IncomingAlert,
  MappableField,
} from './incoming-alert.js';
import { parsePrometheus } from './prometheus-payload.js';
import {
  cutTextOf,
  environmentName,
  TEXT_LIMITS,
  characterCount,
  firstCharacters,
  textOf,
  parseEndTime,
  parseTime,
  plainSeverity,
  readField,
  saysResolved,
} from './alert-attributes.js';
import { plainFingerprint } from './fingerprint.js';

/** Longest webhook body and longest example of one. */
export const MAX_ALERT_BYTES = 1_048_576;

const BYTE_ORDER_MARK = 0xfeff;

const UNSTORABLE = /\\u(?:0000|d[89a-f])/i;
/** Matches escapes from left to right; the group captures NUL and lone surrogates. */
const ESCAPES =
  /(?:\\[^u])+|\\ud[89ab][\da-f]{2}\\ud[c-f][\da-f]{2}|((?:\\u0000|\\ud[c-f][\da-f]{2}|\\ud[89ab][\da-f]{2}(?!\\ud[c-f][\da-f]{2})){1,1000})/gi;
const REPLACEMENT = String.raw`\ufffd`;

/**
 * Parses a webhook body: a JSON object in UTF-8 of at most 1 MiB and 100 levels. NUL and lone
 * surrogates, which PostgreSQL cannot store, become U+FFFD: senders such as Alertmanager do not
 * retry rejected alerts. Throws 400 for anything else, always with the same body.
 */
export function parseAlertBody(bytes: Buffer): JsonObject {
  if (bytes.length > MAX_ALERT_BYTES || !isUtf8(bytes)) throw badBody();
  const text = bytes.toString('utf8');
  // RFC 8259 §8.1 lets a reader ignore the mark, which some senders put in front.
  const body = parsed(storable(text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text));
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw badBody();
  return body as JsonObject;
}

function storable(json: string): string {
  if (!UNSTORABLE.test(json)) return json;
  return json.replace(ESCAPES, (escape, unstorable?: string) =>
    unstorable === undefined ? escape : REPLACEMENT.repeat(unstorable.length / REPLACEMENT.length),
  );
}

function parsed(text: string): unknown {
  try {
    return parseJsonBody(text);
  } catch (error) {
    throw error instanceof ApiError ? badBody(error) : error;
  }
}

function badBody(cause?: ApiError): ApiError {
  return new ApiError(400, { message: '400 Bad request' }, { cause });
}

const ENVELOPE = [
  'version',
  'groupKey',
  'status',
  'receiver',
  'groupLabels',
  'commonLabels',
  'commonAnnotations',
  'externalURL',
  'alerts',
];

/**
 * Returns true if all attributes of the Prometheus format are present; null counts as
 * present.
 */
export function isPrometheusPayload(payload: JsonObject): boolean {
  return ENVELOPE.every((name) => payload[name] !== undefined);
}

/**
 * Parses a webhook body from `parseAlertBody`: at most 100 levels, no NUL, no lone surrogates. The
 * Prometheus format is detected by its attributes, regardless of its version and the integration
 * type; anything else is plain. Throws 400 when its `alerts` is not a list, 422 when a Prometheus
 * integration receives another format (API doc: its attributes are all required).
 */
export function parsePayload(body: JsonObject, rules: ParsingRules, now: Date): ParsedPayload {
  if (isPrometheusPayload(body)) return parsePrometheus(body, now);
  if (rules.type === 'prometheus') {
    throw new ApiError(422, { message: '422 Unprocessable entity' });
  }
  return { format: 'plain', alerts: [parsePlain(body, rules, now)], skipped: 0, dropped: 0 };
}

/** Title of a plain alert that brings none (API doc, Alert). */
const DEFAULT_TITLE = 'New: Alert';

/**
 * Reads a plain payload, with the custom mapping of the integration. Every object is an alert:
 * what is missing or unreadable gets its default (API doc, Alert, plain HTTP endpoint).
 */
export function parsePlain(payload: JsonObject, rules: ParsingRules, now: Date): IncomingAlert {
  const read = (field: MappableField): unknown => readField(payload, rules.mappings, field);
  const endTime = parseEndTime(read('end_time'));
  const isRecovery = endTime !== null || saysResolved(payload, rules.resolvedWhen);
  return {
    title: cutTextOf(read('title'), TEXT_LIMITS.title) ?? DEFAULT_TITLE,
    description: cutTextOf(read('description'), TEXT_LIMITS.description),
    service: cutTextOf(read('service'), TEXT_LIMITS.name),
    monitoringTool: cutTextOf(read('monitoring_tool'), TEXT_LIMITS.name),
    severity: plainSeverity(read('severity')),
    hosts: hostsOf(read('hosts')),
    startedAt: parseTime(read('start_time')) ?? now,
    isRecovery,
    endedAt: isRecovery ? (endTime ?? now) : null,
    fingerprint: plainFingerprint(payload, rules),
    environmentName: environmentName(read('svc_environment_name')),
    runbook: cutTextOf(payload.runbook, TEXT_LIMITS.runbook),
    query: null,
    yLabel: null,
    incidentMarkdown: null,
    payload: JSON.stringify(payload),
  };
}

/** Characters of all hosts of an alert together. */
const MAX_CHARACTERS = 255;

/**
 * Hosts of a plain payload: one text or a list, nested ones flattened, blank ones left out. The
 * one that exceeds 255 characters together with those before it is cut, the rest is dropped.
 */
export function hostsOf(value: unknown): string[] {
  const hosts: string[] = [];
  collect(value, hosts, MAX_CHARACTERS);
  return hosts;
}

/** Answers how many characters there is room for afterwards. */
function collect(value: unknown, hosts: string[], room: number): number {
  if (Array.isArray(value)) {
    let left = room;
    for (let at = 0; at < value.length && left > 0; at++) left = collect(value[at], hosts, left);
    return left;
  }
  const text = textOf(value);
  if (text === null) return room;
  const host = firstCharacters(text, room);
  hosts.push(host);
  return room - characterCount(host);
}
