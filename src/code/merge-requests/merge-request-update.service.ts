import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Viewer } from '../../core/access/auth-context.js';
import { Activity } from '../../core/activity/activity.service.js';
import { assertSomethingGiven } from '../../core/params/input.decorator.js';
import {
  assertLengths,
  wantedAssignees,
  wantedIds,
} from '../../workspace/issues/issuable-attributes.js';
import { addedLabels, changeNotifications } from '../../workspace/issues/issuable-changes.js';
import type { StateEvent } from '../../workspace/issues/issuable.dto.js';
import { MentionsRepository } from '../../workspace/mentions/mentions.repository.js';
import { titledText } from '../../workspace/mentions/mention-parser.js';
import { MilestonesService } from '../../workspace/milestones/milestones.service.js';
import { writeSystemNotes } from '../../workspace/notes/notes.repository.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { SpamCheck } from '../../workspace/spam/spam-check.service.js';
import type { SpamSender } from '../../workspace/spam/submission.js';
import { NO_AUTO_MERGE } from './auto-merges.repository.js';
import { mayAdminister } from './merge-request-access.js';
import { type BranchState, MergeRequestBranches } from './merge-request-branches.service.js';
import {
  changedAttributes,
  changeNotes,
  type LinkChanges,
  type MergeRequestAttributes,
  mergeRequestSubmission,
  type MergeRequestTexts,
} from './merge-request-changes.js';
import { MergeRequestPeopleRepository } from './merge-request-people.repository.js';
import { UPDATABLE_ATTRIBUTES, type UpdateMergeRequestDto } from './merge-request.dto.js';
import { MergeRequest } from './merge-request.entity.js';
import { MergeRequestsRepository, toOpenConflict } from './merge-requests.repository.js';
import type { FoundMergeRequest } from './sql/merge-requests.js';

const STATE_ACTIONS = { close: 'closed', reopen: 'reopened' } as const;
const STATES_BEFORE = { close: 'opened', reopen: 'closed' } as const;

/** A request's change of one merge request, and the rights of its actor. */
export interface MergeRequestEdit {
  dto: UpdateMergeRequestDto;
  actorId: number;
  isAdministered: boolean;
  /** Commits of its branches, when it gets another target or is reopened. */
  branches: BranchState | null;
}

/** The differences from before, and their actor. */
interface Change {
  changed: Partial<MergeRequestAttributes>;
  links: LinkChanges;
  actorId: number;
}

/** Updates merge requests, for requests and for the commands of comments. */
@Injectable()
export class MergeRequestUpdateService {
  constructor(
    private readonly requests: MergeRequestsRepository,
    private readonly people: MergeRequestPeopleRepository,
    private readonly spam: SpamCheck,
    private readonly branches: MergeRequestBranches,
    private readonly milestones: MilestonesService,
    private readonly mentions: MentionsRepository,
    private readonly activity: Activity,
  ) {}

  /**
   * The caller has checked that the viewer can change it. Throws 400 for bad parameters and missing
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
    if (Object.keys(texts).length > 0) {
      await this.assertClean({ project, request: { ...request, ...texts } }, sender);
    }
    try {
      await this.requests.manager.transaction((tx) => this.save(tx, request.id, edit));
    } catch (error) {
      throw toOpenConflict(error);
    }
    await this.settle(request, edit);
  }

  /** Throws 400 or 409 when the texts of a merge request are spam that others would see. */
  async assertClean(
    { project, request }: { project: ProjectRow; request: MergeRequestTexts },
    sender: SpamSender,
  ): Promise<void> {
    const submission = mergeRequestSubmission(request, project);
    if (submission !== null) await this.spam.assertClean(submission, sender);
  }

  /** Looks up the branches, if the change is about them; throws 400 for missing ones. */
  async prepare(
    request: FoundMergeRequest,
    dto: UpdateMergeRequestDto,
    viewer: Viewer,
  ): Promise<MergeRequestEdit> {
    const isAdministered = mayAdminister(request, viewer);
    const given = isAdministered ? dto : { ...dto, target_branch: null };
    const branches = await this.findBranches(request, given);
    return { dto, actorId: viewer.id, isAdministered, branches };
  }

