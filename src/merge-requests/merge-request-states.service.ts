import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Activity } from '../activity/activity.service.js';
import { writeSystemNotes } from '../notes/notes.repository.js';
import type { StateEvent } from './merge-request.dto.js';
import { assertOnlyOpenOne } from './merge-request-conflict.js';
import { NO_AUTO_MERGE } from './auto-merge-wishes.js';
import { MergeRequest } from './merge-request.entity.js';

const ACTIONS = { close: 'closed', reopen: 'reopened' } as const;
const BEFORE = { close: 'opened', reopen: 'closed' } as const;

/** Closes and reopens merge requests: row, system note and event. */
@Injectable()
export class MergeRequestStates {
  constructor(private readonly activity: Activity) {}

  /**
   * The caller holds the row. What is in the wanted state already stays as it is, and so does what
   * is merged, as v4 does. Throws 409 when another open one joins the branches by now.
   */
  async change(
    tx: EntityManager,
    request: MergeRequest,
    { event, actorId }: { event: StateEvent; actorId: number },
  ): Promise<void> {
    const { id, iid, projectId, state } = request;
    if (state !== BEFORE[event]) return;
    if (event === 'reopen') await assertOnlyOpenOne(tx, request, iid);
    const isClosed = event === 'close';
    await tx.update(
      MergeRequest,
      { id },
      {
        state: isClosed ? 'closed' : 'opened',
        closedAt: isClosed ? () => 'now()' : null,
        closedById: isClosed ? actorId : null,
        ...NO_AUTO_MERGE,
        updatedAt: () => 'now()',
      },
    );
    const action = ACTIONS[event];
    await writeSystemNotes(
      (text, values) => tx.query(text, values),
      [{ mergeRequestId: id, authorId: actorId, body: action }],
    );
    const target = { type: 'merge_request', id } as const;
    await this.activity.record(tx, [{ projectId, authorId: actorId, action, target }]);
  }
}
