import { Injectable } from '@nestjs/common';
import {
  Column,
  DataSource,
  Entity,
  ForeignKey,
  Index,
  PrimaryGeneratedColumn,
  Repository,
} from 'typeorm';
import type { Page } from '../../core/pagination/page.js';
import type { Paging } from '../../core/pagination/paging.decorator.js';
import { Sql } from '../../core/sql/sql.service.js';
import { Project } from '../../workspace/projects/project.entity.js';

/**
 * Client key with which programs report errors to a project. It is public: web pages contain it.
 */
@Entity('error_client_keys')
@Index('uq_error_client_keys_public_key', ['publicKey'], { unique: true })
@Index('ix_error_client_keys_project', ['projectId', 'id'])
export class ClientKey {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    primaryKeyConstraintName: 'pk_error_client_keys',
  })
  id: number;

  @ForeignKey(() => Project, { name: 'fk_error_client_keys_project', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'project_id' })
  projectId: number;

  /** `glet_` and 32 lowercase hex: SDKs refuse an address whose key has a dash. */
  @Column({ type: 'text', name: 'public_key' })
  publicKey: string;

  @Column({ type: 'boolean', name: 'active', default: true })
  active: boolean;

  @Column({ type: 'timestamptz', precision: 3, name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}

/** Project with its error tracking settings, and the requested key if it is active. */
export interface SourceRow {
  projectId: number;
  isArchived: boolean;
  /** Errors are collected here; false without settings, too. */
  isOn: boolean;
  keyId: number | null;
  scrubData: boolean;
  scrubIpAddresses: boolean;
  sensitiveFields: string[];
  safeFields: string[];
  retentionDays: number | null;
}

const SOURCE_SQL = `SELECT p.id AS "projectId", p.archived AS "isArchived",
    coalesce(s.enabled AND s.integrated, false) AS "isOn", k.id AS "keyId",
    s.scrub_data AS "scrubData", s.scrub_ip_addresses AS "scrubIpAddresses",
    s.sensitive_fields AS "sensitiveFields", s.safe_fields AS "safeFields",
    s.retention_days AS "retentionDays"
  FROM projects p
  LEFT JOIN error_tracking_settings s ON s.project_id = p.id
  LEFT JOIN error_client_keys k ON k.project_id = p.id AND k.public_key = $2 AND k.active
  WHERE p.id = $1 AND NOT p.pending_delete`;

/** Owns every statement about client keys. */
@Injectable()
export class ClientKeysRepository extends Repository<ClientKey> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
  ) {
    super(ClientKey, dataSource.manager);
  }

  /** Returns one page of a project's keys, oldest first. */
  page(projectId: number, paging: Paging): Promise<Page<ClientKey>> {
    return this.queries.page<ClientKey>(
      {
        select: `k.id, k.project_id AS "projectId", k.public_key AS "publicKey", k.active,
          k.created_at AS "createdAt"`,
        from: 'error_client_keys k',
        where: 'k.project_id = $1',
        orderBy: 'k.id',
        values: [projectId],
      },
      paging,
    );
  }

  /** Returns all keys of a project, oldest first; there are few. */
  list(projectId: number): Promise<ClientKey[]> {
    return this.find({ where: { projectId }, order: { id: 'ASC' } });
  }

  /** Returns the error tracking of a project; null when it does not exist or is being deleted. */
  findSource(projectId: number, publicKey: string): Promise<SourceRow | null> {
    return this.queries.lookUp<SourceRow>(SOURCE_SQL, [projectId, publicKey]);
  }
}