  /** Keeps the head where it is now; called after the transaction of the change. */
  async settle(
    request: FoundMergeRequest,
    { dto, actorId, isAdministered, branches }: MergeRequestEdit,
  ): Promise<void> {
    if (branches === null) return;
    const targetBranch = (isAdministered && dto.target_branch) || request.targetBranch;
    const { headSha } = branches;
    await this.branches.keepHead({ ...request, targetBranch, headSha }, actorId);
  }

  private async findBranches(
    { projectId, state, sourceBranch: source, targetBranch }: FoundMergeRequest,
    { target_branch: wanted, state_event: event }: UpdateMergeRequestDto,
  ): Promise<BranchState | null> {
    const isMoved = Boolean(wanted) && wanted !== targetBranch && state !== 'merged';
    const isReopened = event === 'reopen' && state === 'closed';
    if (!isMoved && !isReopened) return null;
    return this.branches.look(projectId, { source, target: wanted || targetBranch });
  }

  /**
   * Saves the change within a transaction of the caller, who has checked everything else; throws
   * 404 when the merge request is gone. Compares with the row as it is now: someone else can have
   * changed it meanwhile.
   */
  async save(tx: EntityManager, id: number, edit: MergeRequestEdit): Promise<void> {
    const before = await this.requests.lock(tx, id);
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
      await tx.update(MergeRequest, { id }, { ...columns, updatedAt: () => 'now()' });
    }
    await writeSystemNotes(
      (text, values) => tx.query(text, values),
      notes.map((body) => ({ mergeRequestId: id, authorId: edit.actorId, body })),
    );
    await this.notify(tx, before, { changed, links, actorId: edit.actorId });
    const { state_event: event } = edit.dto;
    const after = { ...before, targetBranch: targetBranch ?? before.targetBranch };
    if (event) await this.changeState(tx, after, { event, actorId: edit.actorId });
  }

  /** Notifies users who got or lost a role, and those whom only the new texts mention. */
  private async notify(
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
    const target = { type: 'merge_request', id: before.id, projectId: before.projectId } as const;
    const labels = addedLabels(before.labels, changed.labels);
    await this.activity.notify(tx, changeNotifications(target, { actorId, links, named, labels }));
  }

  private async relink(
    tx: EntityManager,
    before: MergeRequest,
    { dto, isAdministered, branches }: MergeRequestEdit,
  ): Promise<LinkChanges> {
    const given = isAdministered ? dto : {};
    const assignees = await this.people.replace(tx, before, {
      role: 'assignee',
      userIds: wantedAssignees(given),
    });
    const reviewers = await this.people.replace(tx, before, {
      role: 'reviewer',
      userIds: wantedIds(given.reviewer_ids),
    });
    const milestone = await this.milestones.changedAssignment(tx, before, given.milestone_id);
    const { target_branch: wanted } = given;
    const isFixed = before.state === 'merged' || branches === null;
    const targetBranch = wanted && wanted !== before.targetBranch && !isFixed ? wanted : null;
    if (targetBranch !== null && before.state === 'opened') {
      await this.requests.assertOnlyOpen(tx, { ...before, targetBranch }, before.iid);
    }
    return { assignees, reviewers, milestone, targetBranch };
  }

  /**
   * Closes or reopens a locked merge request. One that is in the wanted state stays as it is, and
   * so does a merged one, as v4 does. Throws 409 when another open one joins the branches by now.
   */
  private async changeState(
    tx: EntityManager,
    request: MergeRequest,
    { event, actorId }: { event: StateEvent; actorId: number },
  ): Promise<void> {
    const { id, iid, projectId, state } = request;
    if (state !== STATES_BEFORE[event]) return;
    if (event === 'reopen') await this.requests.assertOnlyOpen(tx, request, iid);
    const isClosed = event === 'close';
    await tx.update(
      MergeRequest,
      { id },
      {
        state: isClosed ? 'closed' : 'opened',
        closedAt: isClosed ? () => 'now()' : null,
        closedById: isClosed ? actorId : null,
        ...NO_AUTO_MERGE,
        updatedAt: () => 'now()',
      },
    );
    const action = STATE_ACTIONS[event];
    await writeSystemNotes(
      (text, values) => tx.query(text, values),
      [{ mergeRequestId: id, authorId: actorId, body: action }],
    );
    const target = { type: 'merge_request', id } as const;
    await this.activity.record(tx, [{ projectId, authorId: actorId, action, target }]);
  }
}

function refreshed({ headSha, baseSha }: BranchState): Partial<MergeRequest> {
  return { headSha, baseSha, mergeStatus: 'unchecked' };
}
