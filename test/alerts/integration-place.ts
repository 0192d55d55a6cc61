import type { ApiClient } from '../support/api-client.js';
import type { TestApp } from '../support/app.js';
import { makeUser, type MadeActor } from '../support/factories.js';
import { makeMemberOf, makeProject, type MadeProject } from '../support/project-factories.js';

/** An integration as the API shows it. */
export interface IntegrationBody {
  id: number;
  type: string;
  name: string;
  active: boolean;
  token: string | null;
  url: string | null;
  api_url: string | null;
  payload_example: object;
  payload_attribute_mappings: object[];
  resolved_when: object | null;
  created_at: string;
  updated_at: string;
}

/** A project with a maintainer, seen through the API of alert management. */
export interface Place {
  project: MadeProject;
  maintainer: MadeActor;
  /** Path of what alert management has below the project. */
  path: (rest: string) => string;
  integrations: ApiClient;
}

/** A project of someone else, whose maintainer is `maintainer`. */
export async function makePlace(app: TestApp): Promise<Place> {
  const owner = await makeUser(app);
  const project = await makeProject(app, { namespaceId: owner.namespaceId });
  const maintainer = await makeMemberOf(app, project, 'maintainer');
  const path = (rest: string): string => `/projects/${project.id}/alert_management${rest}`;
  return {
    project,
    maintainer,
    path,
    integrations: below(maintainer.api, path('/http_integrations')),
  };
}

/** Makes the project read-only. */
export async function archive(app: TestApp, { id }: MadeProject): Promise<void> {
  await app.dataSource.query('UPDATE projects SET archived = true WHERE id = $1', [id]);
}

/** Returns the audit events of the project's integrations and settings. */
export function trailOf(app: TestApp, { id }: MadeProject): Promise<unknown[]> {
  return app.dataSource.query(
    `SELECT author_id, action, target_type, target_name, details FROM audit_events
     WHERE entity_type = 'Project' AND entity_id = $1 ORDER BY id`,
    [id],
  );
}

/** The same client with paths below `base`. */
function below(client: ApiClient, base: string): ApiClient {
  return {
    get: (path) => client.get(base + path),
    head: (path) => client.head(base + path),
    options: (path) => client.options(base + path),
    post: (path, body) => client.post(base + path, body),
    put: (path, body) => client.put(base + path, body),
    patch: (path, body) => client.patch(base + path, body),
    delete: (path, body) => client.delete(base + path, body),
  };
}
