import { Injectable } from '@nestjs/common';
import { Activity } from '../../core/activity/activity.service.js';
import { AuditLog } from '../../core/audit/audit.service.js';
import { InvalidParamsError, NotFoundError } from '../../core/errors.js';
import {
  assertLengths,
  changedLabels,
  wantedAssignees,
  wantedIds,
} from '../../workspace/issues/issuable-attributes.js';
import { MentionsRepository } from '../../workspace/mentions/mentions.repository.js';
import { titledText } from '../../workspace/mentions/mention-parser.js';
import { MilestonesService } from '../../workspace/milestones/milestones.service.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import type {
  ActorContext,
  IssuableReference,
} from '../../workspace/spam/request-context.decorator.js';
import { assertMayChange } from './merge-request-access.js';
import { type BranchState, MergeRequestBranches } from './merge-request-branches.service.js';
import { MergeRequestPeopleRepository } from './merge-request-people.repository.js';
import { MergeRequestUpdateService } from './merge-request-update.service.js';
import type { CreateMergeRequestDto, UpdateMergeRequestDto } from './merge-request.dto.js';
import { MergeRequest } from './merge-request.entity.js';
import { MergeRequestsRepository, toOpenConflict } from './merge-requests.repository.js';

type NewMergeRequest = Pick<
  MergeRequest,
  'projectId' | 'authorId' | 'title' | 'sourceBranch' | 'targetBranch' | 'headSha' | 'baseSha'
> &
  Partial<MergeRequest>;

/**
 * Creates, changes and deletes merge requests. The caller has let pass only projects that take
 * merge requests. The order of refusals: 404 for what the viewer cannot see, 403, 412, then what
 * the parameters forbid.
 */
@Injectable()
export class MergeRequestsService {
  constructor(
    private readonly requests: MergeRequestsRepository,
    private readonly people: MergeRequestPeopleRepository,
    private readonly branches: MergeRequestBranches,
    private readonly updates: MergeRequestUpdateService,
    private readonly milestones: MilestonesService,
    private readonly mentions: MentionsRepository,
    private readonly activity: Activity,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Returns the new number; the caller has checked that the viewer can create merge requests.
   * Throws 422 for one and the same branch, 400 for bad parameters and missing branches, 409 when
   * another one is open, 400 or 409 for spam, 404 when the project is deleted meanwhile. Works
   * during a move as well.
   */
  async create(
    { project, dto }: { project: ProjectRow; dto: CreateMergeRequestDto },
    { sender }: Pick<ActorContext, 'sender'>,
  ): Promise<number> {
    const author = sender.viewer;
    assertLengths(dto);
    if (dto.target_project_id && dto.target_project_id !== project.id) {
      throw new InvalidParamsError(['target_project_id does not have a valid value']);
    }
    const labels = changedLabels([], { labels: dto.labels ?? [] });
    const branches = { source: dto.source_branch, target: dto.target_branch };
    const state = await this.branches.look(project.id, branches);
    const row = { ...newRow(dto, state), labels, projectId: project.id, authorId: author.id };
    await this.requests.assertOnlyOpen(this.requests.manager, row, null);
    await this.updates.assertClean({ project, request: row }, sender);
    const iid = await this.insert(row, dto);
    await this.branches.keepHead({ ...row, iid }, author.id);
    return iid;
  }

  /**
   * Throws 404, 403 without permission, 412, 400 for invalid parameters and missing branches, 409
   * when another open merge request joins the branches, 400 or 409 for spam.
   */
  async update(
    { project, dto }: { project: ProjectRow; dto: UpdateMergeRequestDto },
    { viewer, iid, preconditions, sender }: Omit<IssuableReference, 'auth'>,
  ): Promise<void> {
    const request = await this.requests.findVisible(viewer, project.id, iid);
    assertMayChange(request, viewer);
    preconditions.check(request.updatedAt);
    await this.updates.update({ project, request }, dto, sender);
  }

  /**
   * Deletes a merge request permanently; its branches stay. The caller has checked that the viewer
   * can delete merge requests there. Throws 404 and 412.
   */
  async delete(
    project: ProjectRow,
    { viewer, auth, iid, preconditions }: IssuableReference,
  ): Promise<void> {
    const { id, title, updatedAt } = await this.requests.findVisible(viewer, project.id, iid);
    preconditions.check(updatedAt);
    await this.requests.manager.transaction(async (tx) => {
      const { affected } = await tx.delete(MergeRequest, { id });
      if (affected === 0) throw new NotFoundError();
      await this.audit.record(tx, auth, {
        action: 'merge_request_deleted',
        targetType: 'MergeRequest',
        targetId: id,
        targetName: title,
        entity: { type: 'Project', id: project.id },
        details: { iid },
      });
    });
  }

  private async insert(row: NewMergeRequest, dto: CreateMergeRequestDto): Promise<number> {
    try {
      return await this.requests.manager.transaction(async (tx) => {
        const { projectId, authorId } = row;
        const iid = await this.requests.nextIid(tx, projectId);
        const milestone = await this.milestones.changedAssignment(
          tx,
          { projectId, milestoneId: null },
          dto.milestone_id,
        );
        const milestoneId = milestone?.milestoneId ?? null;
        const inserted = await tx.insert(MergeRequest, { ...row, iid, milestoneId });
        const { id } = inserted.identifiers[0] as { id: number };
        const [assignees, reviewers] = [wantedAssignees(dto), wantedIds(dto.reviewer_ids)];
        const work = { id, projectId };
        await this.people.replace(tx, work, { role: 'assignee', userIds: assignees });
        await this.people.replace(tx, work, { role: 'reviewer', userIds: reviewers });
        const text = titledText(row.title, row.description ?? null);
        await this.mentions.add(tx, { mergeRequestId: id }, text);
        const target = { type: 'merge_request', id } as const;
        await this.activity.record(tx, [{ projectId, authorId, action: 'created', target }]);
        return iid;
      });
    } catch (error) {
      throw toOpenConflict(error);
    }
  }
}

function newRow(dto: CreateMergeRequestDto, { headSha, baseSha }: BranchState) {
  return {
    title: dto.title,
    description: dto.description ?? null,
    sourceBranch: dto.source_branch,
    targetBranch: dto.target_branch,
    removeSourceBranch: dto.remove_source_branch === true,
    headSha,
    baseSha,
  };
}
