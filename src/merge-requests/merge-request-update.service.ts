import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { Activity } from '../activity/activity.service.js';
import type { Viewer } from '../core/access/viewer.js';
import { NotFoundError } from '../core/errors.js';
import { assertSomethingGiven } from '../core/params/something-given.js';
import { wantedAssignees, assertLengths } from '../issues/issue-attributes.js';
import { MentionsRepository } from '../mentions/mentions.repository.js';
import { titledText } from '../mentions/named-people.js';
import { MilestonesService } from '../milestones/milestones.service.js';
import { writeSystemNotes } from '../notes/notes.repository.js';
import type { ProjectRow } from '../projects/projects.repository.js';
import { SpamCheck } from '../spam/spam-check.service.js';
import type { SpamSender } from '../spam/submission.js';
import { NO_AUTO_MERGE } from './auto-merge-wishes.js';
import { UPDATABLE_ATTRIBUTES, type UpdateMergeRequestDto } from './merge-request.dto.js';
import { MergeRequestRefs } from './merge-request-refs.service.js';
import { mayAdminister } from './merge-request-access.js';
import { type BranchState, MergeRequestBranches } from './merge-request-branches.service.js';
import { changeNotes, type LinkChanges } from './merge-request-change-notes.js';
import { changeNotices } from './merge-request-change-notices.js';
import { changedAttributes, type MergeRequestAttributes } from './merge-request-change-plan.js';
import { asClash, assertOnlyOpenOne } from './merge-request-conflict.js';
import { involve, wantedIds } from './merge-request-people.js';
import type { FoundMergeRequest } from './merge-request-row.js';
import { MergeRequestStates } from './merge-request-states.service.js';
import { mergeRequestSubmission } from './merge-request-submission.js';
import { MergeRequest } from './merge-request.entity.js';

/** A request's change of one merge request, and what its author may change of it. */
export interface MergeRequestEdit {
  dto: UpdateMergeRequestDto;
  actorId: number;
  isAdministered: boolean;
  /** Where its branches are, when it gets another target or is opened again. */
  branches: BranchState | null;
}

/** Changed attributes and their author. */
interface Change {
  changed: Partial<MergeRequestAttributes>;
  links: LinkChanges;
  actorId: number;
}

