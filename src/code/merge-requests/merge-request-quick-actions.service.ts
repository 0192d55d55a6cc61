import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Viewer } from '../../core/access/auth-context.js';
import { ApiError } from '../../core/errors.js';
import {
  COMMON_EFFECTS,
  quickActionsOf,
  retitle,
} from '../../workspace/issues/quick-action-effects.js';
import {
  QuickActionPlanner,
  type QuickActionEffects,
} from '../../workspace/issues/quick-action-planner.service.js';
import {
  NO_COMMANDS,
  type CommandOutcome,
  type QuickAction,
} from '../../workspace/notes/quick-actions.js';
import { SubscriptionsRepository } from '../../workspace/subscriptions/subscriptions.repository.js';
import { draftTitle, readyTitle } from './drafts.js';
import { mayAdminister } from './merge-request-access.js';
import { MergeRequestPeopleRepository } from './merge-request-people.repository.js';
import {
  type MergeRequestEdit,
  MergeRequestUpdateService,
} from './merge-request-update.service.js';
import type { MergeRequest } from './merge-request.entity.js';
import { MergeRequestsRepository, toOpenConflict } from './merge-requests.repository.js';
import type { FoundMergeRequest } from './sql/merge-requests.js';

/** The quick actions of one comment on a merge request, and their author. */
interface QuickActionRequest {
  request: Pick<FoundMergeRequest, 'id' | 'projectId' | 'iid'>;
  author: Viewer;
  /** The author's effective level in the project. */
  accessLevel: number;
  actions: readonly QuickAction[];
}

/** A merge request to reopen, and the state of its branches. */
interface Reopening {
  request: FoundMergeRequest;
  edit: MergeRequestEdit;
}

const EFFECTS: QuickActionEffects = {
  ...COMMON_EFFECTS,
  draft: (draft) =>
    retitle(draft, draftTitle(draft.now.title), 'Marked this merge request as a draft.'),
  ready: (draft) =>
    retitle(draft, readyTitle(draft.now.title), 'Marked this merge request as ready.'),
};

export const MERGE_REQUEST_QUICK_ACTIONS = quickActionsOf(EFFECTS);

/** Statuses of errors that keep a merge request from being reopened. */
const REOPEN_REFUSALS: readonly number[] = [400, 409, 422];

/** Runs the quick actions of comments on merge requests. */
@Injectable()
export class MergeRequestQuickActions {
  constructor(
    private readonly requests: MergeRequestsRepository,
    private readonly people: MergeRequestPeopleRepository,
    private readonly updating: MergeRequestUpdateService,
    private readonly subscriptions: SubscriptionsRepository,
    private readonly commands: QuickActionPlanner,
  ) {}

  /** Runs `work` and then the commands in one transaction; 404 when the merge request is gone. */
  async within<T>(
    request: QuickActionRequest,
    work: (tx: EntityManager) => Promise<T>,
  ): Promise<{ result: T; commands: CommandOutcome }> {
    const reopening = await this.reopening(request);
    try {
      const done = await this.requests.manager.transaction(async (tx) => {
        const result = await work(tx);
        return { result, commands: await this.run(tx, request, reopening) };
      });
      const isReopened = done.commands.changes.state_event === 'reopen';
      if (isReopened && reopening) await this.updating.settle(reopening.request, reopening.edit);
      return done;
    } catch (error) {
      throw toOpenConflict(error);
    }
  }

  /**
   * Asks Git outside of the transaction; null without a command to reopen, or if that is refused.
   */
  private async reopening({
    request: { projectId, iid },
    author,
    actions,
  }: QuickActionRequest): Promise<Reopening | null> {
    if (actions.every(({ name }) => name !== 'reopen')) return null;
    const request = await this.requests.findVisible(author, projectId, iid);
    const edit = await unlessRefused(
      this.updating.prepare(request, { state_event: 'reopen' }, author),
    );
    return edit && { request, edit };
  }

  private async run(
    tx: EntityManager,
    { request: { id }, author, accessLevel, actions }: QuickActionRequest,
    reopening: Reopening | null,
  ): Promise<CommandOutcome> {
    if (actions.length === 0) return NO_COMMANDS;
    const request = await this.requests.lock(tx, id);
    const isAdministered = mayAdminister({ accessLevel }, author);
    const subject = {
      ...request,
      noun: 'merge request',
      assignees: await this.people.listByRole(tx, id, 'assignee'),
      dueDate: null,
      confidential: false,
      mayAdminister: isAdministered,
      mayChange: isAdministered || request.authorId === author.id,
      isReopenable: reopening !== null && (await this.isOnlyOpen(tx, request)),
    } as const;
    const outcome = await this.commands.plan(tx, actions, {
      subject,
      effects: EFFECTS,
      author,
      findReaders: (ids) => this.people.findReaders(tx, request.projectId, ids),
    });
    const isReopened = outcome.changes.state_event === 'reopen';
    const branches = isReopened ? (reopening?.edit.branches ?? null) : null;
    const edit = { dto: outcome.changes, actorId: author.id, isAdministered, branches };
    await this.updating.save(tx, id, edit);
    const mails = { userId: author.id, thread: { kind: 'merge_request', id } } as const;
    await this.subscriptions.applyEvent(tx, mails, outcome.changes.subscription_event);
    return outcome;
  }

  private async isOnlyOpen(tx: EntityManager, request: MergeRequest): Promise<boolean> {
    const checked = this.requests.assertOnlyOpen(tx, request, request.iid).then(() => true);
    return (await unlessRefused(checked)) !== null;
  }
}

/** Returns null when the branches are gone or another merge request is open. */
async function unlessRefused<T>(checked: Promise<T>): Promise<T | null> {
  try {
    return await checked;
  } catch (error) {
    if (error instanceof ApiError && REOPEN_REFUSALS.includes(error.status)) return null;
    throw error;
  }
}
