import { Inject, Injectable } from '@nestjs/common';
import { Column, DataSource, Entity, Index, PrimaryGeneratedColumn, Repository } from 'typeorm';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/env.js';
import { Sql } from '../core/sql/sql.service.js';

/**
 * A repository that was taken out of the live path. Its files stay in the storage's trash until
 * `delete_after`, because a clone can still read them; the janitor deletes them then.
 */
@Entity('repository_trash')
@Index('uq_repository_trash_path', ['storage', 'path'], { unique: true })
@Index('ix_repository_trash_delete_after', ['deleteAfter'])
export class RepositoryTrash {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    primaryKeyConstraintName: 'pk_repository_trash',
  })
  id: number;

  @Column({ type: 'text', name: 'storage' })
  storage: string;

  /** Below the storage's root. */
  @Column({ type: 'text', name: 'path' })
  path: string;

  /** Why it is here: `project-12 moved`, `project-7 deleted`, `unexpected destination`. */
  @Column({ type: 'text', name: 'reason' })
  reason: string;

  @Column({ type: 'timestamptz', precision: 3, name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3, name: 'delete_after' })
  deleteAfter: Date;
}

/** Only one worker at a time deletes an entry; after a crash another one retries it. */
const LEASE = '10 minutes';

/** An entry of the trash that is due. */
type DueTrash = Pick<RepositoryTrash, 'id' | 'storage' | 'path'>;

/** Owns every statement about the trash of the storages. */
@Injectable()
export class RepositoryTrashRepository extends Repository<RepositoryTrash> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    super(RepositoryTrash, dataSource.manager);
  }

  /** Adds an entry; adding the same path again changes nothing. */
  async add(storage: string, path: string, reason: string): Promise<void> {
    await this.queries.rows(
      `INSERT INTO repository_trash (storage, path, reason, delete_after)
       VALUES ($1, $2, $3, now() + make_interval(hours => $4))
       ON CONFLICT (storage, path) DO NOTHING`,
      [storage, path, reason, this.config.trashHours],
    );
  }

  /** Adds an entry or renews the retention of an existing one. */
  async reserve(storage: string, path: string, reason: string): Promise<void> {
    await this.queries.rows(
      `INSERT INTO repository_trash (storage, path, reason, delete_after)
         VALUES ($1, $2, $3, now() + make_interval(hours => $4))
         ON CONFLICT (storage, path) DO UPDATE SET delete_after = EXCLUDED.delete_after`,
      [storage, path, reason, this.config.trashHours],
    );
  }

  /** Returns those of the paths in a storage's trash that have no entry. */
  async listUnknown(storage: string, paths: readonly string[]): Promise<string[]> {
    const rows = await this.queries.rows<{ path: string }>(
      `SELECT found.path FROM unnest($2::text[]) AS found (path)
       WHERE NOT EXISTS (
         SELECT 1 FROM repository_trash t WHERE t.storage = $1 AND t.path = found.path)`,
      [storage, paths],
    );
    return rows.map(({ path }) => path);
  }

  /** Leases the next entry that is due on one of the storages; null when there is none. */
  leaseDue(storages: readonly string[]): Promise<DueTrash | null> {
    return this.queries.row<DueTrash>(
      `UPDATE repository_trash SET delete_after = now() + $2::interval
       WHERE id = (SELECT id FROM repository_trash
                   WHERE delete_after <= now() AND storage = ANY ($1)
                   ORDER BY delete_after LIMIT 1 FOR UPDATE SKIP LOCKED)
       RETURNING id, storage, path`,
      [storages, LEASE],
    );
  }

  async deleteById(id: number): Promise<void> {
    await this.queries.rows('DELETE FROM repository_trash WHERE id = $1', [id]);
  }

  /** Counts the entries of each storage that has any. */
  countByStorage(): Promise<{ storage: string; count: number }[]> {
    return this.queries.rows<{ storage: string; count: number }>(
      'SELECT storage, count(*)::int AS count FROM repository_trash GROUP BY 1',
    );
  }
}
