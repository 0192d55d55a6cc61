import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/env.js';
import { NO_PRECONDITIONS } from '../core/preconditions.js';
import { Sql } from '../core/sql/sql.service.js';
import { fullPathOf } from '../projects/projects.repository.js';
import { draftTitle, isDraft } from './drafts.js';
import { MergeRequestChangesService } from './merge-request-changes.service.js';
import { type MergeRequestOptions, type PushedBranch, userIdsOf } from './push-options.js';
import { PushedMergeRequestCreation } from './pushed-merge-request-creation.service.js';

interface OpenRequest {
  iid: number;
  title: string;
  assigneeIds: number[];
}

/** Prefers the merge request into the given target. */
const OPEN_SQL = `
  SELECT iid, title, ARRAY(SELECT user_id FROM merge_request_people
    WHERE merge_request_id = r.id AND role = 'assignee') AS "assigneeIds"
  FROM merge_requests r WHERE project_id = $1 AND source_branch = $2 AND state = 'opened'
  ORDER BY (target_branch = $3) DESC, id DESC LIMIT 1`;

/** Creates and updates merge requests from push options. */
@Injectable()
export class PushedMergeRequests {
  constructor(
    private readonly sql: Sql,
    private readonly creation: PushedMergeRequestCreation,
    private readonly changes: MergeRequestChangesService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Updates the branch's open merge request, or creates one if the options request it. Throws 400
   * and 403, and as creating and updating do.
   */
  async follow(pushed: PushedBranch): Promise<{ iid: number; address: string }> {
    const { project, branch, options } = pushed;
    const target = options.target ?? project.defaultBranch;
    const values = [project.id, branch, target];
    const open = await this.sql.row<OpenRequest>(OPEN_SQL, values);
    if (open !== null) await this.change(pushed, open);
    const iid = open?.iid ?? (await this.creation.create(pushed, target ?? branch));
    const address = `${this.config.baseUrl}/${fullPathOf(project)}/-/merge_requests/${iid}`;
    return { iid, address };
  }

  private async change(
    { project, sender, options }: PushedBranch,
    { iid, ...open }: OpenRequest,
  ): Promise<void> {
    const { description, target, labels, unlabels, assignees, unassigned } = options;
    const title = options.title ?? open.title;
    const isMarked = options.draft && !isDraft(title);
    const dto = {
      ...((options.title !== null || isMarked) && { title: isMarked ? draftTitle(title) : title }),
      ...(description !== null && { description }),
      ...(target !== null && { target_branch: target }),
      ...(labels.length > 0 && { add_labels: labels }),
      ...(unlabels.length > 0 && { remove_labels: unlabels }),
      ...(assignees.length + unassigned.length > 0 && {
        assignee_ids: await this.assigneesOf(open, options),
      }),
      ...(options.removesSourceBranch && { remove_source_branch: true }),
    };
    if (Object.keys(dto).length === 0) return;
    const preconditions = NO_PRECONDITIONS;
    await this.changes.update(
      { project, dto },
      { viewer: sender.viewer, sender, iid, preconditions },
    );
  }

  private async assigneesOf(
    { assigneeIds }: Pick<OpenRequest, 'assigneeIds'>,
    { assignees, unassigned }: MergeRequestOptions,
  ): Promise<number[]> {
    const ids = [...assigneeIds, ...(await userIdsOf(this.sql, assignees))];
    const removed = await userIdsOf(this.sql, unassigned);
    return [...new Set(ids)].filter((id) => !removed.includes(id));
  }
}
