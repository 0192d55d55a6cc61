import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Viewer } from '../../core/access/auth-context.js';
import {
  ApiError,
  NotFoundError,
  ValidationFailedError,
  type ValidationMessages,
} from '../../core/errors.js';
import { readCommit } from '../../git/reading/commits.js';
import { referencesContaining } from '../../git/reading/references.js';
import type { OpenRepository } from '../../git/reading/repository-reader.service.js';
import { BRANCH_PREFIX, TAG_PREFIX } from '../../git/reference-name.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { CodeRepository } from '../repository/code.repository.js';
import type { CommitState } from '../repository/commit-states.js';
import {
  orNotFound,
  ProjectRepository,
  revisionOf,
} from '../repository/project-repository.service.js';
import type { ReportCommitStatusDto } from './commit-status.dto.js';
import { CommitStatusesRepository, type CurrentStatus } from './commit-statuses.repository.js';
import { type OpenPipeline, PipelinesRepository } from './pipelines.repository.js';
import { PipelinesService } from './pipelines.service.js';

/** States of an open status; `created` is the state of a new one. */
type OpenState = 'created' | 'pending' | 'running';

/** From what a report of each state can follow, and what v4 calls the step. */
const STEPS: Record<CommitState, { event: string; from: readonly OpenState[] }> = {
  pending: { event: 'enqueue', from: ['created'] },
  running: { event: 'run', from: ['created', 'pending'] },
  success: { event: 'success', from: ['created', 'pending', 'running'] },
  failed: { event: 'drop', from: ['created', 'pending', 'running'] },
  canceled: { event: 'cancel', from: ['created', 'pending', 'running'] },
  skipped: { event: 'skip', from: ['created', 'pending'] },
};

/** Returns true for final states: the next report under the name creates a new status. */
function isFinished(state: CommitState): boolean {
  return state !== 'pending' && state !== 'running';
}

/**
 * Returns the problem with a report for a status in `from`, or null. The words are those of v4, by
 * which reporters recognize a state that is recorded already.
 */
export function changeProblem(from: OpenState, to: CommitState): string | null {
  const { event, from: allowed } = STEPS[to];
  if (allowed.includes(from)) return null;
  return `Cannot transition status via :${event} from :${from} (Reason(s): Status cannot transition via "${event}")`;
}

const MAX_LENGTH = 255;
const TOO_LONG = `is too long (maximum is ${MAX_LENGTH} characters)`;
const DEFAULT_NAME = 'default';

/** The commit of a report, and its ref. */
interface ReportedCommit {
  projectId: number;
  sha: string;
  /** Short name of the branch or tag that the report names; null for none. */
  ref: string | null;
  /** Default branch of reports without a pipeline; empty when no branch has the commit. */
  fallbackRef: string;
}

/** A report about the commit that `sha` names. */
interface CommitReport {
  sha: string;
  dto: ReportCommitStatusDto;
  viewer: Viewer;
}

/** A report with valid attributes, and its user. */
interface StatusReport {
  dto: ReportCommitStatusDto;
  name: string;
  userId: number;
}

/** Records reports of external CI; the caller checks the ability of the viewer. */
@Injectable()
export class CommitStatusesService {
  constructor(
    private readonly repositories: ProjectRepository,
    private readonly commitPipelines: CodeRepository,
    private readonly pipelines: PipelinesRepository,
    private readonly settling: PipelinesService,
    private readonly statuses: CommitStatusesRepository,
    private readonly dataSource: DataSource,
  ) {}

  /**
   * Returns the id of the status. Throws NotFoundError for the commit or pipeline, 400 for invalid
   * attributes and for a state that cannot follow.
   */
  async report(project: ProjectRow, { sha, dto, viewer }: CommitReport): Promise<number> {
    const report = checkedReport(dto, viewer.id);
    const commit = await this.resolve(project, sha, dto.ref ?? null);
    return this.dataSource.transaction(async (tx) => {
      await this.pipelines.lockCommit(tx, project.id, commit.sha);
      const pipeline = await this.pipelineOf(tx, commit, report);
      const id = await this.write(tx, pipeline.id, report);
      await this.settling.settle(tx, pipeline);
      return id;
    });
  }

