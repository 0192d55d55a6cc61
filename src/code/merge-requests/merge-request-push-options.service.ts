import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { ApiError } from '../../core/errors.js';
import { NO_PRECONDITIONS } from '../../core/preconditions.js';
import {
  type PushOptionsListener,
  PushOptionsListeners,
  type PushWithOptions,
} from '../../git/push-recorder.service.js';
import { BRANCH_PREFIX, isZeroOid } from '../../git/reference-name.js';
import { ProjectsRepository } from '../../workspace/projects/projects.repository.js';
import { AutoMerges } from './auto-merges.service.js';
import { assertTakesMergeRequests } from './merge-request-access.js';
import { MergeRequestMerging } from './merge-request-merging.service.js';
import {
  PushedMergeRequests,
  type PushedBranch,
  readMergeRequestOptions,
} from './pushed-merge-requests.service.js';

const MAX_BRANCHES = 10;

/**
 * Handles `git push -o merge_request.create` and related options. The push has already succeeded,
 * so errors are shown to the user and never thrown.
 */
@Injectable()
export class MergeRequestPushOptions implements PushOptionsListener, OnModuleInit {
  private readonly logger = new Logger(MergeRequestPushOptions.name);

  constructor(
    private readonly listeners: PushOptionsListeners,
    private readonly projects: ProjectsRepository,
    private readonly requests: PushedMergeRequests,
    private readonly autoMerges: AutoMerges,
    private readonly merging: MergeRequestMerging,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onModuleInit(): void {
    this.listeners.add(this);
  }

  /** Returns the lines that Git shows to the user. */
  async follow({ projectId, viewer, ip, userAgent, ...push }: PushWithOptions): Promise<string[]> {
    const options = readMergeRequestOptions(push.options);
    if (options === null) return [];
    const branches = push.updates
      .filter(({ ref, newOid }) => ref.startsWith(BRANCH_PREFIX) && !isZeroOid(newOid))
      .map(({ ref }) => ref.slice(BRANCH_PREFIX.length));
    if (branches.length > MAX_BRANCHES) {
      return warning(`Too many branches pushed (${branches.length}, limit is ${MAX_BRANCHES})`);
    }
    const project = await this.projects.findById(projectId, viewer.id);
    if (project === null) return [];
    const sender = {
      viewer,
      ip,
      userAgent,
      referrer: '',
      baseUrl: this.config.baseUrl,
      captchaResponse: null,
      spamLogId: null,
    };
    const lines: string[] = [];
    for (const branch of branches) {
      lines.push(...(await this.followFor({ project, sender, branch, options })));
    }
    return lines;
  }

  private async followFor(pushed: PushedBranch): Promise<string[]> {
    const { project, branch, options } = pushed;
    const lines: string[] = [];
    try {
      assertTakesMergeRequests(project);
      const { iid, address } = await this.requests.follow(pushed);
      lines.push('', `View merge request !${iid} for ${branch}:`, `  ${address}`, '');
      if (options.waitsForPipeline) await this.mergeLater(pushed, iid);
    } catch (error) {
      const isRefusal = error instanceof ApiError;
      if (!isRefusal) this.logger.error(error);
      const reason = isRefusal ? reasonOf(error) : 'Internal error';
      lines.push(...warning(`${branch}: ${reason}`));
    }
    return lines;
  }

  /** Expects a pipeline for the push, unless it was skipped or has already succeeded. */
  private async mergeLater({ project, sender }: PushedBranch, iid: number): Promise<void> {
    const request = { project, dto: {} };
    const change = { viewer: sender.viewer, iid, preconditions: NO_PRECONDITIONS };
    const waits = await this.autoMerges.enable(request, change, { isPipelineExpected: true });
    if (!waits) await this.merging.merge(request, change);
  }
}

function warning(text: string): string[] {
  return ['', `WARNING: Push options were not applied: ${text}`, ''];
}

function reasonOf({ body }: ApiError): string {
  const { message } = body;
  if (typeof message === 'string') return message;
  if (Array.isArray(message)) return message.join(', ');
  return Object.entries((message ?? {}) as Record<string, unknown>)
    .map(([name, problems]) => {
      // The spam check names no property.
      return name === 'error'
        ? String(problems)
        : `${name.replaceAll('_', ' ')} ${String(problems)}`;
    })
    .join(', ');
}
