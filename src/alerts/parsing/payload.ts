import { ApiError } from '../../core/errors.js';
import type {
  JsonObject,
  ParsedPayload,
  ParsingRules,
  IncomingAlert,
  MappableField,
} from './incoming-alert.js';
import { isMonitoringPayload, parseMonitoring } from './monitoring-payload.js';
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
} from './alert-attributes.js';
import { readField, saysResolved } from './custom-mapping.js';
import { plainFingerprint } from './fingerprint.js';

/**
 * Parses a webhook body from `parseAlertBody`: at most 100 levels, no NUL, no lone surrogates. The
 * monitoring format is detected by its attributes, regardless of its version and the integration
 * type; anything else is plain. Throws 400 when its `alerts` is not a list, 422 when a monitoring
 * integration receives another format (API doc: its attributes are all required).
 */
export function parsePayload(body: JsonObject, rules: ParsingRules, now: Date): ParsedPayload {
  if (isMonitoringPayload(body)) return parseMonitoring(body, now);
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
