import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { RepositoryColumns } from '../../git/repository-columns.js';
import { Namespace } from '../../identity/users/namespace.entity.js';
import { User } from '../../identity/users/user.entity.js';
import { TimestampColumns } from '../../core/sql/timestamp-columns.js';

/** A project and where its repositories (code, wiki, design) are. */
@Entity('projects')
@Index('ix_projects_search', { synchronize: false })
@Index('ix_projects_name_prefix', { synchronize: false })
@Index('ix_projects_path_prefix', { synchronize: false })
@Index('uq_projects_namespace_path', { synchronize: false })
@Index('uq_projects_namespace_name', { synchronize: false })
@Index('ix_projects_name', ['name', 'id'])
@Index('ix_projects_path', ['path', 'id'])
@Index('ix_projects_created_at', ['createdAt', 'id'])
@Index('ix_projects_updated_at', ['updatedAt', 'id'])
@Index('ix_projects_last_activity_at', ['lastActivityAt', 'id'])
@Index('ix_projects_repository_storage', ['repositoryStorage', 'id'])
@Index('ix_projects_read_only', ['id'], { where: '"repository_read_only"' })
@Index('ix_projects_creator', ['creatorId'])
@Check('ck_projects_visibility', `"visibility" IN (0, 10, 20)`)
export class Project extends RepositoryColumns {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', primaryKeyConstraintName: 'pk_projects' })
  id: number;

  @ForeignKey(() => Namespace, { name: 'fk_projects_namespace' })
  @Column({ type: 'bigint', name: 'namespace_id' })
  namespaceId: number;

  @Column({ type: 'text', name: 'name' })
  name: string;

  @Column({ type: 'text', name: 'path' })
  path: string;

  @Column({ type: 'text', name: 'description', nullable: true })
  description: string | null;

  /** 0 private, 10 internal, 20 public. */
  @Column({ type: 'smallint', name: 'visibility', default: 0 })
  visibility: number;

  @Column({ type: 'boolean', name: 'archived', default: false })
  archived: boolean;

  @Column({ type: 'text', name: 'default_branch', nullable: true })
  defaultBranch: string | null;

  /** True until the first accepted push or commit. */
  @Column({ type: 'boolean', name: 'empty_repo', default: true })
  emptyRepo: boolean;

  @ForeignKey(() => User, { name: 'fk_projects_creator', onDelete: 'SET NULL' })
  @Column({ type: 'bigint', name: 'creator_id', nullable: true })
  creatorId: number | null;

  @Column({ type: 'text', array: true, name: 'topics', default: '{}' })
  topics: string[];

  @Column({ type: 'boolean', name: 'issues_enabled', default: true })
  issuesEnabled: boolean;

  @Column({ type: 'boolean', name: 'merge_requests_enabled', default: true })
  mergeRequestsEnabled: boolean;

  @Column({ type: 'boolean', name: 'wiki_enabled', default: true })
  wikiEnabled: boolean;

  @Column({ type: 'boolean', name: 'snippets_enabled', default: true })
  snippetsEnabled: boolean;

  @Column({ type: 'boolean', name: 'repository_enabled', default: true })
  repositoryEnabled: boolean;

  @Column({ type: 'boolean', name: 'request_access_enabled', default: true })
  requestAccessEnabled: boolean;

  /** Enables notification emails. */
  @Column({ type: 'boolean', name: 'emails_enabled', default: true })
  emailsEnabled: boolean;

  /** Digest of the images in `avatars`; null without one. */
  @Column({ type: 'text', name: 'avatar', nullable: true })
  avatar: string | null;

  /** Set when a deletion was accepted; the project is invisible from then on. */
  @Column({ type: 'boolean', name: 'pending_delete', default: false })
  pendingDelete: boolean;

  @Column({ type: 'timestamptz', precision: 3, name: 'last_activity_at', default: () => 'now()' })
  lastActivityAt: Date;

  @Column({ type: 'timestamptz', precision: 3, name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3, name: 'updated_at', default: () => 'now()' })
  updatedAt: Date;
}

/** Columns of what is numbered within a project: issues, merge requests and milestones. */
export abstract class NumberedColumns extends TimestampColumns {
  /** Number within the project, from 1 on; never given twice. */
  @Column({ type: 'bigint', name: 'iid' })
  iid: number;

  @Column({ type: 'text', name: 'title' })
  title: string;

  @Column({ type: 'text', name: 'description', nullable: true })
  description: string | null;
}
