import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { Activity } from '../../core/activity/activity.service.js';
import type { NamedPeople, NewNotification } from '../../core/activity/new-notification.js';
import { AuditLog } from '../../core/audit/audit.service.js';
import { NotFoundError, ForbiddenError } from '../../core/errors.js';
import { assertSomethingGiven } from '../../core/params/something-given.js';
import { MentionsRepository } from '../mentions/mentions.repository.js';
import { titledText, namesNobody } from '../mentions/named-people.js';
import { MilestonesService } from '../milestones/milestones.service.js';
import { writeSystemNotes } from '../notes/notes.repository.js';
import type { ProjectRow } from '../projects/projects.repository.js';
import { UPDATABLE_ATTRIBUTES, type UpdateIssueDto } from './issue.dto.js';
import { mayAdminister } from './issue-access.js';
import { IssueAssigneesRepository, type AssigneeChange } from './issue-assignees.repository.js';
import { wantedAssignees, assertLengths } from './issue-attributes.js';
import { changeNotes, type LinkChanges } from './issue-change-notes.js';
import type { FoundIssue, IssueAttributes } from './sql/issue-columns.js';
import { IssueStates } from './issue-states.service.js';
import { IssueSpamCheck } from './issue-spam.service.js';
import { Issue } from './issue.entity.js';
import type { NotificationKind } from '../../core/activity/notification-kinds.js';
import { changedLabels } from './issue-labels.js';
import type { ActorContext } from '../spam/request-context.decorator.js';

/** A request's change of one issue, and whether its role lets it change everything. */
export interface IssueEdit {
  dto: UpdateIssueDto;
  change: ActorContext;
  isAdministered: boolean;
}

const NOBODY: AssigneeChange = { added: [], removed: [] };

/** Changes issues. */
@Injectable()
export class IssueUpdateService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly spam: IssueSpamCheck,
    private readonly audit: AuditLog,
    private readonly states: IssueStates,
    private readonly activity: Activity,
    private readonly milestones: MilestonesService,
    private readonly mentions: MentionsRepository,
    private readonly assignees: IssueAssigneesRepository,
  ) {}

  /**
   * The caller has checked that the viewer can change the issue. Throws 403 for a change of
   * confidentiality without the right to it, 400 for bad parameters, 400 or 409 for spam, 404 when
   * the issue is deleted meanwhile.
   */
  async update(
    { project, issue }: { project: ProjectRow; issue: FoundIssue },
    dto: UpdateIssueDto,
    change: ActorContext,
  ): Promise<void> {
    assertSomethingGiven(dto, UPDATABLE_ATTRIBUTES);
    assertLengths(dto);
    const isAdministered = mayAdminister(issue, change.viewer);
    const changed = changedAttributes(issue, dto, isAdministered);
    const isShown = ['title', 'description', 'confidential'].some((name) => name in changed);
    if (isShown) {
      const after = { ...issue, ...changed };
      const isDisclosed = changed.confidential === false;
      await this.spam.assertChangeIsClean({ project, issue: after }, change.sender, isDisclosed);
    }
    await this.dataSource.transaction((tx) =>
      this.save(tx, issue.id, { dto, change, isAdministered }),
    );
  }

  /**
   * Changes the issue within a transaction of the caller, who has checked everything else; 404 when
   * it is gone. Compares with the row as it is now: someone else may have changed it meanwhile.
   */
  async save(tx: EntityManager, id: number, edit: IssueEdit): Promise<void> {
    const before = await tx.findOne(Issue, { where: { id }, lock: { mode: 'pessimistic_write' } });
    if (before === null) throw new NotFoundError();
    const changed = changedAttributes(before, edit.dto, edit.isAdministered);
    const assignees = await this.assign(tx, { ...before, ...changed }, edit);
    const authorId = edit.change.viewer.id;
    const wanted = edit.isAdministered ? edit.dto.milestone_id : undefined;
    const milestone = await this.milestones.changedAssignment(tx, before, wanted);
    const links = { assignees, milestone };
    const notes = changeNotes(before, changed, links);
    if (notes.length > 0) {
      const columns = { ...changed, ...(milestone && { milestoneId: milestone.milestoneId }) };
      await tx.update(Issue, { id }, { ...columns, updatedAt: () => 'now()' });
      await writeSystemNotes(
        (text, values) => tx.query(text, values),
        notes.map((body) => ({ issueId: id, authorId, body })),
      );
    }
    const named = await this.recordMentions(tx, before, { ...before, ...changed });
    await this.activity.notify(
      tx,
      changeNotifications(before, { actorId: authorId, links, named }),
    );
    if (changed.confidential !== undefined) await this.recordDisclosure(tx, before, edit);
    await this.changeState(tx, id, edit);
  }

  private async assign(tx: EntityManager, issue: Issue, edit: IssueEdit): Promise<AssigneeChange> {
    const wanted = edit.isAdministered ? wantedAssignees(edit.dto) : undefined;
    return wanted === undefined ? NOBODY : this.assignees.replace(tx, issue, wanted);
  }

  private async changeState(
    tx: EntityManager,
    id: number,
    { dto, change }: IssueEdit,
  ): Promise<void> {
    const actor = { actorId: change.viewer.id };
    if (dto.state_event === 'close') await this.states.close(tx, [id], actor);
    if (dto.state_event === 'reopen') await this.states.reopen(tx, [id], actor);
  }

  private recordDisclosure(
    tx: EntityManager,
    { id, iid, projectId, title, confidential }: Issue,
    { dto, change }: IssueEdit,
  ): Promise<void> {
    return this.audit.record(tx, change.auth, {
      action: 'issue_confidentiality_changed',
      targetType: 'Issue',
      targetId: id,
      targetName: dto.title ?? title,
      entity: { type: 'Project', id: projectId },
      details: { iid, confidential: { from: confidential, to: !confidential } },
    });
  }

  /** Returns who the new texts mention and the former ones did not; null without any mention. */
  private async recordMentions(
    tx: EntityManager,
    before: Issue,
    after: Issue,
  ): Promise<NamedPeople | null> {
    const [was, is] = [before, after].map(({ title, description }) =>
      titledText(title, description),
    );
    if (was === undefined || is === undefined || was === is) return null;
    const mayMention = was.includes('@') || is.includes('@');
    return mayMention ? this.mentions.replace(tx, { issueId: before.id }, is) : null;
  }
}

