import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Viewer } from '../../core/access/auth-context.js';
import { ForbiddenError, NotFoundError } from '../../core/errors.js';
import { mayComment, type Discussion } from '../notes/note-access.js';
import type { CreateNoteDto } from '../notes/note.dto.js';
import type { NoteRow } from '../notes/notes.repository.js';
import { NotesService, readComment, type SentNote } from '../notes/notes.service.js';
import { NO_COMMANDS, type Commented, type CommandOutcome } from '../notes/quick-actions.js';
import type { ProjectRow } from '../projects/projects.repository.js';
import type { ActorContext } from '../spam/request-context.decorator.js';
import { SubscriptionsRepository } from '../subscriptions/subscriptions.repository.js';
import { mayAdminister } from './issue-rules.js';
import { quickActionsOf, ISSUE_EFFECTS } from './quick-action-effects.js';
import { QuickActionPlanner, givenTitle } from './quick-action-planner.service.js';
import { IssueAssigneesRepository } from './issue-assignees.repository.js';
import { IssueUpdates } from './issue-updates.service.js';
import { Issue } from './issue.entity.js';
import { IssuesRepository } from './issues.repository.js';
import type { FoundIssue } from './sql/issue-list.js';

/** An issue and its discussion. */
export interface DiscussedIssue extends Discussion {
  issue: FoundIssue;
  project: ProjectRow;
}

const QUICK_ACTIONS = quickActionsOf(ISSUE_EFFECTS);

/** Comments on issues, and the quick actions in them. */
@Injectable()
export class IssueNotesService {
  constructor(
    private readonly issues: IssuesRepository,
    private readonly notes: NotesService,
    private readonly updates: IssueUpdates,
    private readonly subscriptions: SubscriptionsRepository,
    private readonly assignees: IssueAssigneesRepository,
    private readonly commands: QuickActionPlanner,
  ) {}

  /** Throws 404 for an issue that is unknown or that the viewer cannot see. */
  async of(viewer: Viewer | null, project: ProjectRow, iid: number): Promise<DiscussedIssue> {
    const issue = await this.issues.findVisible(viewer, project.id, iid);
    return discussionOf(issue, project, viewer);
  }

  /**
   * Writes the comment and runs its commands, all or nothing. Throws 403 for internal notes without
   * the role and for users who are not members in a locked discussion, 400 or 409 for spam.
   */
  async create(
    discussion: DiscussedIssue,
    actor: ActorContext,
    dto: CreateNoteDto,
  ): Promise<Commented<NoteRow>> {
    const sent = readComment(discussion, { dto, authorId: actor.viewer.id }, QUICK_ACTIONS);
    if (!mayComment(discussion)) throw new ForbiddenError();
    await this.assertClean(discussion, actor, sent);
    const { id, commands } = await this.issues.manager.transaction(async (tx) => {
      const { locked } = await this.issues.touch(tx, discussion.issue.id);
      if (!mayComment({ ...discussion, discussionLocked: locked })) throw new ForbiddenError();
      return {
        id: sent.isNote ? await this.notes.create(tx, sent.note) : null,
        commands: await this.run(tx, discussion, { sent, actor }),
      };
    });
    return { note: id === null ? null : await this.notes.find(discussion, id), commands };
  }

  /** Checks text and title together, because a solved CAPTCHA answers one question. */
  private async assertClean(
    { issue, project, isConfidential }: DiscussedIssue,
    { viewer, sender }: ActorContext,
    { note: { body, internal }, isNote, actions }: SentNote,
  ): Promise<void> {
    const mayChange = issue.author.id === viewer.id || mayAdminister(issue, viewer);
    const title = mayChange ? givenTitle(issue, actions) : undefined;
    if (isNote) {
      const { visibility } = project;
      const comment = { body, title, visibility, isConfidential: isConfidential || internal };
      await this.notes.assertClean(comment, sender);
    }
    if (title !== undefined && (!isNote || internal)) {
      await this.updates.assertClean({ project, issue: { ...issue, title } }, sender);
    }
  }

  /** Runs the commands within the transaction of the comment; 404 if the issue was deleted. */
  private async run(
    tx: EntityManager,
    { issue: { id }, reader: { accessLevel } }: DiscussedIssue,
    { sent: { actions }, actor }: { sent: SentNote; actor: ActorContext },
  ): Promise<CommandOutcome> {
    if (actions.length === 0) return NO_COMMANDS;
    const { viewer } = actor;
    const issue = await tx.findOne(Issue, { where: { id }, lock: { mode: 'pessimistic_write' } });
    if (issue === null) throw new NotFoundError();
    const isAdministered = mayAdminister({ accessLevel }, viewer);
    const isHidden = actions.some(({ name }) => name === 'confidential');
    const readable = { ...issue, confidential: issue.confidential || isHidden };
    const subject = {
      ...issue,
      noun: 'issue',
      assignees: await this.assignees.listOfIssue(tx, id),
      mayAdminister: isAdministered,
      mayChange: isAdministered || issue.authorId === viewer.id,
      isReopenable: true,
    } as const;
    const outcome = await this.commands.plan(tx, actions, {
      subject,
      effects: ISSUE_EFFECTS,
      author: viewer,
      findReaders: (ids) => this.assignees.findReaders(tx, readable, ids),
    });
    await this.updates.save(tx, id, { dto: outcome.changes, actor, isAdministered });
    const subscription = { userId: viewer.id, thread: { kind: 'issue', id } } as const;
    await this.subscriptions.applyEvent(tx, subscription, outcome.changes.subscription_event);
    return outcome;
  }
}

/** Returns the discussion of an issue that the viewer was found to see. */
export function discussionOf(
  issue: FoundIssue,
  project: ProjectRow,
  viewer: Viewer | null,
): DiscussedIssue {
  const { id, iid, projectId, accessLevel, confidential, discussionLocked } = issue;
  return {
    issue,
    project,
    noteable: { kind: 'issue', id, iid, projectId },
    reader: { viewer, accessLevel },
    visibility: project.visibility,
    isConfidential: confidential,
    discussionLocked,
  };
}
