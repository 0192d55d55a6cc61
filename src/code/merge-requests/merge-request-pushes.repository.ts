import { Injectable } from '@nestjs/common';
import { DataSource, Repository, type EntityManager } from 'typeorm';
import { Sql } from '../../core/sql/sql.service.js';
import { PROJECT_ABILITIES } from '../../identity/members/abilities.js';
import { accessLevelSql } from '../../identity/members/sql/access.js';
import { ROLES } from '../../identity/members/roles.js';
import { MergeRequest } from './merge-request.entity.js';

/** More open merge requests of moved branches are not looked at with one push. */
const MAX_OPEN = 5_000;

const MAX_ISSUES = 50;

const OPEN_COLUMNS = `id, iid, project_id AS "projectId", source_branch AS "sourceBranch",
  target_branch AS "targetBranch", head_sha AS "headSha"`;

const OPEN_SQL = `
  SELECT ${OPEN_COLUMNS} FROM merge_requests
  WHERE project_id = $1 AND state = 'opened'
    AND (source_branch = ANY($2::text[]) OR target_branch = ANY($2::text[]))
  ORDER BY id DESC LIMIT ${MAX_OPEN}`;

/** In the order of ids, so that two transactions never wait for each other. */
const LOCK_SQL = `
  SELECT ${OPEN_COLUMNS}, state, title, description FROM merge_requests
  WHERE project_id = $1 AND state <> 'merged' AND (id = ANY($2::bigint[]) OR iid = $3)
  ORDER BY id FOR UPDATE`;

/** A due auto-merge keeps its user, who gets the email about the merge as well. */
const MERGED_SQL = `
  UPDATE merge_requests r
  SET state = 'merged', merged_at = now(), merged_by_id = $4, merge_commit_sha = m.commit,
      head_sha = m.head, closed_at = NULL, closed_by_id = NULL, updated_at = now(),
      auto_merge_user_id = CASE WHEN r.auto_merge_due THEN r.auto_merge_user_id END,
      auto_merge_due = false
  FROM unnest($1::bigint[], $2::text[], $3::text[]) AS m (id, head, commit)
  WHERE r.id = m.id`;

const MOVED_SQL = `
  UPDATE merge_requests
  SET head_sha = $2, base_sha = coalesce($3, base_sha), merge_status = 'unchecked',
      updated_at = now()
  WHERE id = $1`;

/** Lists show that a tip has moved since. */
const UNCHECKED_SQL = `
  UPDATE merge_requests SET merge_status = 'unchecked'
  WHERE project_id = $1 AND target_branch = ANY($2::text[]) AND state = 'opened'
    AND merge_status <> 'unchecked'`;

/** Open issues that the actor can close, of those named. */
const CLOSABLE_SQL = `
  SELECT i.id FROM issues i
  JOIN projects p ON p.id = i.project_id JOIN namespaces n ON n.id = p.namespace_id
  JOIN users u ON u.id = $3
  WHERE i.project_id = $1 AND i.iid = ANY($2::bigint[]) AND i.state = 'opened'
    AND p.issues_enabled
    AND (u.admin OR i.author_id = u.id
      OR ${accessLevelSql('u.id', 'n', 'p.id')} >= ${ROLES[PROJECT_ABILITIES.admin_issue]})
  ORDER BY i.id LIMIT ${MAX_ISSUES}`;

/** Prefers the merge request into the given target. */
const PUSHED_SQL = `
  SELECT iid, title, ARRAY(SELECT user_id FROM merge_request_people
    WHERE merge_request_id = r.id AND role = 'assignee') AS "assigneeIds"
  FROM merge_requests r WHERE project_id = $1 AND source_branch = $2 AND state = 'opened'
  ORDER BY (target_branch = $3) DESC, id DESC LIMIT 1`;

/** An open merge request without its texts, which only merged ones need. */
export type OpenMergeRequest = Pick<
  MergeRequest,
  'id' | 'iid' | 'projectId' | 'sourceBranch' | 'targetBranch' | 'headSha'
>;

/** A locked merge request, open or closed. */
export type LockedMergeRequest = OpenMergeRequest &
  Pick<MergeRequest, 'state' | 'title' | 'description'>;

/** The open merge request of a branch that was pushed with options. */
export type PushedMergeRequest = Pick<MergeRequest, 'iid' | 'title'> & { assigneeIds: number[] };

/** A merge of a merge request, whose row the caller holds, and which was not merged before. */
export interface Merged {
  id: number;
  projectId: number;
  /** Tip of the source branch that was merged. */
  headSha: string;
  /** null when the target branch was fast-forwarded. */
  mergeCommitSha: string | null;
}

/** Owns the statements by which pushes and merges change merge requests. */
@Injectable()
export class MergeRequestPushesRepository extends Repository<MergeRequest> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
  ) {
    super(MergeRequest, dataSource.manager);
  }

  /** Returns the open merge requests from or into one of the branches. */
  listOpen(projectId: number, branches: readonly string[]): Promise<OpenMergeRequest[]> {
    return this.query<OpenMergeRequest[]>(OPEN_SQL, [projectId, branches]);
  }

  /** Returns the open merge request from a branch, into `target` if there are several. */
  findOpen(
    projectId: number,
    { source, target }: { source: string; target: string | null },
  ): Promise<PushedMergeRequest | null> {
    return this.queries.row<PushedMergeRequest>(PUSHED_SQL, [projectId, source, target]);
  }

  /** Locks those with these ids, and the one with this number, except merged ones. */
  lock(
    manager: EntityManager,
    projectId: number,
    { ids, iid }: { ids: readonly number[]; iid: number | null },
  ): Promise<LockedMergeRequest[]> {
    return manager.query<LockedMergeRequest[]>(LOCK_SQL, [projectId, ids, iid]);
  }

  /** Marks locked merge requests as merged; `actorId` null = the system. */
  async markMerged(
    manager: EntityManager,
    merged: readonly Merged[],
    actorId: number | null,
  ): Promise<void> {
    await manager.query(MERGED_SQL, [
      merged.map(({ id }) => id),
      merged.map(({ headSha }) => headSha),
      merged.map(({ mergeCommitSha }) => mergeCommitSha),
      actorId,
    ]);
  }

  /** Moves the head of a locked merge request; without a `baseSha` the old one stays. */
  async moveHead(
    manager: EntityManager,
    id: number,
    { headSha, baseSha }: { headSha: string; baseSha: string | null },
  ): Promise<void> {
    await manager.query(MOVED_SQL, [id, headSha, baseSha]);
  }

  /** Resets the merge status of open merge requests into these branches. */
  async resetChecks(
    manager: EntityManager,
    projectId: number,
    targetBranches: readonly string[],
  ): Promise<void> {
    await manager.query(UNCHECKED_SQL, [projectId, targetBranches]);
  }

  /** Returns the ids of the open issues with these numbers that the actor can close. */
  async findClosableIssues(
    manager: EntityManager,
    { projectId, actorId }: { projectId: number; actorId: number },
    iids: readonly number[],
  ): Promise<number[]> {
    const values = [projectId, iids, actorId];
    const issues = await manager.query<{ id: number }[]>(CLOSABLE_SQL, values);
    return issues.map(({ id }) => id);
  }
}
