import type { Viewer } from '../../core/access/viewer.js';
import { InvalidParamsError } from '../../core/errors.js';
import type { WantedCommit } from './commit-creation.service.js';
import type { CommitActionDto, CommitAuthorDto, CreateCommitDto } from './commit.dto.js';
import type { DeleteFileDto } from './file.dto.js';
import { decodeContent, type FileAction } from './file-actions.js';

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
