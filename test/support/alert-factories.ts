import { AlertDelivery } from '../../src/alerts/alert-deliveries.repository.js';
import {
  AlertIntegration,
  type IntegrationType,
} from '../../src/alerts/alert-integration.entity.js';
import { AlertSetting } from '../../src/alerts/alert-settings.repository.js';
import { Alert } from '../../src/alerts/alert.entity.js';
import {
  integrationCipher,
  newIntegrationIdentifier,
  newIntegrationKey,
} from '../../src/alerts/alert-integrations.repository.js';
import type { FieldMapping, ResolvedWhen } from '../../src/alerts/parsing/incoming-alert.js';
import { Environment } from '../../src/workspace/environments/environments.repository.js';
import { Note } from '../../src/workspace/notes/note.entity.js';
import type { TestApp } from './app.js';
import { unique } from './factories.js';
import { makeGroup, makeProject, type MadeProject } from './project-factories.js';

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
    encryptedToken: isPaging ? null : integrationCipher(app.config).encrypt(token),
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
    body: isRaw ? (body as BodyInit) : JSON.stringify(body),
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
    startedAt: new Date(),
    endedAt: attributes.status === 2 ? new Date() : null,
    ...attributes,
    payload: (attributes.payload ?? { title }) as object,
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

/** Changes the alert settings of a project; missing attributes keep their default. */
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

/** A project of its own group with one integration. */
export async function makeWebhook(
  app: Pick<TestApp, 'app' | 'dataSource' | 'config' | 'url'>,
  options: IntegrationOptions = {},
): Promise<{ project: MadeProject; integration: MadeIntegration }> {
  const group = await makeGroup(app);
  const project = await makeProject(app, { namespaceId: group.id });
  return { project, integration: await makeIntegration(app, project, options) };
}

/** The project's alerts in the order of their numbers. */
export function storedAlerts({ dataSource }: Database, project: { id: number }): Promise<Alert[]> {
  return dataSource.manager.find(Alert, {
    where: { projectId: project.id },
    order: { iid: 'ASC' },
  });
}

/** Texts of an alert's notes, oldest first. */
export async function alertNotes({ dataSource }: Database, alertId: number): Promise<string[]> {
  const notes = await dataSource.manager.find(Note, { where: { alertId }, order: { id: 'ASC' } });
  return notes.map(({ body }) => body);
}

/** Calls of the integration that were noted, oldest first. */
export function storedDeliveries(
  { dataSource }: Database,
  integration: { id: number },
): Promise<AlertDelivery[]> {
  return dataSource.manager.find(AlertDelivery, {
    where: { integrationId: integration.id },
    order: { id: 'ASC' },
  });
}

interface MonitoringItem {
  status?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  startsAt?: string | null;
  endsAt?: string;
  generatorURL?: string;
  fingerprint?: string;
}

/** One alert of a call in the metrics monitoring format: firing since a fixed moment. */
export function monitoringItem(alertname: string, item: MonitoringItem = {}): MonitoringItem {
  return {
    status: 'firing',
    annotations: {},
    startsAt: '2026-03-01T10:00:00Z',
    endsAt: '0001-01-01T00:00:00Z',
    generatorURL: 'http://prometheus.example/graph?g0.expr=up+%3D%3D+0&g0.tab=1',
    ...item,
    labels: { alertname, ...item.labels },
  };
}

/** A call in the metrics monitoring format. */
export function monitoringBody(alerts: unknown[]): Record<string, unknown> {
  return {
    version: '4',
    groupKey: '{}:{}',
    status: 'firing',
    receiver: 'guildhall',
    groupLabels: {},
    commonLabels: {},
    commonAnnotations: {},
    externalURL: 'http://alertmanager.example',
    alerts,
  };
}
