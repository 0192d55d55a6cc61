import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { RepositoryColumns } from '../../git/repository-columns.js';
import { Project } from '../projects/project.entity.js';
import { User } from '../../identity/users/user.entity.js';

/** A snippet, personal or of a project; its files live in a repository of its own. */
@Entity('snippets')
@Index('ix_snippets_search', { synchronize: false })
@Index('ix_snippets_author', ['authorId', 'id'])
@Index('ix_snippets_project', ['projectId', 'id'])
@Index('ix_snippets_repository_storage', ['repositoryStorage', 'id'])
@Index('ix_snippets_read_only', ['id'], { where: '"repository_read_only"' })
@Index('ix_snippets_public', ['id'], { where: `"visibility" = 20 AND "project_id" IS NULL` })
@Index('ix_snippets_pending_delete', ['id'], { where: '"pending_delete"' })
@Check('ck_snippets_visibility', `"visibility" IN (0, 10, 20)`)
export class Snippet extends RepositoryColumns {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', primaryKeyConstraintName: 'pk_snippets' })
  id: number;

  /** null = personal snippet. */
  @ForeignKey(() => Project, { name: 'fk_snippets_project' })
  @Column({ type: 'bigint', name: 'project_id', nullable: true })
  projectId: number | null;

  @ForeignKey(() => User, { name: 'fk_snippets_author' })
  @Column({ type: 'bigint', name: 'author_id' })
  authorId: number;

  @Column({ type: 'text', name: 'title' })
  title: string;

  @Column({ type: 'text', name: 'description', nullable: true })
  description: string | null;

  /** 0 private, 10 internal, 20 public. */
  @Column({ type: 'smallint', name: 'visibility', default: 0 })
  visibility: number;

  /** Paths of the files on the branch, as of the last commit; spares lists a look into Git. */
  @Column({ type: 'text', array: true, name: 'file_paths', default: '{}' })
  filePaths: string[];

  /** Set when the author is hard-deleted; hidden until the worker removes it. */
  @Column({ type: 'boolean', name: 'pending_delete', default: false })
  pendingDelete: boolean;

  /** True once the repository is on disk. */
  @Column({ type: 'boolean', name: 'has_repository', default: false })
  hasRepository: boolean;

  @Column({ type: 'timestamptz', precision: 3, name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3, name: 'updated_at', default: () => 'now()' })
  updatedAt: Date;
}
