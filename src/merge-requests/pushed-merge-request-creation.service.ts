import { Injectable } from '@nestjs/common';
import { ApiError, BadRequestError, ForbiddenError } from '../core/errors.js';
import { CreationLimit } from '../core/rate-limits/creation-limit.service.js';
import { Sql } from '../core/sql/sql.service.js';
import type { CommitRecord } from '../git/reading/commits.js';
import { canInProject } from '../members/abilities.js';
import { draftTitle } from './drafts.js';
import { MergeRequestBranches } from './merge-request-branches.service.js';
import { MergeRequestChangesService } from './merge-request-changes.service.js';
import { MergeRequestContents } from './merge-request-contents.service.js';
import { type MergeRequestOptions, type PushedBranch, userIdsOf } from './push-options.js';

const MAX_TITLE = 255;

/** Opens merge requests for `git push -o merge_request.create`. */
@Injectable()
export class PushedMergeRequestCreation {
  constructor(
    private readonly sql: Sql,
    private readonly branches: MergeRequestBranches,
    private readonly contents: MergeRequestContents,
    private readonly changes: MergeRequestChangesService,
    private readonly limit: CreationLimit,
  ) {}

  /** Returns the number of the new merge request. Throws 400, 403, 429, and as creating does. */
  async create(
    { project, sender, branch, options }: PushedBranch,
    target: string,
  ): Promise<number> {
    const { viewer } = sender;
    if (!options.create) {
      throw new BadRequestError(
        'A merge_request.create push option is required to create a merge request',
      );
    }
    if (!canInProject('create_merge_request', { ...project, viewer })) throw new ForbiddenError();
    if (await this.limit.isExceededBy(viewer)) {
      throw new ApiError(429, { message: 'Too many merge requests created. Try again later.' });
    }
    const state = await this.branches.look(project.id, { source: branch, target });
    const commits = await this.contents.commits(project, state, { offset: 0, perPage: 1 });
    const { title, description } = textsOf(options, commits.items[0], branch);
    const dto = {
      source_branch: branch,
      target_branch: target,
      title: options.draft ? draftTitle(title) : title,
      description,
      labels: options.labels,
      assignee_ids: await userIdsOf(this.sql, options.assignees),
      remove_source_branch: options.removesSourceBranch,
    };
    return this.changes.create({ project, dto }, { sender });
  }
}

/** Defaults to the newest commit's message, like the form for a new merge request. */
function textsOf(
  { title, description }: MergeRequestOptions,
  newest: CommitRecord | undefined,
  branch: string,
): { title: string; description: string | null } {
  const suggested = newest?.title || branch;
  const body = newest?.message.slice(newest.title.length).trim() || null;
  return {
    title: title ?? suggested.slice(0, MAX_TITLE),
    description: description ?? (title === null ? body : null),
  };
}
