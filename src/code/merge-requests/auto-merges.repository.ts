import { Injectable } from '@nestjs/common';
import { DataSource, Repository, type EntityManager } from 'typeorm';
import type { Viewer } from '../../core/access/auth-context.js';
import { PIPELINE_COLUMNS, type PipelineRow } from '../repository/code.repository.js';
import type { CommitState } from '../repository/commit-states.js';
import { Sql } from '../../core/sql/sql.service.js';
import { writeSystemNotes } from '../../workspace/notes/notes.repository.js';
import { MergeRequest } from './merge-request.entity.js';

/** Columns of a merge request without auto-merge. */
export const NO_AUTO_MERGE = {
  autoMergeUserId: null,
  autoMergeSha: null,
  autoMergeMessage: null,
  autoMergeDue: false,
} as const;

/**
 * FROM part and order by which the pipeline of the head of merge request `r` comes first: that of
 * its own branch, else any of the commit.
 */
const HEAD_PIPELINE = `FROM pipelines l
  WHERE l.project_id = r.project_id AND l.sha = r.head_sha
  ORDER BY (l.ref = r.source_branch) DESC, l.id DESC LIMIT 1`;

const HEAD_PIPELINE_SQL = `
  SELECT l.* FROM merge_requests r
  CROSS JOIN LATERAL (SELECT ${PIPELINE_COLUMNS} ${HEAD_PIPELINE}) l WHERE r.id = $1`;

const LOCK_SQL = `
  SELECT r.id, r.head_sha AS "headSha", r.state, (SELECT l.status ${HEAD_PIPELINE}) AS status,
    r.auto_merge_user_id IS NOT NULL AND r.auto_merge_sha = r.head_sha AS "isWaiting"
  FROM merge_requests r WHERE r.id = $1 FOR UPDATE OF r`;

const ENABLE_SQL = `
  UPDATE merge_requests SET auto_merge_user_id = $2, auto_merge_sha = head_sha,
    auto_merge_message = $3, auto_merge_due = false, updated_at = now(),
    remove_source_branch = coalesce($4, remove_source_branch)
  WHERE id = $1`;

const DISABLED = `auto_merge_user_id = NULL, auto_merge_sha = NULL, auto_merge_message = NULL,
    auto_merge_due = false`;

const DISABLE_MOVED_SQL = `
  UPDATE merge_requests SET ${DISABLED}
  WHERE id = ANY($1::bigint[]) AND auto_merge_user_id IS NOT NULL AND auto_merge_sha <> head_sha
  RETURNING id`;

const DISABLE_SQL = `
  UPDATE merge_requests SET ${DISABLED}, updated_at = now()
  WHERE id = $1 AND state = 'opened' AND auto_merge_user_id IS NOT NULL
    AND auto_merge_sha = head_sha
  RETURNING id`;

/** In the order of ids, like every lock of several merge requests. */
const MARK_DUE_SQL = `
  UPDATE merge_requests SET auto_merge_due = true
  WHERE id IN (
    SELECT r.id FROM merge_requests r
    WHERE r.project_id = $1 AND r.state = 'opened' AND r.auto_merge_user_id IS NOT NULL
      AND r.auto_merge_sha = $2 AND r.head_sha = $2
      AND (SELECT l.status ${HEAD_PIPELINE}) = 'success'
    ORDER BY r.id FOR UPDATE)`;

const NEXT_DUE_SQL = `
  SELECT id FROM merge_requests WHERE auto_merge_due AND id > $1 ORDER BY id LIMIT 1`;

const FIND_DUE_SQL = `
  SELECT r.project_id AS "projectId", r.iid, r.auto_merge_sha AS sha,
    r.auto_merge_message AS message,
    json_build_object('id', u.id, 'username', u.username, 'name', u.name, 'email', u.email,
      'avatar', u.avatar, 'admin', u.admin, 'external', u.external, 'state', u.state,
      'userType', u.user_type, 'confirmed', u.confirmed_at IS NOT NULL) AS viewer
  FROM merge_requests r JOIN users u ON u.id = r.auto_merge_user_id
  WHERE r.id = $1 AND r.auto_merge_due AND r.state = 'opened' AND r.auto_merge_sha = r.head_sha`;

const LOCK = `hashtextextended('auto merge ' || $1, 0)`;

/** Rows and their number, as TypeORM returns them for UPDATE … RETURNING. */
type Returned = [rows: { id: number }[], count: number];

