import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, Repository, type EntityManager } from 'typeorm';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/env.js';
import { NotFoundError } from '../core/errors.js';
import { mapPage, type Page } from '../core/pagination/page.js';
import type { Paging } from '../core/pagination/paging.decorator.js';
import { Conditions } from '../core/sql/conditions.js';
import { Sql } from '../core/sql/sql.service.js';
import { TextCipher } from '../core/text-cipher.js';
import { VISIBILITY } from '../identity/members/visibility.js';
import { AlertIntegration, type IntegrationType } from './alert-integration.entity.js';
import { alertsLockOf } from './ingest/alert-ingest.repository.js';
import type { FieldMapping, ResolvedWhen } from './parsing/incoming-alert.js';

const KEY_BYTES = 16;
const IDENTIFIER_BYTES = 8;

/** Encrypts the keys of integrations: maintainers can read them, so they cannot be digests. */
export function integrationCipher({ secretKey }: Pick<Config, 'secretKey'>): TextCipher {
  return new TextCipher(secretKey, 'alert integrations');
}

/** A new key: 32 lowercase hex. */
export function newIntegrationKey(): string {
  return randomBytes(KEY_BYTES).toString('hex');
}

/** Returns a new integration identifier: 16 lowercase hex digits. */
export function newIntegrationIdentifier(): string {
  return randomBytes(IDENTIFIER_BYTES).toString('hex');
}

/** An integration with its key in clear, without its example, which can be long. */
export interface IntegrationRow extends Omit<
  AlertIntegration,
  'encryptedToken' | 'payloadExample'
> {
  /** null for external paging, and when it was encrypted under another SECRET_KEY. */
  token: string | null;
}

/** The whole of an integration. */
export type FoundIntegration = IntegrationRow & Pick<AlertIntegration, 'payloadExample'>;

/** An integration without key and address, for everyone who works with alerts. */
export interface ListedIntegration {
  id: number;
  type: IntegrationType;
  name: string;
  active: boolean;
  apiUrl: string | null;
  /** Time and response status of the latest delivery; null without one. */
  lastDelivery: { at: string; status: number } | null;
}

/** An integration as its webhook reads it. */
export interface WebhookIntegration {
  id: number;
  type: 'http' | 'prometheus';
  name: string;
  active: boolean;
  encryptedToken: string;
  mappings: FieldMapping[];
  resolvedWhen: ResolvedWhen | null;
}

/** The facts that decide whether a refused call reveals its project. */
interface ProjectDisclosureRow {
  isPublic: boolean;
  encryptedKeys: string[];
}

type Encrypted<T extends IntegrationRow> = Omit<T, 'token'> & { encryptedToken: string | null };

const COLUMNS = `
  i.id, i.project_id AS "projectId", i.type, i.name, i.active, i.identifier,
  i.encrypted_token AS "encryptedToken", i.api_url AS "apiUrl",
  i.payload_attribute_mappings AS "payloadAttributeMappings", i.resolved_when AS "resolvedWhen",
  i.created_at AS "createdAt", i.updated_at AS "updatedAt"`;
const FROM = 'alert_integrations i';

const LISTED_SQL = `SELECT i.id, i.type, i.name, i.active, i.api_url AS "apiUrl",
    CASE WHEN d.id IS NULL THEN NULL
      ELSE json_build_object('at', d.created_at, 'status', d.status) END AS "lastDelivery"
  FROM alert_integrations i LEFT JOIN LATERAL (
    SELECT id, created_at, status FROM alert_deliveries
    WHERE integration_id = i.id ORDER BY id DESC LIMIT 1) d ON true
  WHERE i.project_id = $1 ORDER BY i.id`;

const WEBHOOK_COLUMNS = `id, type, name, active, encrypted_token AS "encryptedToken",
  payload_attribute_mappings AS mappings, resolved_when AS "resolvedWhen"`;

const BY_IDENTIFIER_SQL = `SELECT ${WEBHOOK_COLUMNS} FROM alert_integrations
  WHERE project_id = $1 AND identifier = $2`;

const OLDEST_ACTIVE_SQL = `SELECT ${WEBHOOK_COLUMNS} FROM alert_integrations
  WHERE project_id = $1 AND type = $2 AND active ORDER BY id LIMIT 1`;

const DISCLOSURE_SQL = `SELECT p.visibility = ${VISIBILITY.public} AS "isPublic",
    ARRAY(SELECT i.encrypted_token FROM alert_integrations i
      WHERE i.project_id = p.id AND i.encrypted_token IS NOT NULL) AS "encryptedKeys"
  FROM projects p WHERE p.id = $1 AND NOT p.pending_delete`;

