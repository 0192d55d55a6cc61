import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Viewer } from '../../core/access/viewer.js';
import { NotFoundError } from '../../core/errors.js';
import type { CommandOutcome } from '../notes/command-changes.js';
import type { QuickAction } from '../notes/quick-actions.js';
import type { ProjectRow } from '../projects/projects.repository.js';
import { SubscriptionsRepository } from '../subscriptions/subscriptions.repository.js';
import { ISSUE_EFFECTS, isTitle } from './command-effects.js';
import { CommandNamesService } from './command-names.service.js';
import { commandsOf, planCommands } from './command-plan.js';
import { mayAdminister } from './issue-access.js';
import { IssueAssigneesRepository } from './issue-assignees.repository.js';
import type { FoundIssue } from './sql/issue-columns.js';
import { IssueSpamCheck } from './issue-spam.service.js';
import { IssueUpdateService } from './issue-update.service.js';
import { Issue } from './issue.entity.js';
import type { ActorContext } from '../spam/request-context.decorator.js';

/** The commands of one comment on an issue, and whose they are. */
export interface IssueCommandsWish {
  issueId: number;
  /** The author's effective level in the project. */
  accessLevel: number;
  actions: readonly QuickAction[];
  change: ActorContext;
}

export const ISSUE_COMMANDS = commandsOf(ISSUE_EFFECTS);

/** Runs the commands of comments on issues. */
@Injectable()
export class IssueCommands {
  constructor(
    private readonly spam: IssueSpamCheck,
    private readonly updating: IssueUpdateService,
    private readonly subscriptions: SubscriptionsRepository,
    private readonly assignees: IssueAssigneesRepository,
    private readonly names: CommandNamesService,
  ) {}

  /** Throws 400 or 409 when the title that they give is spam. Asked before the transaction. */
  async assertClean(
    { project, issue }: { project: ProjectRow; issue: FoundIssue },
    actions: readonly QuickAction[],
    change: ActorContext,
  ): Promise<void> {
    const title = givenTitle(issue, actions, change.viewer);
    if (title === undefined) return;
    await this.spam.assertChangeIsClean({ project, issue: { ...issue, title } }, change.sender);
  }

  /** Changes the issue within the transaction of the comment; 404 when it is gone meanwhile. */
  async run(tx: EntityManager, wish: IssueCommandsWish): Promise<CommandOutcome> {
    const { issueId, accessLevel, actions, change } = wish;
    const { viewer } = change;
    const where = { id: issueId };
    const issue = await tx.findOne(Issue, { where, lock: { mode: 'pessimistic_write' } });
    if (issue === null) throw new NotFoundError();
    const isAdministered = mayAdminister({ accessLevel }, viewer);
    const assignees = await this.assignees.listOfIssue(tx, issueId);
    const isHidden = actions.some(({ name }) => name === 'confidential');
    const names = await this.names.find(tx, actions, {
      projectId: issue.projectId,
      author: viewer,
      readers: (ids) =>
        this.assignees.findReaders(
          tx,
          { ...issue, confidential: issue.confidential || isHidden },
          ids,
        ),
    });
    const subject = {
      ...issue,
      noun: 'issue',
      assignees,
      mayAdminister: isAdministered,
      mayChange: isAdministered || issue.authorId === viewer.id,
      isReopenable: true,
    } as const;
    const outcome = planCommands(actions, subject, { names, effects: ISSUE_EFFECTS });
    await this.updating.save(tx, issueId, { dto: outcome.changes, change, isAdministered });
    const mails = { userId: viewer.id, thread: { kind: 'issue', id: issueId } } as const;
    await this.subscriptions.applyEvent(tx, mails, outcome.changes.subscription_event);
    return outcome;
  }
}

/** The new title that the commands give the issue or merge request; undefined when they change none. */
export function givenTitle(
  issue: Pick<FoundIssue, 'title' | 'author' | 'accessLevel'>,
  actions: readonly QuickAction[],
  viewer: Viewer,
): string | undefined {
  const mayChange = issue.author.id === viewer.id || mayAdminister(issue, viewer);
  const titles = actions.filter(({ name, argument }) => name === 'title' && isTitle(argument));
  const title = mayChange ? titles.at(-1)?.argument : undefined;
  return title === issue.title ? undefined : title;
}
