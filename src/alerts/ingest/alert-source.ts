import type { ParsingRules } from '../parsing/incoming-alert.js';

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
