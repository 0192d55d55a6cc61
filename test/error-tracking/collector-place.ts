import { ClientKey } from '../../src/error-tracking/client-keys/client-keys.repository.js';
import { newPublicKey } from '../../src/error-tracking/client-keys/dsn.js';
import { ErrorEvent } from '../../src/error-tracking/error-event.entity.js';
import { ErrorOutcome } from '../../src/error-tracking/error-outcomes.repository.js';
import { ErrorTrackingSetting } from '../../src/error-tracking/error-tracking-setting.entity.js';
import { COLLECTOR_PATH, ERROR_OUTCOMES } from '../../src/error-tracking/error-values.js';
import { unpackPayload } from '../../src/error-tracking/events/stored-event.js';
import { ErrorGroup } from '../../src/error-tracking/error-group.entity.js';
import type { TestApp } from '../support/app.js';
import { makeGroup, makeProject, type MadeProject } from '../support/project-factories.js';

export const EVENT_ID = '9ec79c33ec9942ab8353589fcb2e04dc';
/** Headers of an envelope, an item of an event, and both with a small event. */
export const HEADER = `{"event_id":"${EVENT_ID}"}`;
export const SMALL = `${HEADER}\n{"type":"event"}\n{"message":"m"}`;

export type Body = string | Uint8Array;

interface Sending {
  /** Instead of `envelope`. */
  endpoint?: string;
  /** Instead of the project's own key in the query. */
  query?: string;
  headers?: Record<string, string>;
  method?: string;
}

/** A project that takes errors. */
export interface OpenCollector {
  project: MadeProject;
  key: string;
  /** Everything before the endpoint. */
  base: string;
  send(body: Body, sending?: Sending): Promise<Response>;
  /** Status and body of the answer. */
  answer(body: Body, sending?: Sending): Promise<{ status: number; body: unknown }>;
  errors(): Promise<ErrorGroup[]>;
  events(): Promise<(ErrorEvent & { sent: unknown })[]>;
  /** Returns the counters: `dropped transaction not_supported` → count. */
  outcomes(): Promise<Record<string, number>>;
}

interface Options {
  settings?: Partial<ErrorTrackingSetting>;
  key?: Partial<ClientKey>;
}

/** A private project of its own that takes errors by one key, unless the options say otherwise. */
export async function openCollector(app: TestApp, options: Options = {}): Promise<OpenCollector> {
  const { manager } = app.dataSource;
  const group = await makeGroup(app);
  const project = await makeProject(app, { namespaceId: group.id });
  const key = newPublicKey();
  const settings = { enabled: true, integrated: true, ...options.settings };
  await manager.insert(ErrorTrackingSetting, { projectId: project.id, ...settings });
  await manager.insert(ClientKey, { projectId: project.id, publicKey: key, ...options.key });
  const base = `${app.url}${COLLECTOR_PATH}/api/${project.id}`;
  const send = (body: Body, sending: Sending = {}): Promise<Response> => {
    const { endpoint = 'envelope', query = `?sentry_key=${key}&sentry_version=7` } = sending;
    const { headers = {}, method = 'POST' } = sending;
    const url = `${base}/${endpoint}/${query}`;
    return fetch(url, { method, headers, body: method === 'POST' ? (body as BodyInit) : null });
  };
  const answer = async (body: Body, sending: Sending = {}) => {
    const response = await send(body, sending);
    return { status: response.status, body: (await response.json()) as unknown };
  };
  const projectId = project.id;
  return {
    project,
    key,
    base,
    send,
    answer,
    errors: () => manager.find(ErrorGroup, { where: { projectId }, order: { id: 'ASC' } }),
    events: async () => {
      const rows = await manager.find(ErrorEvent, { where: { projectId }, order: { id: 'ASC' } });
      return Promise.all(
        rows.map(async (row) => Object.assign(row, { sent: await unpackPayload(row) })),
      );
    },
    outcomes: async () => {
      const rows = await manager.find(ErrorOutcome, { where: { projectId } });
      return Object.fromEntries(rows.map((row) => [nameOf(row), row.quantity]));
    },
  };
}

function nameOf({ outcome, category, reason }: ErrorOutcome): string {
  return `${ERROR_OUTCOMES[outcome]} ${category} ${reason}`;
}
