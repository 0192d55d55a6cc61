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

/** An alert that a call made, counted or resolved, as the webhook tells it. */
export interface TouchedAlert {
  iid: number;
  title: string;
}
