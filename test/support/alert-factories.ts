import {
  AlertIntegration,
  type IntegrationType,
} from '../../src/alerts/alert-integration.entity.js';
import { AlertSetting } from '../../src/alerts/alert-setting.entity.js';
import { Alert } from '../../src/alerts/alert.entity.js';
import {
  integrationBox,
  newIntegrationIdentifier,
  newIntegrationKey,
} from '../../src/alerts/integration-keys.js';
import type { FieldMapping, ResolvedWhen } from '../../src/alerts/parsing/incoming-alert.js';
import { Environment } from '../../src/environments/environment.entity.js';
import type { TestApp } from './app.js';
import { unique } from './factories.js';

type Database = Pick<TestApp, 'dataSource'>;

interface IntegrationOptions {
  type?: IntegrationType;
  name?: string;
  active?: boolean;
  token?: string;
  identifier?: string;
  mappings?: FieldMapping[];
  resolvedWhen?: ResolvedWhen | null;
}

export interface MadeIntegration {
  id: number;
  name: string;
  identifier: string;
  token: string;
  /** Full address of its webhook. */
  url: string;
}

/**
 * An active integration of type `http` unless the options say otherwise. One of external paging
 * has neither key nor webhook, whatever the result names.
 */
export async function makeIntegration(
  app: Pick<TestApp, 'dataSource' | 'config' | 'url'>,
  project: { id: number; fullPath: string },
  options: IntegrationOptions = {},
): Promise<MadeIntegration> {
  const { type = 'http', name = unique('Integration '), active = true } = options;
  const { token = newIntegrationKey(), identifier = newIntegrationIdentifier() } = options;
  const isPaging = type === 'external_paging';
  const inserted = await app.dataSource.manager.insert(AlertIntegration, {
    projectId: project.id,
    type,
    name,
    active,
    identifier: isPaging ? null : identifier,
    sealedToken: isPaging ? null : integrationBox(app.config).seal(token),
    apiUrl: isPaging ? 'https://paging.example.com' : null,
    payloadAttributeMappings: options.mappings ?? [],
    resolvedWhen: options.resolvedWhen ?? null,
  });
  const { id } = inserted.identifiers[0] as { id: number };
  const slug = name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  const url = `${app.url}/${project.fullPath}/alerts/notify/${slug}/${identifier}.json`;
  return { id, name, identifier, token, url };
}

/** Posts to a webhook with the key as Bearer; texts and buffers go out as they are. */
export function postAlert(url: string, token: string, body: unknown): Promise<Response> {
  const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
  return fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: isRaw ? body : JSON.stringify(body),
  });
}

export interface MadeAlert {
  id: number;
  iid: number;
  title: string;
}

/** A triggered, critical alert without fingerprint, with the project's next number. */
export async function makeAlert(
  { dataSource }: Database,
  project: { id: number },
  attributes: Partial<Alert> = {},
): Promise<MadeAlert> {
  const { title = unique('Alert '), iid = await nextIid({ dataSource }, project.id) } = attributes;
  const inserted = await dataSource.manager.insert(Alert, {
    severity: 0,
    payload: { title },
    startedAt: new Date(),
    endedAt: attributes.status === 2 ? new Date() : null,
    ...attributes,
    projectId: project.id,
    iid,
    title,
  });
  const { id } = inserted.identifiers[0] as { id: number };
  return { id, iid, title };
}

async function nextIid({ dataSource }: Database, projectId: number): Promise<number> {
  const [counter] = await dataSource.query<[{ iid: number }]>(
    `INSERT INTO alert_counters AS c (project_id, last_iid)
     VALUES ($1, 1) ON CONFLICT (project_id) DO UPDATE SET last_iid = c.last_iid + 1
     RETURNING last_iid::int AS iid`,
    [projectId],
  );
  return counter.iid;
}

/** What a project does about its alerts; what is not named keeps its default. */
export async function setAlertSettings(
  { dataSource }: Database,
  project: { id: number },
  settings: Partial<Omit<AlertSetting, 'projectId'>>,
): Promise<void> {
  await dataSource.manager.upsert(AlertSetting, { ...settings, projectId: project.id }, [
    'projectId',
  ]);
}

/** An available environment of the project. */
export async function makeEnvironment(
  { dataSource }: Database,
  project: { id: number },
  attributes: Partial<Environment> = {},
): Promise<{ id: number; name: string }> {
  const { name = unique('environment') } = attributes;
  const inserted = await dataSource.manager.insert(Environment, {
    slug: name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .slice(0, 24),
    ...attributes,
    name,
    projectId: project.id,
  });
  return { id: (inserted.identifiers[0] as { id: number }).id, name };
}
