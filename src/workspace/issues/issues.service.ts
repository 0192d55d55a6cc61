import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Viewer } from '../../core/access/auth-context.js';
import { Activity } from '../../core/activity/activity.service.js';
import { AuditLog } from '../../core/audit/audit.service.js';
import { NotFoundError } from '../../core/errors.js';
import { canInProject, type ProjectAbility } from '../../identity/members/abilities.js';
import { VISIBILITY } from '../../identity/members/visibility.js';
import { LabelsRepository } from '../labels/labels.repository.js';
import { MentionsRepository } from '../mentions/mentions.repository.js';
import { titledText } from '../mentions/mention-parser.js';
import { MilestonesService } from '../milestones/milestones.service.js';
import type { ProjectRow } from '../projects/projects.repository.js';
import type { ActorContext, IssuableReference } from '../spam/request-context.decorator.js';
import {
  assertLengths,
  assertUsableNumber,
  changedLabels,
  wantedAssignees,
} from './issuable-attributes.js';
import { IssueAssigneesRepository } from './issue-assignees.repository.js';
import { assertMayChange } from './issue-rules.js';
import { IssueUpdates } from './issue-updates.service.js';
import type { CreateIssueDto, UpdateIssueDto } from './issue.dto.js';
import { Issue } from './issue.entity.js';
import { IssuesRepository } from './issues.repository.js';

/** Author of a new issue, and additional work for its transaction. */
interface Creation extends ActorContext {
  onCreated?: (tx: EntityManager, issueId: number) => Promise<void>;
}

type NewAttributes = Pick<Issue, 'title' | 'description' | 'confidential'> & Partial<Issue>;

/** An issue before its creation. */
interface NewIssue {
  attributes: NewAttributes;
  /** True if names without a label create one. */
  createsLabels: boolean;
  assigneeIds: number[];
  /** Unchecked; null for none. */
  milestoneId: number | null;
  /** The number of the issue; null for the next one. */
  chosenIid: number | null;
}

/**
 * Creates, updates and deletes issues. The caller has checked that the project takes issues. The
 * order of errors: 404 for what the viewer cannot see, 403, 412, then bad parameters and spam.
 */
@Injectable()
export class IssuesService {
  constructor(
    private readonly issues: IssuesRepository,
    private readonly assignees: IssueAssigneesRepository,
    private readonly updates: IssueUpdates,
    private readonly milestones: MilestonesService,
    private readonly labels: LabelsRepository,
    private readonly mentions: MentionsRepository,
    private readonly activity: Activity,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Returns the number of the new issue; the caller has checked that the viewer can create issues.
   * Throws 400 for texts that are too long, 400 or 409 for spam, 409 for a number that is taken,
   * 404 if the project is deleted meanwhile. An error of `onCreated` undoes everything.
   */
  async create(project: ProjectRow, dto: CreateIssueDto, creation: Creation): Promise<number> {
    const issue = newIssue(dto, project, creation.viewer);
    assertUsableNumber(issue.chosenIid);
    await this.updates.assertClean({ project, issue: issue.attributes }, creation.sender);
    const owner = { projectId: project.id, authorId: creation.viewer.id };
    await this.dropUnknownLabels(project, issue);
    return this.issues.manager.transaction(async (tx) => {
      const { id, iid } = await this.insert(tx, issue, owner);
      await creation.onCreated?.(tx, id);
      return iid;
    });
  }

  async update(
    project: ProjectRow,
    dto: UpdateIssueDto,
    { iid, preconditions, ...actor }: IssuableReference,
  ): Promise<void> {
    const issue = await this.issues.findVisible(actor.viewer, project.id, iid);
    assertMayChange(issue, actor.viewer);
    preconditions.check(issue.updatedAt);
    await this.updates.update({ project, issue }, dto, actor);
  }

  /** Deletes an issue permanently; the caller has checked that the viewer can delete issues. */
  async delete(
    project: ProjectRow,
    { viewer, auth, iid, preconditions }: IssuableReference,
  ): Promise<void> {
    const { id, title, updatedAt } = await this.issues.findVisible(viewer, project.id, iid);
    preconditions.check(updatedAt);
    await this.issues.manager.transaction(async (tx) => {
      const { affected } = await tx.delete(Issue, { id });
      if (affected === 0) throw new NotFoundError();
      await this.audit.record(tx, auth, {
        action: 'issue_deleted',
        targetType: 'Issue',
        targetId: id,
        targetName: title,
        entity: { type: 'Project', id: project.id },
        details: { iid },
      });
    });
  }

  private async dropUnknownLabels(
    { id }: ProjectRow,
    { attributes, createsLabels }: NewIssue,
  ): Promise<void> {
    if (createsLabels || attributes.labels === undefined) return;
    attributes.labels = [...(await this.labels.byName(id, attributes.labels)).keys()];
  }

  private async insert(
    tx: EntityManager,
    { attributes, assigneeIds, chosenIid, milestoneId }: NewIssue,
    owner: { projectId: number; authorId: number },
  ): Promise<{ id: number; iid: number }> {
    const iid = await this.issues.takeIid(tx, owner.projectId, chosenIid);
    const work = { projectId: owner.projectId, milestoneId: null };
    const milestone = await this.milestones.changedAssignment(tx, work, milestoneId);
    const row = { ...attributes, ...owner, iid, milestoneId: milestone?.milestoneId ?? null };
    const inserted = await tx.insert(Issue, row);
    const { id } = inserted.identifiers[0] as { id: number };
    const { title, description, confidential } = attributes;
    if (assigneeIds.length > 0)
      await this.assignees.replace(tx, { ...owner, id, confidential }, assigneeIds);
    await this.mentions.add(tx, { issueId: id }, titledText(title, description));
    const target = { type: 'issue', id } as const;
    await this.activity.record(tx, [{ ...owner, action: 'created', target }]);
    return { id, iid };
  }
}

/**
 * Returns the attributes of a new issue that the user can set: everyone the texts and
 * confidentiality, members the planning attributes, Planners new labels, Reporters the type, Owners
 * number and date. Others are ignored, as v4 does. Throws 400 for texts and labels that are too long.
 */
function newIssue(dto: CreateIssueDto, { accessLevel }: ProjectRow, viewer: Viewer): NewIssue {
  assertLengths(dto);
  const labels = changedLabels([], { labels: dto.labels ?? [] });
  // Without the abilities that everyone has in visible projects.
  const may = (ability: ProjectAbility): boolean =>
    canInProject(ability, { visibility: VISIBILITY.private, accessLevel, viewer });
  const isMember = may('create_issue');
  const isOwner = may('own_project');
  const attributes: NewAttributes = {
    title: dto.title,
    description: dto.description ?? null,
    confidential: dto.confidential === true,
    ...(isMember && { labels, dueDate: dto.due_date ?? null }),
    ...(dto.issue_type && may('admin_issue') && { issueType: dto.issue_type }),
    ...(dto.created_at && isOwner && { createdAt: dto.created_at }),
  };
  return {
    attributes,
    createsLabels: may('admin_label'),
    assigneeIds: isMember ? (wantedAssignees(dto) ?? []) : [],
    milestoneId: isMember ? (dto.milestone_id ?? null) : null,
    chosenIid: isOwner ? (dto.iid ?? null) : null,
  };
}
