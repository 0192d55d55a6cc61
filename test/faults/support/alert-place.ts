import { expect } from '@jest/globals';
import {
  makeIntegration,
  monitoringBody,
  monitoringItem,
  setAlertSettings,
  type MadeIntegration,
} from '../../support/alert-factories.js';
import { unique, type MadeActor } from '../../support/factories.js';
import { makeOwnedGroup } from '../../support/project-factories.js';
import { isAnswered, type WebhookPoster } from './alert-post.js';
import type { FaultStack } from './stack.js';

/** Largest group that Alertmanager can be configured to send. */
export const CALL_SIZE = 50;

/** A project that gets alerts in both formats, and opens an incident for each. */
export interface AlertPlace {
  project: { id: number };
  plain: MadeIntegration;
  monitoring: MadeIntegration;
}

interface PlaceOptions {
  /** Owner of the project, who gets its emails. */
  owner: Pick<MadeActor, 'user' | 'api'>;
  sendEmail?: boolean;
}

/** Made over HTTP, so that the project has all that projects have. */
export async function makeAlertPlace(
  stack: FaultStack,
  { owner, sendEmail = false }: PlaceOptions,
): Promise<AlertPlace> {
  const group = await makeOwnedGroup(stack, owner);
  const wanted = { name: unique('project'), namespace_id: group.id };
  const { body } = await owner.api.post('/projects', wanted).expect(201);
  const { id, path_with_namespace: fullPath } = body as { id: number; path_with_namespace: string };
  await setAlertSettings(stack, { id }, { createIssue: true, sendEmail, autoCloseIncident: true });
  return {
    project: { id },
    plain: await makeIntegration(stack, { id, fullPath }),
    monitoring: await makeIntegration(stack, { id, fullPath }, { type: 'prometheus' }),
  };
}

/** Items of a monitoring call, one for each title, by which alerts of both formats are the same. */
export function firing(titles: readonly string[]): unknown[] {
  return titles.map((title) => monitoringItem(title, { fingerprint: title }));
}

/** The items that end them. */
export function resolved(titles: readonly string[]): unknown[] {
  const ended = { status: 'resolved', endsAt: '2026-03-01T11:00:00Z' };
  return titles.map((title) => monitoringItem(title, { fingerprint: title, ...ended }));
}

/** Posts the items in calls of 50; each must be stored. */
export async function postItems(
  { monitoring }: AlertPlace,
  poster: WebhookPoster,
  items: readonly unknown[],
): Promise<void> {
  for (let at = 0; at < items.length; at += CALL_SIZE) {
    const body = monitoringBody(items.slice(at, at + CALL_SIZE));
    const posted = await poster.post(monitoring, body);
    expect(isAnswered(posted) ? posted.status : posted).toBe(200);
  }
}
