import { Injectable } from '@nestjs/common';
import { Sql } from '../../core/sql/sql.service.js';
import { ProjectLookup } from '../../projects/project-lookup.service.js';
import { looksLikeKey } from './public-key.js';

/** A project, what it wants of its errors, and the key that was asked for when it is a good one. */
export interface SourceRow {
  projectId: number;
  isArchived: boolean;
  /** Whether errors are to be collected here; false also without settings. */
  isOn: boolean;
  keyId: number | null;
  scrubData: boolean;
  scrubIpAddresses: boolean;
  sensitiveFields: string[];
  safeFields: string[];
  retentionDays: number | null;
}

const SOURCE = `SELECT p.id AS "projectId", p.archived AS "isArchived",
    coalesce(s.enabled AND s.integrated, false) AS "isOn", k.id AS "keyId",
    s.scrub_data AS "scrubData", s.scrub_ip_addresses AS "scrubIpAddresses",
    s.sensitive_fields AS "sensitiveFields", s.safe_fields AS "safeFields",
    s.retention_days AS "retentionDays"
  FROM projects p
  LEFT JOIN error_tracking_settings s ON s.project_id = p.id
  LEFT JOIN error_client_keys k ON k.project_id = p.id AND k.public_key = $2 AND k.active
  WHERE p.id = $1 AND NOT p.pending_delete`;

const DIGITS = /^\d+$/;
/** No path of ours has other characters; anything else is not even looked up. */
const PROJECT_PATH = /^[a-zA-Z0-9_.-]+(?:\/[a-zA-Z0-9_.-]+)+$/;
const MAX_SEGMENTS = 25;

/** Reads what the project and the key of an SDK's address stand for. */
@Injectable()
export class SourceReads {
  constructor(
    private readonly sql: Sql,
    private readonly projects: ProjectLookup,
  ) {}

  /** By id or full path; null when there is no such project, or it is being deleted. */
  async find(project: string, publicKey: string): Promise<SourceRow | null> {
    const projectId = await this.idOf(project);
    return projectId === null ? null : this.inProject(projectId, publicKey);
  }

  /** As `find`. A text that cannot be a key is none of the project's keys. */
  inProject(projectId: number, publicKey: string): Promise<SourceRow | null> {
    const key = looksLikeKey(publicKey) ? publicKey : '';
    return this.sql.row<SourceRow>(SOURCE, [projectId, key]);
  }

  private async idOf(project: string): Promise<number | null> {
    if (DIGITS.test(project)) {
      const id = Number(project);
      return Number.isSafeInteger(id) ? id : null;
    }
    const isPath = PROJECT_PATH.test(project) && project.split('/').length <= MAX_SEGMENTS;
    if (!isPath) return null;
    const found = await this.projects.find({ path: project }, null);
    return found?.project.id ?? null;
  }
}
