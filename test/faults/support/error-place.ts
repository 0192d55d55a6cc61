import { unique, type MadeActor } from '../../support/factories.js';
import type { FaultStack } from './stack.js';

/** A project that collects errors. */
export interface ErrorPlace {
  projectId: number;
  /** Where envelopes go, with the key. */
  url: string;
}

/** Made over HTTP, so that the project has all that projects have; each event is stored. */
export async function makeErrorPlace(
  stack: Pick<FaultStack, 'url'>,
  owner: Pick<MadeActor, 'api'>,
): Promise<ErrorPlace> {
  const settings = { error_tracking_stored_events_per_error: 1_000_000 };
  await owner.api.put('/application/settings', settings).expect(200);
  const created = await owner.api.post('/projects', { name: unique('project') }).expect(201);
  const { id } = created.body as { id: number };
  const path = `/projects/${id}/error_tracking`;
  await owner.api.patch(`${path}/settings`, { active: true, integrated: true }).expect(200);
  const keys = await owner.api.get(`${path}/client_keys`).expect(200);
  const [key] = keys.body as { public_key: string }[];
  const collector = `${stack.url}/api/v4/error_tracking/collector/api/${id}/envelope/`;
  return {
    projectId: id,
    url: `${collector}?sentry_version=7&sentry_key=${key?.public_key}`,
  };
}