/** Change of an issue and its author. */
interface NotificationdChange {
  actorId: number;
  links: LinkChanges;
  /** Users whom its texts mention for the first time; null if the texts are unchanged. */
  named: NamedPeople | null;
}

/** Returns the notifications of a change; a state change has an event instead. */
function changeNotifications(
  { id, projectId }: Pick<Issue, 'id' | 'projectId'>,
  { actorId, links: { assignees, milestone }, named }: NotificationdChange,
): NewNotification[] {
  const target = { type: 'issue', id } as const;
  const notification = (
    kind: NotificationKind,
    details: NewNotification['details'] = {},
  ): NewNotification => {
    return { kind, projectId, actorId, target, details };
  };
  const notifications: NewNotification[] = [];
  const added = assignees.added.map((user) => user.id);
  const removed = assignees.removed.map((user) => user.id);
  if (added.length + removed.length > 0)
    notifications.push(notification('reassign_issue', { added, removed }));
  if (milestone !== null) notifications.push(notification('change_milestone_issue'));
  if (named !== null && !namesNobody(named))
    notifications.push(notification('mention_in_issue', { named }));
  return notifications;
}

/**
 * Returns the attributes of the request that differ from `before`. Users who cannot administer the
 * issue change its texts only: other attributes are dropped, as v4 does, except confidentiality,
 * which is 403. Throws 400 for labels that are too long or too many.
 */
function changedAttributes(
  before: IssueAttributes,
  dto: UpdateIssueDto,
  mayAdminister: boolean,
): Partial<IssueAttributes> {
  const isShown = typeof dto.confidential === 'boolean' && dto.confidential !== before.confidential;
  if (isShown && !mayAdminister) throw new ForbiddenError();
  return {
    ...changedTexts(before, dto),
    ...(mayAdminister && changedPlan(before, dto)),
    ...(isShown && { confidential: dto.confidential === true }),
  };
}

/** null clears the description and keeps the title. */
function changedTexts(before: IssueAttributes, dto: UpdateIssueDto): Partial<IssueAttributes> {
  const { title, description } = dto;
  return {
    ...(title && title !== before.title && { title }),
    ...(description !== undefined && description !== before.description && { description }),
  };
}

function changedPlan(before: IssueAttributes, dto: UpdateIssueDto): Partial<IssueAttributes> {
  const { due_date: dueDate, discussion_locked: isLocked, issue_type: type } = dto;
  const labels = changedLabels(before.labels, dto);
  const isLockChanged = typeof isLocked === 'boolean' && isLocked !== before.discussionLocked;
  return {
    ...(labels.join() !== before.labels.join() && { labels }),
    ...(dueDate !== undefined && dueDate !== before.dueDate && { dueDate }),
    ...(isLockChanged && { discussionLocked: isLocked }),
    ...(type && type !== before.issueType && { issueType: type }),
    ...(type === 'issue' && before.severity !== 'unknown' && { severity: 'unknown' }),
  };
}
