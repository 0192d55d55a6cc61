import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { Activity } from '../../core/activity/activity.service.js';
import { MentionsRepository } from '../mentions/mentions.repository.js';
import { titledText } from '../mentions/named-people.js';
import { MilestonesService } from '../milestones/milestones.service.js';
import type { ProjectRow } from '../projects/projects.repository.js';
import { SpamCheck } from '../spam/spam-check.service.js';
import type { CreateIssueDto } from './issue.dto.js';
import { assertUsableNumber, wantedAssignees, assertLengths } from './issue-attributes.js';
import { issueSubmission } from './issue-spam.service.js';
import { Issue } from './issue.entity.js';
import { IssueAssigneesRepository } from './issue-assignees.repository.js';
import { IssuesRepository } from './issues.repository.js';
import type { Viewer } from '../../core/access/viewer.js';
import { canInProject, type ProjectAbility } from '../../identity/members/abilities.js';
import { VISIBILITY } from '../../identity/members/visibility.js';
import { changedLabels } from './issue-labels.js';
import type { ActorContext } from '../spam/request-context.decorator.js';

/** Author of a new issue, and additional work for its transaction. */
export interface IssueMaking extends ActorContext {
  onCreated?: (tx: EntityManager, issueId: number) => Promise<void>;
}

/** Makes issues and numbers them within their project. */
@Injectable()
export class IssueCreationService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly spam: SpamCheck,
    private readonly activity: Activity,
    private readonly milestones: MilestonesService,
    private readonly mentions: MentionsRepository,
    private readonly issues: IssuesRepository,
    private readonly assignees: IssueAssigneesRepository,
  ) {}

  /**
   * Returns the new issue's number. Throws 400 for texts that are too long, 400 or 409 for spam,
   * 409 for a number that is taken, 404 when the project is deleted meanwhile. What `onCreated`
   * throws undoes it all.
   */
  async create(project: ProjectRow, dto: CreateIssueDto, making: IssueMaking): Promise<number> {
    const issue = newIssue(dto, project, making.viewer);
    assertUsableNumber(issue.chosenIid);
    const submission = issueSubmission(issue.attributes, project);
    if (submission !== null) await this.spam.assertClean(submission, making.sender);
    const place = { projectId: project.id, authorId: making.viewer.id };
    return this.dataSource.transaction(async (tx) => {
      const { id, iid } = await this.save(tx, issue, place);
      await making.onCreated?.(tx, id);
      return iid;
    });
  }

  private async save(
    tx: EntityManager,
    { attributes, assigneeIds, chosenIid, milestoneId }: NewIssue,
    place: { projectId: number; authorId: number },
  ): Promise<{ id: number; iid: number }> {
    const iid = await this.issues.takeIid(tx, place.projectId, chosenIid);
    const work = { projectId: place.projectId, milestoneId: null };
    const milestone = await this.milestones.changedAssignment(tx, work, milestoneId);
    const row = { ...attributes, ...place, iid, milestoneId: milestone?.milestoneId ?? null };
    const inserted = await tx.insert(Issue, row);
    const { id } = inserted.identifiers[0] as { id: number };
    const { title, description, confidential } = attributes;
    if (assigneeIds.length > 0)
      await this.assignees.replace(tx, { ...place, id, confidential }, assigneeIds);
    await this.mentions.add(tx, { issueId: id }, titledText(title, description));
    await this.activity.record(tx, [
      { ...place, action: 'created', target: { type: 'issue', id } },
    ]);
    return { id, iid };
  }
}

type NewAttributes = Pick<Issue, 'title' | 'description' | 'confidential'> & Partial<Issue>;

/** An issue as it is to be made. */
interface NewIssue {
  attributes: NewAttributes;
  assigneeIds: number[];
  /** Not looked for yet; null for none. */
  milestoneId: number | null;
  /** The number that it is to have; null for the next one. */
  chosenIid: number | null;
}

/**
 * Returns the attributes of a new issue that the user can set: everyone the texts and
 * confidentiality, members the planning attributes, Reporters the type, Owners number and date.
 * Others are dropped, as v4 does. Throws 400 for texts and labels that are too long.
 */
function newIssue(dto: CreateIssueDto, project: ProjectRow, viewer: Viewer): NewIssue {
  assertLengths(dto);
  const labels = changedLabels([], { labels: dto.labels ?? [] });
  const may = (ability: ProjectAbility): boolean => mayAsMember(ability, project, viewer);
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
    assigneeIds: isMember ? (wantedAssignees(dto) ?? []) : [],
    milestoneId: isMember ? (dto.milestone_id ?? null) : null,
    chosenIid: isOwner ? (dto.iid ?? null) : null,
  };
}

/**
 * Returns true if the member role suffices, without the abilities that everyone has in visible
 * projects.
 */
function mayAsMember(
  ability: ProjectAbility,
  { accessLevel }: ProjectRow,
  viewer: Viewer,
): boolean {
  return canInProject(ability, { visibility: VISIBILITY.private, accessLevel, viewer });
}
