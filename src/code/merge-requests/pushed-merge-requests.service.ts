import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { ApiError, BadRequestError, ForbiddenError } from '../../core/errors.js';
import { NO_PRECONDITIONS } from '../../core/preconditions.js';
import { RateLimiter } from '../../core/rate-limits/rate-limiter.service.js';
import type { CommitRecord } from '../../git/reading/commits.js';
import { canInProject } from '../../identity/members/abilities.js';
import { fullPathOf, type ProjectRow } from '../../workspace/projects/projects.repository.js';
import type { SpamSender } from '../../workspace/spam/submission.js';
import { draftTitle, isDraft } from './drafts.js';
import { MergeRequestBranches } from './merge-request-branches.service.js';
import { MergeRequestContents } from './merge-request-contents.service.js';
import { MergeRequestPeopleRepository } from './merge-request-people.repository.js';
import {
  MergeRequestPushesRepository,
  type PushedMergeRequest,
} from './merge-request-pushes.repository.js';
import { MergeRequestsService } from './merge-requests.service.js';

/** Merge request options of a push: `git push -o merge_request.<name>[=<value>]`. */
interface MergeRequestOptions {
  create: boolean;
  target: string | null;
  title: string | null;
  description: string | null;
  labels: string[];
  unlabels: string[];
  /** Usernames or IDs. */
  assignees: string[];
  unassigned: string[];
  draft: boolean;
  removesSourceBranch: boolean;
  waitsForPipeline: boolean;
}

/** A pushed branch with its options. */
export interface PushedBranch {
  project: ProjectRow;
  sender: SpamSender;
  branch: string;
  options: MergeRequestOptions;
}

const OPTION = /^(?:merge_request|mr)\.([a-z_]+)(?:=(.*))?$/s;

/** Parsers by option; `mr.` is short for `merge_request.`, as in v4. */
const READERS: Record<string, (value: string, options: MergeRequestOptions) => void> = {
  create: (_, options) => void (options.create = true),
  target: (value, options) => void (options.target = value || null),
  title: (value, options) => void (options.title = value || null),
  // Push options cannot contain line breaks, so `\n` stands for one.
  description: (value, options) => void (options.description = value.replaceAll('\\n', '\n')),
  label: (value, options) => void options.labels.push(value),
  unlabel: (value, options) => void options.unlabels.push(value),
  assign: (value, options) => void options.assignees.push(value),
  unassign: (value, options) => void options.unassigned.push(value),
  draft: (_, options) => void (options.draft = true),
  remove_source_branch: (_, options) => void (options.removesSourceBranch = true),
  merge_when_pipeline_succeeds: (_, options) => void (options.waitsForPipeline = true),
  auto_merge: (_, options) => void (options.waitsForPipeline = true),
};

/** Returns null without merge request options; unknown ones are ignored. */
export function readMergeRequestOptions(texts: readonly string[]): MergeRequestOptions | null {
  const options: MergeRequestOptions = {
    create: false,
    target: null,
    title: null,
    description: null,
    labels: [],
    unlabels: [],
    assignees: [],
    unassigned: [],
    draft: false,
    removesSourceBranch: false,
    waitsForPipeline: false,
  };
  let isAbout = false;
  for (const text of texts) {
    const [, name = '', value = ''] = OPTION.exec(text) ?? [];
    if (!Object.hasOwn(READERS, name)) continue;
    READERS[name]?.(value, options);
    isAbout = true;
  }
  return isAbout ? options : null;
}

const MAX_TITLE = 255;

/** Creates and updates merge requests from push options. */
@Injectable()
export class PushedMergeRequests {
  constructor(
    private readonly pushes: MergeRequestPushesRepository,
    private readonly people: MergeRequestPeopleRepository,
    private readonly requests: MergeRequestsService,
    private readonly branches: MergeRequestBranches,
    private readonly contents: MergeRequestContents,
    private readonly limiter: RateLimiter,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Updates the branch's open merge request, or creates one if the options request it. Throws 400
   * and 403, and as creating and updating do.
   */
  async follow(pushed: PushedBranch): Promise<{ iid: number; address: string }> {
    const { project, branch, options } = pushed;
    const target = options.target ?? project.defaultBranch;
    const open = await this.pushes.findOpen(project.id, { source: branch, target });
    if (open !== null) await this.update(pushed, open);
    const iid = open?.iid ?? (await this.create(pushed, target ?? branch));
    const address = `${this.config.baseUrl}/${fullPathOf(project)}/-/merge_requests/${iid}`;
    return { iid, address };
  }

  /** Returns the number of the new merge request. Throws 400, 403, 429, and as creating does. */
  private async create(
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
    if (await this.limiter.isCreationExceededBy(viewer)) {
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
      assignee_ids: await this.people.findUserIds(options.assignees),
      remove_source_branch: options.removesSourceBranch,
    };
    return this.requests.create({ project, dto }, { sender });
  }

  private async update(
    { project, sender, options }: PushedBranch,
    { iid, ...open }: PushedMergeRequest,
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
    const change = { viewer: sender.viewer, sender, iid, preconditions: NO_PRECONDITIONS };
    await this.requests.update({ project, dto }, change);
  }

  private async assigneesOf(
    { assigneeIds }: Pick<PushedMergeRequest, 'assigneeIds'>,
    { assignees, unassigned }: MergeRequestOptions,
  ): Promise<number[]> {
    const ids = [...assigneeIds, ...(await this.people.findUserIds(assignees))];
    const removed = await this.people.findUserIds(unassigned);
    return [...new Set(ids)].filter((id) => !removed.includes(id));
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
