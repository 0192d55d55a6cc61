import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Viewer } from '../core/access/viewer.js';
import { ApiError, NotFoundError } from '../core/errors.js';
import { CommandNamesService } from '../issues/command-names.service.js';
import { commandsOf, planCommands, type NamedUser } from '../issues/command-plan.js';
import { NO_COMMANDS, type CommandOutcome } from '../notes/command-changes.js';
import type { NumberedNoteable } from '../notes/noteable.js';
import type { QuickAction } from '../notes/quick-actions.js';
import { SubscriptionsRepository } from '../subscriptions/subscriptions.repository.js';
import { mayAdminister } from './merge-request-access.js';
import { asClash, assertOnlyOpenOne } from './merge-request-conflict.js';
import { MERGE_REQUEST_EFFECTS } from './merge-request-effects.js';
import { PRESENT_SQL, readers } from './merge-request-people.js';
import type { FoundMergeRequest } from './merge-request-row.js';
import {
  type MergeRequestEdit,
  MergeRequestUpdateService,
} from './merge-request-update.service.js';
import { MergeRequest } from './merge-request.entity.js';
import { MergeRequestsFinder } from './merge-requests-finder.service.js';

/** The commands of one comment on a merge request, and whose they are. */
interface Wish {
  noteable: NumberedNoteable;
  author: Viewer;
  /** The author's effective level in the project. */
  accessLevel: number;
  actions: readonly QuickAction[];
}

/** A merge request that is to be opened again, and where its branches are. */
interface Reopening {
  request: FoundMergeRequest;
  edit: MergeRequestEdit;
}

export const MERGE_REQUEST_COMMANDS = commandsOf(MERGE_REQUEST_EFFECTS);

/** Statuses of what keeps a merge request from being opened again. */
const HINDRANCES: readonly number[] = [400, 409, 422];

/** Does what the commands of comments on merge requests say. */
@Injectable()
export class MergeRequestCommands {
  constructor(
    private readonly dataSource: DataSource,
    private readonly finder: MergeRequestsFinder,
    private readonly updating: MergeRequestUpdateService,
    private readonly subscriptions: SubscriptionsRepository,
    private readonly names: CommandNamesService,
  ) {}

  /** Does `work` and then the commands in one transaction; 404 when it is gone meanwhile. */
  async within<T>(
    wish: Wish,
    work: (tx: EntityManager) => Promise<T>,
  ): Promise<{ result: T; commands: CommandOutcome }> {
    const reopening = await this.reopening(wish);
    try {
      const done = await this.dataSource.transaction(async (tx) => {
        const result = await work(tx);
        return { result, commands: await this.run(tx, wish, reopening) };
      });
      const isReopened = done.commands.changes.state_event === 'reopen';
      if (isReopened && reopening) await this.updating.settle(reopening.request, reopening.edit);
      return done;
    } catch (error) {
      throw asClash(error);
    }
  }

  /** Git is asked outside of the transaction; null when nothing is to be opened, or cannot be. */
  private async reopening({ noteable, author, actions }: Wish): Promise<Reopening | null> {
    if (actions.every(({ name }) => name !== 'reopen')) return null;
    const request = await this.finder.find(author, noteable.projectId, noteable.iid);
    const edit = await unlessHindered(
      this.updating.prepare(request, { state_event: 'reopen' }, author),
    );
    return edit && { request, edit };
  }

  private async run(
    tx: EntityManager,
    { noteable: { id }, author, accessLevel, actions }: Wish,
    reopening: Reopening | null,
  ): Promise<CommandOutcome> {
    if (actions.length === 0) return NO_COMMANDS;
    const lock = { mode: 'pessimistic_write' } as const;
    const request = await tx.findOne(MergeRequest, { where: { id }, lock });
    if (request === null) throw new NotFoundError();
    const isAdministered = mayAdminister({ accessLevel }, author);
    const names = await this.names.find(tx, actions, {
      projectId: request.projectId,
      author,
      readers: (ids) => readers(tx, request.projectId, ids),
    });
    const subject = {
      ...request,
      noun: 'merge request',
      assignees: await tx.query<NamedUser[]>(PRESENT_SQL, [id, 'assignee']),
      dueDate: null,
      confidential: false,
      mayAdminister: isAdministered,
      mayChange: isAdministered || request.authorId === author.id,
      isReopenable: reopening !== null && (await isOnlyOne(tx, request)),
    } as const;
    const outcome = planCommands(actions, subject, { names, effects: MERGE_REQUEST_EFFECTS });
    const isReopened = outcome.changes.state_event === 'reopen';
    const branches = isReopened ? (reopening?.edit.branches ?? null) : null;
    const edit = { dto: outcome.changes, actorId: author.id, isAdministered, branches };
    await this.updating.save(tx, id, edit);
    const mails = { userId: author.id, thread: { kind: 'merge_request', id } } as const;
    await this.subscriptions.applyEvent(tx, mails, outcome.changes.subscription_event);
    return outcome;
  }
}

async function isOnlyOne(tx: EntityManager, request: MergeRequest): Promise<boolean> {
  const checked = assertOnlyOpenOne(tx, request, request.iid).then(() => true);
  return (await unlessHindered(checked)) !== null;
}

/** null when the branches are gone or another one is open; other errors go on. */
async function unlessHindered<T>(checked: Promise<T>): Promise<T | null> {
  try {
    return await checked;
  } catch (error) {
    if (error instanceof ApiError && HINDRANCES.includes(error.status)) return null;
    throw error;
  }
}
