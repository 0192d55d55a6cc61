import type { ApiClient } from '../../support/api-client.js';
import type { TestApp } from '../../support/app.js';
import { makeGroup, makeMemberOf, makeProject } from '../../support/project-factories.js';

/** As much of an error as the tests look at. */
export interface SeenError {
  id: number;
  [field: string]: unknown;
}

/** A project that programs report errors to, and what its people see over REST. */
export interface ErrorProject {
  dsn: string;
  /** Ends the key of the DSN. */
  deleteKey(): Promise<void>;
  errors(): Promise<SeenError[]>;
  /** An event of any error by the id that its SDK told. */
  event(id: string): Promise<Record<string, unknown>>;
  /** Returns the counters: `accepted error` → count; with the reason where there is one. */
  usage(): Promise<Record<string, number>>;
}

/** Sets error tracking up as a maintainer does: over REST. */
export async function makeErrorProject(app: TestApp): Promise<ErrorProject> {
  const group = await makeGroup(app);
  const project = await makeProject(app, { namespaceId: group.id });
  const { api } = await makeMemberOf(app, project, 'maintainer');
  const path = `/projects/${project.id}/error_tracking`;
  await api.patch(`${path}/settings`, { active: true, integrated: true }).expect(200);
  const [key] = await read<{ id: number; tracker_dsn: string }[]>(api, `${path}/client_keys`);
  if (key === undefined) throw new Error('the project has no key');
  return {
    dsn: key.tracker_dsn,
    deleteKey: async () => {
      await api.delete(`${path}/client_keys/${key.id}`).expect(200);
    },
    errors: () => read(api, `${path}/errors?status=all&order_by=first_seen&sort=asc`),
    event: (id) => read(api, `${path}/events/${id}`),
    usage: async () => countsOf(await read<Usage[]>(api, `${path}/usage`)),
  };
}

interface Usage {
  outcome: string;
  category: string;
  reason: string;
  quantity: number;
}

function countsOf(usage: readonly Usage[]): Record<string, number> {
  return Object.fromEntries(
    usage.map(({ outcome, category, reason, quantity }) => [
      `${outcome} ${category} ${reason}`.trim(),
      quantity,
    ]),
  );
}

async function read<T>(api: ApiClient, path: string): Promise<T> {
  const { body } = await api.get(path).expect(200);
  return body as T;
}