  private async pipelineOf(
    tx: EntityManager,
    { projectId, sha, ref, fallbackRef }: ReportedCommit,
    { dto: { pipeline_id: wantedId }, userId }: StatusReport,
  ): Promise<OpenPipeline> {
    const id = wantedId ?? null;
    const found = await this.pipelines.findOpen(tx, { projectId, sha, ref, id });
    if (found !== null) return found;
    if (id !== null) throw new NotFoundError('Pipeline');
    return this.pipelines.add(tx, { projectId, sha, ref: ref ?? fallbackRef }, userId);
  }

  /**
   * Writes a report into a pipeline whose commit is locked: an unfinished status of the name is
   * changed, a finished one is replaced. Returns the id of the status; throws 400 for a state that
   * cannot follow.
   */
  private async write(
    tx: EntityManager,
    pipelineId: number,
    { dto, name, userId }: StatusReport,
  ): Promise<number> {
    const current = await this.statuses.findCurrent(tx, pipelineId, name);
    const open = current !== null && !isFinished(current.state) ? current : null;
    const problem = changeProblem(openStateOf(open), dto.state);
    if (problem !== null) throw new ApiError(400, { message: problem });
    if (open === null) return this.statuses.add(tx, { pipelineId, name, userId, current }, dto);
    await this.statuses.change(tx, open.id, dto);
    return open.id;
  }

  /** Finds a commit by ID, short ID, branch or tag. Throws 404 `Commit`. */
  private resolve(project: ProjectRow, name: string, ref: string | null): Promise<ReportedCommit> {
    const { id: projectId } = project;
    return this.repositories.read(project, async (repository) => {
      const { oid } = await revisionOf(repository, name, 'Commit');
      const { id: sha } = orNotFound(await readCommit(repository, oid), 'Commit');
      if (ref) return { projectId, sha, ref: shortName(ref), fallbackRef: '' };
      const isKnown = (await this.commitPipelines.findLastPipeline(projectId, sha)) !== null;
      const fallbackRef = isKnown ? '' : await branchWith(repository, sha, project.defaultBranch);
      return { projectId, sha, ref: null, fallbackRef };
    });
  }
}

/** Throws ValidationFailedError with messages per attribute. */
function checkedReport(dto: ReportCommitStatusDto, userId: number): StatusReport {
  const messages: ValidationMessages = {
    ...(dto.target_url && messagesOf('target_url', urlProblem(dto.target_url))),
    ...(dto.description && messagesOf('description', lengthProblem(dto.description))),
  };
  if (Object.keys(messages).length > 0) throw new ValidationFailedError(messages);
  return { dto, name: dto.name || dto.context || DEFAULT_NAME, userId };
}

function messagesOf(attribute: string, problem: string | null): ValidationMessages {
  return problem === null ? {} : { [attribute]: [problem] };
}

function lengthProblem(text: string): string | null {
  return [...text].length > MAX_LENGTH ? TOO_LONG : null;
}

/** Pages link to it, so only web addresses are allowed. */
function urlProblem(url: string): string | null {
  const isWeb = /^https?:\/\/[^\s\p{Cc}]+$/iu.test(url) && URL.canParse(url);
  if (!isWeb) return 'is blocked: Only allowed schemes are http, https';
  return lengthProblem(url);
}

function openStateOf(open: CurrentStatus | null): 'created' | 'pending' | 'running' {
  if (open === null) return 'created';
  return open.state === 'running' ? 'running' : 'pending';
}

function shortName(ref: string): string {
  const prefix = [BRANCH_PREFIX, TAG_PREFIX].find((one) => ref.startsWith(one));
  return prefix === undefined ? ref : ref.slice(prefix.length);
}

/** The default branch when it has the commit, else the first by name. */
async function branchWith(
  repository: OpenRepository,
  sha: string,
  defaultBranch: string | null,
): Promise<string> {
  const names = await referencesContaining(repository, BRANCH_PREFIX, sha);
  return names.find((name) => name === defaultBranch) ?? names[0] ?? '';
}
