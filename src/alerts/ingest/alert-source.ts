import type { ParsingRules } from '../parsing/incoming-alert.js';

/** Who tells of alerts: an integration as far as reading and storing what it sends goes. */
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
