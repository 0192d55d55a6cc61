import type { AlertSeverity } from '../alert-values.js';

/** JSON object. */
export type JsonObject = Record<string, unknown>;

/** Formats of webhook bodies: the plain one, and that of Prometheus Alertmanager. */
export type PayloadFormat = 'plain' | 'prometheus';

/** Alert fields that a custom mapping can read from elsewhere (API doc, Alert). */
export const MAPPABLE_FIELDS = [
  'title',
  'description',
  'start_time',
  'end_time',
  'service',
  'monitoring_tool',
  'hosts',
  'severity',
  'fingerprint',
  'svc_environment_name',
] as const;
export type MappableField = (typeof MAPPABLE_FIELDS)[number];

/** Steps to a value inside a payload: names of members and positions in lists. */
export type PayloadPath = (string | number)[];

/** Types that a mapping declares, for people only: nothing is converted or refused by them. */
export const MAPPING_TYPES = ['STRING', 'ARRAY', 'DATETIME'] as const;
export type MappingType = (typeof MAPPING_TYPES)[number];

/** One line of a custom mapping as it is stored. */
export interface FieldMapping {
  field: MappableField;
  path: PayloadPath;
  type: MappingType;
  label?: string;
}

/** Recovery condition, for tools that send no end time. */
export interface ResolvedWhen {
  path: PayloadPath;
  /** Any of these, compared as texts without regard to case. */
  values: string[];
}

/** Attributes of an integration that decide how its payloads are parsed. */
export interface ParsingRules {
  type: 'http' | 'prometheus';
  mappings: FieldMapping[];
  resolvedWhen: ResolvedWhen | null;
}

/** One alert of a webhook call, ready to be compared with the open ones and stored. */
export interface IncomingAlert {
  /** 1 to 200 characters. */
  title: string;
  /** At most 1,000 characters. */
  description: string | null;
  /** At most 100 characters. */
  service: string | null;
  /** At most 100 characters. */
  monitoringTool: string | null;
  severity: AlertSeverity;
  /** Together at most 255 characters. */
  hosts: string[];
  startedAt: Date;
  /** True if the payload fulfills the recovery condition. */
  isRecovery: boolean;
  /** When it was over; only of recoveries. */
  endedAt: Date | null;
  /** 20 bytes; events with the same fingerprint belong to one alert. */
  fingerprint: Buffer;
  environmentName: string | null;
  runbook: string | null;
  /** Query of the metric, decoded. */
  query: string | null;
  yLabel: string | null;
  /** Markdown that is appended to an incident. */
  incidentMarkdown: string | null;
  /** JSON text of the payload, of the single item in the Prometheus format. */
  payload: string;
}

/** A webhook body that was read. */
export interface ParsedPayload {
  format: PayloadFormat;
  /** In the order of the payload, without items that are none (no title, no start). */
  alerts: IncomingAlert[];
  /** Items that were left out because they lack what every alert needs. */
  skipped: number;
  /** Number of items beyond the first 100, which are ignored. */
  dropped: number;
}
