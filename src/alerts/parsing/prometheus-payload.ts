import { unescape } from 'node:querystring';
import { ApiError } from '../../core/errors.js';
import {
  cutText,
  cutTextOf,
  environmentName,
  TEXT_LIMITS,
  textOf,
  isBlankText,
  parseTime,
  prometheusSeverity,
} from './alert-attributes.js';
import { prometheusFingerprint } from './fingerprint.js';
import type { IncomingAlert, JsonObject, ParsedPayload } from './incoming-alert.js';

const PARAMETER = 'g0.expr=';

/**
 * The query of the metric: parameter `g0.expr` of the address of the graph, decoded. Null when
 * there is none, or no address. NUL, which PostgreSQL does not store, is left out.
 */
export function queryOf(generatorUrl: unknown): string | null {
  if (typeof generatorUrl !== 'string' || generatorUrl.includes(' ')) return null;
  const encoded = parameterOf(generatorUrl);
  if (encoded === null) return null;
  // Unlike decodeURIComponent, this takes a percent sign that encodes nothing for itself.
  const query = unescape(encoded.replaceAll('+', ' ')).replaceAll('\0', '');
  return isBlankText(query) ? null : query;
}

function parameterOf(url: string): string | null {
  const hash = url.indexOf('#');
  const end = hash === -1 ? url.length : hash;
  let start = url.indexOf('?');
  while (start !== -1 && start < end) {
    if (url.startsWith(PARAMETER, start + 1)) {
      const next = url.indexOf('&', start + 1);
      return url.slice(start + 1 + PARAMETER.length, next === -1 || next > end ? end : next);
    }
    start = url.indexOf('&', start + 1);
  }
  return null;
}

/** Maximum number of alerts of one call. */
export const MAX_ITEMS = 100;

const MONITORING_TOOL = 'Prometheus';

/** 400 for an `alerts` attribute that is not a list. */
export class UnlistedAlertsError extends ApiError {
  constructor() {
    super(400, { message: '400 Bad request' });
  }
}

/**
 * Parses the first 100 items; items without a title or start are skipped and counted. Throws 400
 * when `alerts` is not a list.
 */
export function parsePrometheus(payload: JsonObject, now: Date): ParsedPayload {
  if (!Array.isArray(payload.alerts)) throw new UnlistedAlertsError();
  const items: unknown[] = payload.alerts;
  const examined = Math.min(items.length, MAX_ITEMS);
  const alerts: IncomingAlert[] = [];
  for (let at = 0; at < examined; at++) {
    const alert = parseItem(objectOf(items[at]), now);
    if (alert !== null) alerts.push(alert);
  }
  const skipped = examined - alerts.length;
  return { format: 'prometheus', alerts, skipped, dropped: items.length - examined };
}

function parseItem(item: JsonObject, now: Date): IncomingAlert | null {
  const labels = objectOf(item.labels);
  const annotations = objectOf(item.annotations);
  const title = titleOf(annotations, labels);
  const startsAt = textOf(item.startsAt);
  if (title === null || startsAt === null) return null;
  const query = queryOf(item.generatorURL);
  const endedAt = endOf(item, now);
  return {
    title: cutText(title, TEXT_LIMITS.title),
    description: cutTextOf(annotations.description, TEXT_LIMITS.description),
    service: null,
    monitoringTool: MONITORING_TOOL,
    severity: prometheusSeverity(labels.severity),
    hosts: [],
    startedAt: parseTime(item.startsAt) ?? now,
    isRecovery: endedAt !== null,
    endedAt,
    fingerprint: prometheusFingerprint(item, labels, { startsAt, title, query }),
    environmentName: environmentName(ownOrCompatible(labels, 'environment_name')),
    runbook: cutTextOf(runbookOf(annotations), TEXT_LIMITS.runbook),
    query: query === null ? null : cutText(query, TEXT_LIMITS.query),
    yLabel: cutTextOf(ownOrCompatible(annotations, 'y_label') ?? title, TEXT_LIMITS.title),
    incidentMarkdown: ownOrCompatible(annotations, 'incident_markdown'),
    payload: JSON.stringify(item),
  };
}

/**
 * Returns the end of the problem, or null while it lasts. Tools send an end for ongoing problems as
 * well: Prometheus a future time, Alertmanager and Grafana the year 1, which does not parse.
 */
function endOf({ status, endsAt }: JsonObject, now: Date): Date | null {
  const end = parseTime(endsAt);
  if (status === 'resolved') return end ?? now;
  return end !== null && end <= now ? end : null;
}

/** API doc, Alert: annotations/title, annotations/summary or labels/alertname. */
function titleOf(annotations: JsonObject, labels: JsonObject): string | null {
  return textOf(annotations.title) ?? textOf(annotations.summary) ?? textOf(labels.alertname);
}

/** Rules of Prometheus and Grafana have an address where ours have a text of any kind. */
function runbookOf(annotations: JsonObject): string | null {
  return textOf(annotations.runbook) ?? textOf(annotations.runbook_url);
}

/** Attributes of this server have the prefix `svc_`; senders made for v4 servers use the other. */
function ownOrCompatible(values: JsonObject, name: string): string | null {
  return textOf(values[`svc_${name}`]) ?? textOf(values[`gitlab_${name}`]);
}

function objectOf(value: unknown): JsonObject {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as JsonObject) : {};
}