/** Owns every statement about alert integrations, whose keys it decrypts. */
@Injectable()
export class AlertIntegrationsRepository extends Repository<AlertIntegration> {
  private readonly cipher: TextCipher;

  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
    @Inject(CONFIG) config: Config,
  ) {
    super(AlertIntegration, dataSource.manager);
    this.cipher = integrationCipher(config);
  }

  /** Returns one page of a project's integrations of the type or of all, oldest first. */
  async page(
    projectId: number,
    { type }: { type: IntegrationType | null },
    paging: Paging,
  ): Promise<Page<IntegrationRow>> {
    const conditions = new Conditions();
    conditions.and(`i.project_id = ${conditions.value(projectId)}`);
    if (type !== null) conditions.and(`i.type = ${conditions.value(type)}`);
    const page = await this.queries.page<Encrypted<IntegrationRow>>(
      {
        select: COLUMNS,
        from: FROM,
        where: conditions.toString(),
        orderBy: 'i.id',
        values: conditions.values,
      },
      paging,
    );
    return mapPage(page, (row) => this.decrypted(row));
  }

  /** Returns the integrations of a project with their latest deliveries, oldest first. */
  listWithLastDelivery(projectId: number): Promise<ListedIntegration[]> {
    return this.queries.rows<ListedIntegration>(LISTED_SQL, [projectId]);
  }

  /** Throws NotFoundError for an integration that the project does not have. */
  async get(projectId: number, id: number): Promise<FoundIntegration> {
    const row = await this.queries.row<Encrypted<FoundIntegration>>(
      `SELECT ${COLUMNS}, i.payload_example AS "payloadExample" FROM ${FROM}
       WHERE i.project_id = $1 AND i.id = $2`,
      [projectId, id],
    );
    if (row === null) throw new NotFoundError('Integration');
    return this.decrypted(row);
  }

  /** Returns the integration with that identifier in its webhook's address. */
  findByIdentifier(projectId: number, identifier: string): Promise<WebhookIntegration | null> {
    return this.queries.lookUp<WebhookIntegration>(BY_IDENTIFIER_SQL, [projectId, identifier]);
  }

  /** Returns the integration that addresses without an identifier belong to. */
  findOldestActive(projectId: number, type: IntegrationType): Promise<WebhookIntegration | null> {
    return this.queries.lookUp<WebhookIntegration>(OLDEST_ACTIVE_SQL, [projectId, type]);
  }

  /** Returns the visibility of a project and the encrypted keys of its integrations. */
  findDisclosure(projectId: number): Promise<ProjectDisclosureRow | null> {
    return this.queries.row<ProjectDisclosureRow>(DISCLOSURE_SQL, [projectId]);
  }

  /** Returns whether the project has an external paging integration. */
  async hasExternalPaging(manager: EntityManager, projectId: number): Promise<boolean> {
    const rows: unknown[] = await manager.query(
      `SELECT 1 FROM alert_integrations WHERE project_id = $1 AND type = 'external_paging'`,
      [projectId],
    );
    return rows.length > 0;
  }

  /** Returns whether the project has an active external paging integration. */
  async hasActiveExternalPaging(manager: EntityManager, projectId: number): Promise<boolean> {
    const rows: unknown[] = await manager.query(
      `SELECT 1 FROM alert_integrations
     WHERE project_id = $1 AND type = 'external_paging' AND active`,
      [projectId],
    );
    return rows.length > 0;
  }

  /** Deactivates all integrations but external paging and returns them, in no certain order. */
  async deactivateWebhooks(
    manager: EntityManager,
    projectId: number,
  ): Promise<{ id: number; name: string }[]> {
    const [rows] = await manager.query<[{ id: number; name: string }[], number]>(
      `UPDATE alert_integrations SET active = false, updated_at = now()
       WHERE project_id = $1 AND active AND type <> 'external_paging' RETURNING id, name`,
      [projectId],
    );
    return rows;
  }

  /** Waits for the transactions that write alerts of the project and locks others out. */
  async lockAlertWrites(manager: EntityManager, projectId: number): Promise<void> {
    await manager.query('SELECT pg_advisory_xact_lock($1)', [alertsLockOf(projectId)]);
  }

  private decrypted<T extends IntegrationRow>({ encryptedToken, ...row }: Encrypted<T>): T {
    const token = encryptedToken === null ? null : this.cipher.decrypt(encryptedToken);
    return { ...row, token } as unknown as T;
  }
}
