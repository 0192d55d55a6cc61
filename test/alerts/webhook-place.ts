import type { Alert } from '../../src/alerts/alert.entity.js';
import {
  makeWebhook,
  postAlert,
  storedAlerts,
  type MadeIntegration,
} from '../support/alert-factories.js';
import type { TestApp } from '../support/app.js';
import type { MadeProject } from '../support/project-factories.js';

export interface OpenWebhook {
  project: MadeProject;
  integration: MadeIntegration;
  /** Calls it with its key. */
  post(body: unknown): Promise<{ status: number; body: unknown }>;
  /** Returns the alerts of the project by number. */
  alerts(): Promise<Alert[]>;
}

/** A webhook of its own, and what it answers. */
export async function openWebhook(
  app: TestApp,
  options: Parameters<typeof makeWebhook>[1] = {},
): Promise<OpenWebhook> {
  const { project, integration } = await makeWebhook(app, options);
  const post = async (body: unknown) => {
    const response = await postAlert(integration.url, integration.token, body);
    return { status: response.status, body: (await response.json()) as unknown };
  };
  return { project, integration, post, alerts: () => storedAlerts(app, project) };
}
