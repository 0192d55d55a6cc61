import { Injectable } from '@nestjs/common';
import {
  Column,
  DataSource,
  Entity,
  Index,
  PrimaryGeneratedColumn,
  Repository,
  type EntityManager,
} from 'typeorm';
import type { RefCommand } from './reference-updates.js';
import type { WriteRequest } from './write-lease.service.js';

/** An accepted ref update, recorded exactly once per write and ref; push events are made of these. */
@Entity('ref_updates')
@Index('uq_ref_updates_write_ref', ['writeId', 'ref'], { unique: true })
@Index('ix_ref_updates_container', ['repositoryKind', 'containerId', 'id'])
export class RefUpdate {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    primaryKeyConstraintName: 'pk_ref_updates',
  })
  id: number;

  @Column({ type: 'uuid', name: 'write_id' })
  writeId: string;

  @Column({ type: 'text', name: 'repository_kind' })
  repositoryKind: string;

  @Column({ type: 'bigint', name: 'container_id' })
  containerId: number;

  @Column({ type: 'bigint', name: 'user_id', nullable: true })
  userId: number | null;

  @Column({ type: 'text', name: 'ref' })
  ref: string;

  /** All zeros = the ref was created. */
  @Column({ type: 'text', name: 'old_oid' })
  oldOid: string;

  /** All zeros = the ref was removed. */
  @Column({ type: 'text', name: 'new_oid' })
  newOid: string;

  @Column({ type: 'timestamptz', precision: 3, name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}

/** A write by its id, which makes recording its updates idempotent. */
export interface IdentifiedWrite extends WriteRequest {
  id: string;
}

/** Owns every statement about accepted ref updates. */
@Injectable()
export class RefUpdatesRepository extends Repository<RefUpdate> {
  constructor(dataSource: DataSource) {
    super(RefUpdate, dataSource.manager);
  }

  /** Records a write's updates once and returns those that were not on record yet. */
  async record(
    manager: EntityManager,
    write: IdentifiedWrite,
    updates: readonly RefCommand[],
  ): Promise<RefCommand[]> {
    const inserted = await manager.query<{ ref: string }[]>(
      `INSERT INTO ref_updates
       (write_id, repository_kind, container_id, user_id, ref, old_oid, new_oid)
     SELECT $1, $2, $3, $4, u.ref, u.old_oid, u.new_oid
     FROM unnest($5::text[], $6::text[], $7::text[]) AS u (ref, old_oid, new_oid)
     ON CONFLICT (write_id, ref) DO NOTHING RETURNING ref`,
      [
        write.id,
        write.kind,
        write.containerId,
        write.userId,
        updates.map(({ ref }) => ref),
        updates.map(({ oldOid }) => oldOid),
        updates.map(({ newOid }) => newOid),
      ],
    );
    const refs = new Set(inserted.map(({ ref }) => ref));
    return updates.filter(({ ref }) => refs.has(ref));
  }

  /** Returns the updates by other writes since this one began, by ref. */
  async listByOthers({
    id,
    kind,
    containerId,
  }: IdentifiedWrite): Promise<Map<string, RefCommand[]>> {
    const updates = await this.manager.query<RefCommand[]>(
      `SELECT u.ref, u.old_oid AS "oldOid", u.new_oid AS "newOid"
     FROM ref_updates u JOIN inflight_writes w ON w.id = $1
     WHERE u.repository_kind = $2 AND u.container_id = $3 AND u.write_id <> $1
       AND u.created_at >= w.started_at`,
      [id, kind, containerId],
    );
    const byRef = new Map<string, RefCommand[]>();
    for (const update of updates) byRef.set(update.ref, [...(byRef.get(update.ref) ?? []), update]);
    return byRef;
  }
}
