import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Activity } from '../activity/activity.service.js';
import { InvalidParamsError } from '../core/errors.js';
import { wantedAssignees, assertLengths } from '../issues/issue-attributes.js';
import { changedLabels } from '../issues/issue-labels.js';
import { MentionsRepository } from '../mentions/mentions.repository.js';
import { titledText } from '../mentions/named-people.js';
import { MilestonesService } from '../milestones/milestones.service.js';
import type { ProjectRow } from '../projects/projects.repository.js';
import { SpamCheck } from '../spam/spam-check.service.js';
import type { SpamSender } from '../spam/submission.js';
import type { CreateMergeRequestDto } from './merge-request.dto.js';
import { MergeRequestRefs } from './merge-request-refs.service.js';
import { type BranchState, MergeRequestBranches } from './merge-request-branches.service.js';
import { asClash, assertOnlyOpenOne } from './merge-request-conflict.js';
import { takeNumber } from './merge-request-numbers.js';
import { involve, wantedIds } from './merge-request-people.js';
import { mergeRequestSubmission } from './merge-request-submission.js';
import { MergeRequest } from './merge-request.entity.js';

type NewMergeRequest = Pick<
  MergeRequest,
  'projectId' | 'authorId' | 'title' | 'sourceBranch' | 'targetBranch' | 'headSha' | 'baseSha'
> &
  Partial<MergeRequest>;

/** Opens merge requests and numbers them within their project. */
@Injectable()
export class MergeRequestCreationService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly spam: SpamCheck,
    private readonly activity: Activity,
    private readonly branches: MergeRequestBranches,
    private readonly heads: MergeRequestRefs,
    private readonly milestones: MilestonesService,
    private readonly mentions: MentionsRepository,
  ) {}

  /**
   * The caller has decided that the viewer may. Answers the new number. Throws 422 for one and the
   * same branch, 400 for bad parameters and missing branches, 409 when another one is open, 400 or 409 for spam, 404
   * when the project is deleted meanwhile. Works during a move as well.
   */
  async create(
    project: ProjectRow,
    dto: CreateMergeRequestDto,
    sender: SpamSender,
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
    await assertOnlyOpenOne(this.dataSource.manager, row, null);
    const submission = mergeRequestSubmission(row, project);
    if (submission !== null) await this.spam.assertClean(submission, sender);
    const iid = await this.save(row, dto);
    const { headSha } = await this.branches.catchUp(row, iid);
    await this.heads.keep({ projectId: project.id, userId: author.id }, { iid, headSha });
    return iid;
  }

  private async save(row: NewMergeRequest, dto: CreateMergeRequestDto): Promise<number> {
    try {
      return await this.dataSource.transaction(async (tx) => {
        const { projectId, authorId } = row;
        const iid = await takeNumber(tx, projectId);
        const milestone = await this.milestones.changedAssignment(
          tx,
          { projectId, milestoneId: null },
          dto.milestone_id,
        );
        const milestoneId = milestone?.milestoneId ?? null;
        const inserted = await tx.insert(MergeRequest, { ...row, iid, milestoneId });
        const { id } = inserted.identifiers[0] as { id: number };
        const work = { id, projectId };
        await involve(tx, work, { role: 'assignee', userIds: wantedAssignees(dto) });
        await involve(tx, work, { role: 'reviewer', userIds: wantedIds(dto.reviewer_ids) });
        const text = titledText(row.title, row.description ?? null);
        await this.mentions.add(tx, { mergeRequestId: id }, text);
        const target = { type: 'merge_request', id } as const;
        await this.activity.record(tx, [{ projectId, authorId, action: 'created', target }]);
        return iid;
      });
    } catch (error) {
      throw asClash(error);
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
