import type { DeliverySource } from '../alert-deliveries.repository.js';
import type { ParsingRules, ParsedPayload } from '../parsing/incoming-alert.js';

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

/** Outcome of one call of a batch: the alerts; null for a plain recovery that matches none. */
export type IngestOutcome = TouchedAlert[] | null;