/** Changes merge requests. */
@Injectable()
export class MergeRequestUpdateService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly spam: SpamCheck,
    private readonly activity: Activity,
    private readonly branches: MergeRequestBranches,
    private readonly states: MergeRequestStates,
    private readonly heads: MergeRequestRefs,
    private readonly milestones: MilestonesService,
    private readonly mentions: MentionsRepository,
  ) {}

  /**
   * The caller has checked that the viewer may change it. Throws 400 for bad parameters and missing
   * branches, 409 when another open one joins the branches, 400 or 409 for spam, 404 when it is
   * deleted meanwhile.
   */
  async update(
    { project, request }: { project: ProjectRow; request: FoundMergeRequest },
    dto: UpdateMergeRequestDto,
    sender: SpamSender,
  ): Promise<void> {
    assertSomethingGiven(dto, UPDATABLE_ATTRIBUTES);
    assertLengths(dto);
    const edit = await this.prepare(request, dto, sender.viewer);
    const texts = changedAttributes(request, dto, false);
    if (Object.keys(texts).length > 0)
      await this.assertClean({ project, request: { ...request, ...texts } }, sender);
    try {
      await this.dataSource.transaction((tx) => this.save(tx, request.id, edit));
    } catch (error) {
      throw asClash(error);
    }
    await this.settle(request, edit);
  }

  /** Throws 400 or 409 when the merge request as it is to be is spam that others would see. */
  async assertClean(
    { project, request }: { project: Pick<ProjectRow, 'visibility'>; request: FoundMergeRequest },
    sender: SpamSender,
  ): Promise<void> {
    const submission = mergeRequestSubmission(request, project);
    if (submission !== null) await this.spam.assertClean(submission, sender);
  }

  /** Looks at the branches, where the change is about them; throws 400 for missing ones. */
  async prepare(
    request: FoundMergeRequest,
    dto: UpdateMergeRequestDto,
    viewer: Viewer,
  ): Promise<MergeRequestEdit> {
    const isAdministered = mayAdminister(request, viewer);
    const looked = isAdministered ? dto : { ...dto, target_branch: null };
    const branches = await this.look(request, looked);
    return { dto, actorId: viewer.id, isAdministered, branches };
  }

  /** Runs after the change is recorded: keeps the head under a ref. */
  async settle(
    request: FoundMergeRequest,
    { dto, actorId, isAdministered, branches }: MergeRequestEdit,
  ): Promise<void> {
    if (branches === null) return;
    const { projectId, iid, sourceBranch } = request;
    const targetBranch = (isAdministered && dto.target_branch) || request.targetBranch;
    const place = { projectId, sourceBranch, targetBranch, ...branches };
    const { headSha } = await this.branches.catchUp(place, iid);
    await this.heads.keep({ projectId, userId: actorId }, { iid, headSha });
  }

  private async look(
    { projectId, state, sourceBranch: source, targetBranch }: FoundMergeRequest,
    { target_branch: wanted, state_event: event }: UpdateMergeRequestDto,
  ): Promise<BranchState | null> {
    const isMoved = Boolean(wanted) && wanted !== targetBranch && state !== 'merged';
    const isReopened = event === 'reopen' && state === 'closed';
    if (!isMoved && !isReopened) return null;
    return this.branches.look(projectId, { source, target: wanted || targetBranch });
  }

  /**
   * Changes it within a transaction of the caller, who has checked everything else; 404 when it is
   * gone. Compares with the row as it is now: someone else may have changed it meanwhile.
   */
  async save(tx: EntityManager, id: number, edit: MergeRequestEdit): Promise<void> {
    const where = { id };
    const before = await tx.findOne(MergeRequest, { where, lock: { mode: 'pessimistic_write' } });
    if (before === null) throw new NotFoundError();
    const changed = changedAttributes(before, edit.dto, edit.isAdministered);
    const links = await this.relink(tx, before, edit);
    const notes = changeNotes(before, changed, links);
    const { milestone, targetBranch } = links;
    const columns = {
      ...changed,
      ...(milestone && { milestoneId: milestone.milestoneId }),
      ...(targetBranch !== null && { targetBranch, ...NO_AUTO_MERGE }),
      ...(before.state !== 'merged' && edit.branches && refreshed(edit.branches)),
    };
    if (Object.keys(columns).length > 0 || notes.length > 0) {
      await tx.update(MergeRequest, where, { ...columns, updatedAt: () => 'now()' });
    }
    await writeSystemNotes(
      (text, values) => tx.query(text, values),
      notes.map((body) => ({ mergeRequestId: id, authorId: edit.actorId, body })),
    );
    await this.tell(tx, before, { changed, links, actorId: edit.actorId });
    const { state_event: event } = edit.dto;
    const after = { ...before, targetBranch: targetBranch ?? before.targetBranch };
    if (event) await this.states.change(tx, after, { event, actorId: edit.actorId });
  }

  /** Notifies users who gained or lost a role, and those whom only the new texts mention. */
  private async tell(
    tx: EntityManager,
    before: MergeRequest,
    { changed, links, actorId }: Change,
  ): Promise<void> {
    const { title, description } = { ...before, ...changed };
    const isReworded = title !== before.title || description !== before.description;
    const text = { mergeRequestId: before.id };
    const named = isReworded
      ? await this.mentions.replace(tx, text, titledText(title, description))
      : null;
    await this.activity.notify(tx, changeNotices(before, { actorId, links, named }));
  }

  private async relink(
    tx: EntityManager,
    before: MergeRequest,
    { dto, isAdministered, branches }: MergeRequestEdit,
  ): Promise<LinkChanges> {
    const given = isAdministered ? dto : {};
    const assignees = await involve(tx, before, {
      role: 'assignee',
      userIds: wantedAssignees(given),
    });
    const reviewers = await involve(tx, before, {
      role: 'reviewer',
      userIds: wantedIds(given.reviewer_ids),
    });
    const milestone = await this.milestones.changedAssignment(tx, before, given.milestone_id);
    const { target_branch: wanted } = given;
    const isFixed = before.state === 'merged' || branches === null;
    const targetBranch = wanted && wanted !== before.targetBranch && !isFixed ? wanted : null;
    if (targetBranch !== null && before.state === 'opened') {
      await assertOnlyOpenOne(tx, { ...before, targetBranch }, before.iid);
    }
    return { assignees, reviewers, milestone, targetBranch };
  }
}

function refreshed({ headSha, baseSha }: BranchState): Partial<MergeRequest> {
  return { headSha, baseSha, mergeStatus: 'unchecked' };
}
