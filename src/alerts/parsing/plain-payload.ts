import { cutTextOf, environmentName, TEXT_LIMITS } from './alert-texts.js';
import { parseEndTime, parseTime } from './alert-times.js';
import { readField, saysResolved } from './custom-mapping.js';
import { plainFingerprint } from './fingerprint.js';
import { hostsOf } from './hosts.js';
import type { IncomingAlert, JsonObject, MappableField, ParsingRules } from './incoming-alert.js';
import { plainSeverity } from './severity-table.js';

/** Title of a plain alert that brings none (API doc, Alert). */
export const DEFAULT_TITLE = 'New: Alert';

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
