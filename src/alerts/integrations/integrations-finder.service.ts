import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { NotFoundError } from '../../core/errors.js';
import { mapPage, type Page } from '../../core/pagination/page.js';
import type { Paging } from '../../core/pagination/paging.decorator.js';
import type { SecretBox } from '../../core/settings/secret-box.js';
import { Conditions } from '../../core/sql/conditions.js';
import { Sql } from '../../core/sql/sql.service.js';
import type { IntegrationType } from '../alert-integration.entity.js';
import { integrationBox } from '../integration-keys.js';
import type { FoundIntegration, IntegrationRow } from './integration-row.js';

const COLUMNS = `
  i.id, i.project_id AS "projectId", i.type, i.name, i.active, i.identifier,
  i.sealed_token AS "sealedToken", i.api_url AS "apiUrl",
  i.payload_attribute_mappings AS "payloadAttributeMappings", i.resolved_when AS "resolvedWhen",
  i.created_at AS "createdAt", i.updated_at AS "updatedAt"`;
const FROM = 'alert_integrations i';

type Sealed<T extends IntegrationRow> = Omit<T, 'token'> & { sealedToken: string | null };

/** Reads integrations with their keys; whether the asker may see them is for the caller. */
@Injectable()
export class IntegrationsFinder {
  private readonly box: SecretBox;

  constructor(
    private readonly sql: Sql,
    @Inject(CONFIG) config: Config,
  ) {
    this.box = integrationBox(config);
  }

  /** All integrations of a project, the oldest first. */
  async list(projectId: number): Promise<IntegrationRow[]> {
    const rows = await this.sql.rows<Sealed<IntegrationRow>>(
      `SELECT ${COLUMNS} FROM ${FROM} WHERE i.project_id = $1 ORDER BY i.id`,
      [projectId],
    );
    return rows.map((row) => this.opened(row));
  }

  /** Those of one type, or all, as a page. */
  async page(
    projectId: number,
    { type }: { type: IntegrationType | null },
    paging: Paging,
  ): Promise<Page<IntegrationRow>> {
    const conditions = new Conditions();
    conditions.and(`i.project_id = ${conditions.value(projectId)}`);
    if (type !== null) conditions.and(`i.type = ${conditions.value(type)}`);
    const page = await this.sql.page<Sealed<IntegrationRow>>(
      {
        select: COLUMNS,
        from: FROM,
        where: conditions.toString(),
        orderBy: 'i.id',
        values: conditions.values,
      },
      paging,
    );
    return mapPage(page, (row) => this.opened(row));
  }

  /** One integration of the project; throws 404 for those of others. */
  async get(projectId: number, id: number): Promise<FoundIntegration> {
    const row = await this.sql.row<Sealed<FoundIntegration>>(
      `SELECT ${COLUMNS}, i.payload_example AS "payloadExample" FROM ${FROM}
       WHERE i.project_id = $1 AND i.id = $2`,
      [projectId, id],
    );
    if (row === null) throw new NotFoundError('Integration');
    return this.opened(row);
  }

  private opened<T extends IntegrationRow>({ sealedToken, ...row }: Sealed<T>): T {
    const token = sealedToken === null ? null : this.box.open(sealedToken);
    return { ...row, token } as unknown as T;
  }
}
