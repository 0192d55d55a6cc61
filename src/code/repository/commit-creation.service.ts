import { Injectable } from '@nestjs/common';
import type { Viewer } from '../../core/access/auth-context.js';
import { Clock } from '../../core/clock.js';
import { ApiError, InvalidParamsError } from '../../core/errors.js';
import { commitToBranch } from '../../git/git-commit.js';
import type { RefCommand } from '../../git/reference-updates.js';
import type { ObjectReader } from '../../git/object-reader.js';
import { BRANCH_PREFIX, isObjectId, isValidBranchName } from '../../git/reference-name.js';
import type { CommitActionDto, CommitAuthorDto, CreateCommitDto } from './commit.dto.js';
import { applyActions, decodeContent, type FileAction } from './file-actions.js';
import type { DeleteFileDto } from './file.dto.js';
import {
  type CodeChange,
  type OpenChange,
  ProjectRepositoryWriter,
} from './project-repository-writer.service.js';

/** Commit to create. */
export interface WantedCommit {
  branch: string;
  message: string;
  /** Author of the commit; the committer is the viewer. */
  author: { name: string; email: string };
  actions: readonly FileAction[];
  /** Where a new branch begins; at most one of these. */
  startBranch?: string;
  startSha?: string;
  /** Resets an existing branch to the start. */
  force?: boolean;
}

/** Commits to projects. */
@Injectable()
export class CommitCreation {
  constructor(
    private readonly writer: ProjectRepositoryWriter,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates a commit, which can be the first one of its branch or repository; returns its ID.
   * Throws 400 with the messages of v4, 403 for a branch that the user cannot push to, and as
   * `ProjectRepositoryWriter.write`.
   */
  async create(change: CodeChange, wanted: WantedCommit): Promise<string> {
    if (!isValidBranchName(wanted.branch)) throw refusal('Branch name is invalid');
    let oid = '';
    await this.writer.write(change, async (open) => {
      const command = await this.commit(open, change, wanted);
      oid = command.newOid;
      return [command];
    });
    return oid;
  }

  private async commit(
    open: OpenChange,
    { viewer }: CodeChange,
    wanted: WantedCommit,
  ): Promise<RefCommand> {
    const { branch, message, author, actions } = wanted;
    open.assertMayPushTo(branch);
    const date = this.clock.now();
    const made = await commitToBranch(open.path, {
      branch,
      message,
      author: { ...author, date },
      committer: { name: viewer.name, email: viewer.email, date },
      startFrom: (tip, reader) => startOf(open, wanted, { tip, reader }),
      edit: (draft) => applyActions(draft, actions),
      confirm: (command) => open.confirm([command]),
    });
    return made.command;
  }
}

/** The commit to go on from; null = the first one of an empty repository. */
async function startOf(
  open: OpenChange,
  { branch, startBranch = branch, startSha, force = false }: WantedCommit,
  { tip, reader }: { tip: string | null; reader: ObjectReader },
): Promise<string | null> {
  const isElsewhere = startSha !== undefined || startBranch !== branch;
  if (!isElsewhere && tip !== null) return tip;
  if (isElsewhere && tip !== null && !force) {
    throw refusal(
      `A branch called '${branch}' already exists. Switch to that branch in order to make changes`,
    );
  }
  if (tip === null && (await open.hasNoBranches())) return null;
  return startSha === undefined ? tipOf(reader, startBranch) : commitAt(reader, startSha);
}

async function tipOf(reader: ObjectReader, branch: string): Promise<string> {
  const found = isValidBranchName(branch) ? await reader.read(BRANCH_PREFIX + branch) : null;
  if (found === null) throw refusal('You can only create or edit files when you are on a branch');
  return found.oid;
}

async function commitAt(reader: ObjectReader, sha: string): Promise<string> {
  if (!isObjectId(sha)) throw refusal(`Invalid start_sha '${sha}'`);
  const found = await reader.read(`${sha}^{commit}`);
  if (found === null) throw refusal(`Cannot find start_sha '${sha}'`);
  return found.oid;
}

function refusal(message: string): ApiError {
  return new ApiError(400, { message });
}

/** The commit of a POST of commits; 400 for parameters that do not fit each other. */
export function wantedCommit(dto: CreateCommitDto, viewer: Viewer): WantedCommit {
  const problems = dto.actions.flatMap(missingKeys);
  if (dto.actions.length === 0) problems.push('actions is empty');
  if (dto.start_branch && dto.start_sha) {
    problems.push('start_branch, start_sha are mutually exclusive');
  }
  if (problems.length > 0) throw new InvalidParamsError([...new Set(problems)]);
  return {
    ...commitOf(dto, viewer),
    ...(dto.start_sha && { startSha: dto.start_sha.toLowerCase() }),
    force: dto.force ?? false,
    actions: dto.actions.map(toFileAction),
  };
}

/** The commit that does one thing with one file. */
export function singleFileCommit(
  dto: DeleteFileDto,
  viewer: Viewer,
  action: FileAction,
): WantedCommit {
  const lastCommitId = toCommitId(dto.last_commit_id);
  return { ...commitOf(dto, viewer), actions: [{ ...action, lastCommitId }] };
}

function commitOf(
  dto: CommitAuthorDto & Pick<CreateCommitDto, 'branch' | 'commit_message' | 'start_branch'>,
  viewer: Viewer,
): Omit<WantedCommit, 'actions'> {
  const { branch, commit_message: message, start_branch: startBranch } = dto;
  const author = {
    name: dto.author_name || viewer.name,
    email: dto.author_email || viewer.email,
  };
  return { branch, message, author, ...(startBranch && { startBranch }) };
}

function missingKeys(dto: CommitActionDto): string[] {
  const { action, previous_path, content, execute_filemode } = dto;
  const problems = [];
  if (action === 'move' && !previous_path) problems.push('actions[previous_path] is missing');
  if (action === 'update' && typeof content !== 'string') {
    problems.push('actions[content] is missing');
  }
  if (action === 'chmod' && typeof execute_filemode !== 'boolean') {
    problems.push('actions[execute_filemode] is missing');
  }
  return problems;
}

function toFileAction(dto: CommitActionDto): FileAction {
  const { action: kind, file_path: path } = dto;
  const takesContent = kind === 'create' || kind === 'update' || kind === 'move';
  const given = takesContent ? dto.content : null;
  return {
    kind,
    path,
    ...(kind === 'move' && dto.previous_path && { previousPath: dto.previous_path }),
    content:
      typeof given === 'string' ? decodeContent(given, dto.encoding, 'actions[content]') : null,
    isProgram: kind === 'delete' ? null : (dto.execute_filemode ?? null),
    lastCommitId: toCommitId(dto.last_commit_id),
  };
}

/** An empty one is none, as forms send it. */
function toCommitId(id: string | null | undefined): string | undefined {
  return id ? id.toLowerCase() : undefined;
}
