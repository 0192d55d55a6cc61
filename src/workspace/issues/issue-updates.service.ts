import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Activity } from '../../core/activity/activity.service.js';
import type { MentionTargets } from '../../core/activity/notifications.repository.js';
import { AuditLog } from '../../core/audit/audit.service.js';
import { NotFoundError } from '../../core/errors.js';
import { assertSomethingGiven } from '../../core/params/input.decorator.js';
import { MentionsRepository } from '../mentions/mentions.repository.js';
import { titledText } from '../mentions/mention-parser.js';
import { MilestonesService } from '../milestones/milestones.service.js';
import { NotesRepository, writeSystemNotes } from '../notes/notes.repository.js';
import type { ProjectRow } from '../projects/projects.repository.js';
import type { ActorContext } from '../spam/request-context.decorator.js';
import { SpamCheck } from '../spam/spam-check.service.js';
import type { SpamSender } from '../spam/submission.js';
import { assertLengths, wantedAssignees } from './issuable-attributes.js';
import {
  addedLabels,
  changeNotifications,
  NO_PEOPLE,
  type PeopleChange,
} from './issuable-changes.js';
import { IssueAssigneesRepository } from './issue-assignees.repository.js';
import { changedAttributes, changeNotes, issueSubmission, mayAdminister } from './issue-rules.js';
import { IssueStates } from './issue-states.service.js';
import { UPDATABLE_ATTRIBUTES, type UpdateIssueDto } from './issue.dto.js';
import { Issue } from './issue.entity.js';
import type { FoundIssue } from './sql/issue-list.js';

/** A request's change of one issue, and whether its role lets it change everything. */
interface IssueEdit {
  dto: UpdateIssueDto;
  actor: ActorContext;
  isAdministered: boolean;
}

/** Updates issues, for requests and for the commands of comments. */
@Injectable()
export class IssueUpdates {
  constructor(
    private readonly notes: NotesRepository,
    private readonly spam: SpamCheck,
    private readonly audit: AuditLog,
    private readonly states: IssueStates,
    private readonly activity: Activity,
    private readonly milestones: MilestonesService,
    private readonly mentions: MentionsRepository,
    private readonly assignees: IssueAssigneesRepository,
  ) {}

  /**
   * The caller has checked that the viewer can change the issue. Throws 403 for a change of
   * confidentiality without permission, 400 for bad parameters, 400 or 409 for spam, 404 if the
   * issue is deleted meanwhile.
   */
  async update(
    { project, issue }: { project: ProjectRow; issue: FoundIssue },
    dto: UpdateIssueDto,
    actor: ActorContext,
  ): Promise<void> {
    assertSomethingGiven(dto, UPDATABLE_ATTRIBUTES);
    assertLengths(dto);
    const isAdministered = mayAdminister(issue, actor.viewer);
    const changed = changedAttributes(issue, dto, isAdministered);
    if (['title', 'description', 'confidential'].some((name) => name in changed)) {
      const isDisclosed = changed.confidential === false;
      const after = { ...issue, ...changed };
      const disclosedId = isDisclosed ? issue.id : null;
      await this.assertClean({ project, issue: after }, actor.sender, disclosedId);
    }
    await this.assignees.manager.transaction((tx) =>
      this.save(tx, issue.id, { dto, actor, isAdministered }),
    );
  }

  /**
   * Throws 400 or 409 for a new or changed issue that is spam and visible to others than the members
   * of the project. `disclosedId`: it was confidential, and its comments become visible with it.
   */
  async assertClean(
    { project, issue }: { project: ProjectRow; issue: Parameters<typeof issueSubmission>[0] },
    sender: SpamSender,
    disclosedId: number | null = null,
  ): Promise<void> {
    const submission = issueSubmission(issue, project);
    if (submission === null) return;
    const comments =
      disclosedId === null ? [] : await this.notes.findSuspectTexts('issue', disclosedId);
    await this.spam.assertClean({ ...submission, comments }, sender);
  }

  /**
   * Saves the change within a transaction of the caller, who has checked everything else; throws
   * 404 if the issue was deleted. Compares with the row as it is now: someone else can have changed
   * it meanwhile.
   */
  async save(tx: EntityManager, id: number, edit: IssueEdit): Promise<void> {
    const { dto, isAdministered } = edit;
    const actorId = edit.actor.viewer.id;
    const before = await tx.findOne(Issue, { where: { id }, lock: { mode: 'pessimistic_write' } });
    if (before === null) throw new NotFoundError();
    const changed = changedAttributes(before, dto, isAdministered);
    const after = { ...before, ...changed };
    const assignees = await this.assign(tx, after, edit);
    const wanted = isAdministered ? dto.milestone_id : undefined;
    const milestone = await this.milestones.changedAssignment(tx, before, wanted);
    const links = { assignees, milestone };
    const notes = changeNotes(before, changed, links);
    if (notes.length > 0) {
      const columns = { ...changed, ...(milestone && { milestoneId: milestone.milestoneId }) };
      await tx.update(Issue, { id }, { ...columns, updatedAt: () => 'now()' });
      await writeSystemNotes(
        (text, values) => tx.query(text, values),
        notes.map((body) => ({ issueId: id, authorId: actorId, body })),
      );
    }
    const named = await this.recordMentions(tx, before, after);
    const target = { type: 'issue', id, projectId: before.projectId } as const;
    const labels = addedLabels(before.labels, changed.labels);
    await this.activity.notify(tx, changeNotifications(target, { actorId, links, named, labels }));
    if (changed.confidential !== undefined) await this.recordDisclosure(tx, before, edit);
    if (dto.state_event === 'close') await this.states.close(tx, [id], { actorId });
    if (dto.state_event === 'reopen') await this.states.reopen(tx, [id], { actorId });
  }

  private async assign(
    tx: EntityManager,
    issue: Issue,
    { dto, isAdministered }: IssueEdit,
  ): Promise<PeopleChange> {
    const wanted = isAdministered ? wantedAssignees(dto) : undefined;
    return wanted === undefined ? NO_PEOPLE : this.assignees.replace(tx, issue, wanted);
  }

  private recordDisclosure(
    tx: EntityManager,
    { id, iid, projectId, title, confidential }: Issue,
    { dto, actor }: IssueEdit,
  ): Promise<void> {
    return this.audit.record(tx, actor.auth, {
      action: 'issue_confidentiality_changed',
      targetType: 'Issue',
      targetId: id,
      targetName: dto.title ?? title,
      entity: { type: 'Project', id: projectId },
      details: { iid, confidential: { from: confidential, to: !confidential } },
    });
  }

  /** Returns who only the new texts mention; null without any mention. */
  private async recordMentions(
    tx: EntityManager,
    before: Issue,
    after: Issue,
  ): Promise<MentionTargets | null> {
    const [was = '', is = ''] = [before, after].map(({ title, description }) =>
      titledText(title, description),
    );
    if (was === is || !(was.includes('@') || is.includes('@'))) return null;
    return this.mentions.replace(tx, { issueId: before.id }, is);
  }
}
