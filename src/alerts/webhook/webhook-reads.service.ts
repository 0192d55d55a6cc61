import { Injectable } from '@nestjs/common';
import { Sql } from '../../core/sql/sql.service.js';
import type { WebhookPath } from '../../core/http/webhook-path.js';
import { ProjectLookup } from '../../projects/project-lookup.service.js';
import type { FieldMapping, ResolvedWhen } from '../parsing/incoming-alert.js';

interface IntegrationRow {
  id: number;
  type: 'http' | 'prometheus';
  name: string;
  active: boolean;
  sealedToken: string;
  mappings: FieldMapping[];
  resolvedWhen: ResolvedWhen | null;
}

/** The project of an address and the integration that the address means there. */
export interface StoredIntegration {
  projectId: number;
  isArchived: boolean;
  integration: IntegrationRow | null;
}

const COLUMNS = `id, type, name, active, sealed_token AS "sealedToken",
  payload_attribute_mappings AS mappings, resolved_when AS "resolvedWhen"`;

const BY_IDENTIFIER = `SELECT ${COLUMNS} FROM alert_integrations
  WHERE project_id = $1 AND identifier = $2`;

const OLDEST_ACTIVE = `SELECT ${COLUMNS} FROM alert_integrations
  WHERE project_id = $1 AND type = $2 AND active ORDER BY id LIMIT 1`;

/** No path of ours has other characters; anything else is not even looked up. */
const PROJECT_PATH = /^[a-zA-Z0-9_.-]+(?:\/[a-zA-Z0-9_.-]+)+$/;
const MAX_SEGMENTS = 25;

/** Reads what a webhook's address stands for. */
@Injectable()
export class WebhookReads {
  constructor(
    private readonly projects: ProjectLookup,
    private readonly sql: Sql,
  ) {}

  /**
   * null when there is no such project. `prometheus` before `alerts` may also be the name of the
   * project: then the address is the short one of a generic integration.
   */
  async find(path: WebhookPath): Promise<StoredIntegration | null> {
    const { project, isMonitoring, identifier } = path;
    const type = isMonitoring ? 'prometheus' : 'http';
    const found = await this.inProject(project, { identifier, type });
    if (found !== null || !isMonitoring) return found;
    return this.inProject(`${project}/prometheus`, { identifier, type: 'http' });
  }

  private async inProject(
    path: string,
    { identifier, type }: { identifier: string | null; type: string },
  ): Promise<StoredIntegration | null> {
    if (!PROJECT_PATH.test(path) || path.split('/').length > MAX_SEGMENTS) return null;
    const found = await this.projects.find({ path }, null);
    if (found === null) return null;
    const { id: projectId, archived: isArchived } = found.project;
    const integration =
      identifier === null
        ? await this.sql.row<IntegrationRow>(OLDEST_ACTIVE, [projectId, type])
        : await this.sql.row<IntegrationRow>(BY_IDENTIFIER, [projectId, identifier]);
    return { projectId, isArchived, integration };
  }
}