/** A locked merge request and the status of its head's pipeline. */
type LockedAutoMerge = Pick<MergeRequest, 'id' | 'headSha' | 'state'> & {
  status: CommitState | null;
  isWaiting: boolean;
};

/** An auto-merge as a user enables it. */
interface NewAutoMerge {
  userId: number;
  /** null = the default message. */
  message: string | null;
  /** null = the merge request's own setting. */
  removesSource: boolean | null;
}

/** An auto-merge whose pipeline has succeeded. */
export interface DueMerge {
  projectId: number;
  iid: number;
  /** The head that was to be merged. */
  sha: string;
  /** null = the default message. */
  message: string | null;
  /** The user who enabled it, as they are now. */
  viewer: Viewer;
}

/** Owns every statement about auto-merges and the pipelines that they wait for. */
@Injectable()
export class AutoMergesRepository extends Repository<MergeRequest> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
  ) {
    super(MergeRequest, dataSource.manager);
  }

  /** Returns the pipeline of the head; null when nothing was reported of it. */
  findHeadPipeline(mergeRequestId: number): Promise<PipelineRow | null> {
    return this.queries.row<PipelineRow>(HEAD_PIPELINE_SQL, [mergeRequestId]);
  }

  /** Locks a merge request until the transaction ends; null when it is gone. */
  async lock(manager: EntityManager, id: number): Promise<LockedAutoMerge | null> {
    const [locked] = await manager.query<LockedAutoMerge[]>(LOCK_SQL, [id]);
    return locked ?? null;
  }

  /** Enables auto-merge for the head of a merge request, whose row the caller holds. */
  async enable(
    manager: EntityManager,
    id: number,
    { userId, message, removesSource }: NewAutoMerge,
  ): Promise<void> {
    await manager.query(ENABLE_SQL, [id, userId, message, removesSource]);
  }

  /** Disables auto-merge and writes the note; false when it is not enabled for the head. */
  async disable(
    manager: EntityManager,
    id: number,
    note: { authorId: number; body: string },
  ): Promise<boolean> {
    const [disabled] = await manager.query<Returned>(DISABLE_SQL, [id]);
    if (disabled.length === 0) return false;
    const notes = [{ mergeRequestId: id, ...note }];
    await writeSystemNotes((text, values) => manager.query(text, values), notes);
    return true;
  }

  /**
   * Disables auto-merge where the head has moved since, in merge requests whose rows the caller
   * holds. No note is written without an actor.
   */
  async disableMoved(
    manager: EntityManager,
    ids: readonly number[],
    actorId: number | null,
  ): Promise<void> {
    if (ids.length === 0) return;
    const [moved] = await manager.query<Returned>(DISABLE_MOVED_SQL, [ids]);
    if (actorId === null) return;
    const body = 'aborted the automatic merge because the source branch was updated';
    await writeSystemNotes(
      (text, values) => manager.query(text, values),
      moved.map(({ id }) => ({ mergeRequestId: id, authorId: actorId, body })),
    );
  }

  /** Marks the auto-merges that waited for the pipelines of the commit as due. */
  async markDue(
    manager: EntityManager,
    { projectId, sha }: { projectId: number; sha: string },
  ): Promise<void> {
    await manager.query(MARK_DUE_SQL, [projectId, sha]);
  }

  /** Returns the id of the first due auto-merge with a greater id; null after the last. */
  async findNextDue(after: number): Promise<number | null> {
    const [next] = await this.query<{ id: number }[]>(NEXT_DUE_SQL, [after]);
    return next?.id ?? null;
  }

  /** Returns null when the auto-merge is no longer due. */
  async findDue(id: number): Promise<DueMerge | null> {
    const [due] = await this.query<DueMerge[]>(FIND_DUE_SQL, [id]);
    return due ?? null;
  }

  /**
   * Does the work unless another worker does it for the same merge request at the moment. The lock
   * is the connection's: it ends with the process, however that ends.
   */
  async runExclusively(id: number, work: () => Promise<void>): Promise<void> {
    const runner = this.manager.dataSource.createQueryRunner();
    const values = [String(id)];
    try {
      const [lock] = (await runner.query(
        `SELECT pg_try_advisory_lock(${LOCK}) AS "isMine"`,
        values,
      )) as { isMine: boolean }[];
      if (lock?.isMine !== true) return;
      try {
        await work();
      } finally {
        await runner.query(`SELECT pg_advisory_unlock(${LOCK})`, values);
      }
    } finally {
      await runner.release();
    }
  }
}
