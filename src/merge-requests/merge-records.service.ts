import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Activity } from '../activity/activity.service.js';
import { writeSystemNotes } from '../notes/notes.repository.js';

/** A merge request that is merged, its row held by the caller and not merged before. */
export interface Merged {
  id: number;
  projectId: number;
  /** Tip of the source branch that was merged. */
  headSha: string;
  /** null when the target branch was simply moved on. */
  mergeCommitSha: string | null;
}

/** A wish for the merge stays if it has come true: its author gets the mail about it, too. */
const MERGED_SQL = `
  UPDATE merge_requests r
  SET state = 'merged', merged_at = now(), merged_by_id = $4, merge_commit_sha = m.commit,
      head_sha = m.head, closed_at = NULL, closed_by_id = NULL, updated_at = now(),
      auto_merge_user_id = CASE WHEN r.auto_merge_due THEN r.auto_merge_user_id END,
      auto_merge_due = false
  FROM unnest($1::bigint[], $2::text[], $3::text[]) AS m (id, head, commit)
  WHERE r.id = m.id`;

/** Puts on record that merge requests are merged: row, system note and event. */
@Injectable()
export class MergeRecords {
  constructor(private readonly activity: Activity) {}

  /** `actorId` null = the system itself, which leaves neither note nor event. */
  async record(
    tx: EntityManager,
    merged: readonly Merged[],
    actorId: number | null,
  ): Promise<void> {
    if (merged.length === 0) return;
    await tx.query(MERGED_SQL, [
      merged.map(({ id }) => id),
      merged.map(({ headSha }) => headSha),
      merged.map(({ mergeCommitSha }) => mergeCommitSha),
      actorId,
    ]);
    if (actorId === null) return;
    await writeSystemNotes(
      (text, values) => tx.query(text, values),
      merged.map(({ id }) => ({ mergeRequestId: id, authorId: actorId, body: 'merged' })),
    );
    const events = merged.map(({ id, projectId }) => {
      const target = { type: 'merge_request', id } as const;
      return { projectId, authorId: actorId, action: 'merged', target } as const;
    });
    await this.activity.record(tx, events);
  }
}
