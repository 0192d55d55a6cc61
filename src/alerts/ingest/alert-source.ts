import type { ParsingRules, ParsedPayload } from '../parsing/incoming-alert.js';
import type { DeliverySource } from '../alert-delivery.entity.js';

/**
 * Source of alerts: the attributes of an integration that reading and storing its payloads needs.
 */
export interface AlertSource extends ParsingRules {
  integrationId: number;
  projectId: number;
  /** Name of the integration. */
  name: string;
}

/** Alert in the response of the webhook. */
export interface TouchedAlert {
  iid: number;
  title: string;
}

/** A call of a webhook whose body was read. */
export interface IngestCall {
  source: AlertSource;
  parsed: ParsedPayload;
  body: Buffer;
  via: DeliverySource;
}

/** Outcome of one call of a batch. */
export type IngestOutcome =
  | { kind: 'stored'; touched: TouchedAlert[] }
  /** A recovery of nothing that is open, for which plain calls are refused. */
  | { kind: 'unmatched' }
  /** It is not known whether it was stored; it must not be done again. */
  | { kind: 'failed'; error: unknown };
