import { ApiError, InvalidParamsError, ValidationFailedError } from '../../core/errors.js';
import { assertSomethingGiven } from '../../core/params/input.decorator.js';
import type { FileChange } from '../../git/git-commit.js';
import type { CreateSnippetDto, FileActionDto, UpdateSnippetDto } from './snippet.dto.js';

const MAX_FILES = 10;

/**
 * The files of a new snippet. Throws 400 unless exactly one of `files` and `content` (which needs
 * `file_name`) is given, and for a set of files that one tree cannot hold.
 */
export function initialFiles(dto: CreateSnippetDto): FileChange[] {
  const { files, content, file_name: fileName } = dto;
  if (!files && !content) {
    throw new InvalidParamsError([
      'files, content are missing, exactly one parameter must be provided',
    ]);
  }
  if (files && content) throw new InvalidParamsError(['files, content are mutually exclusive']);
  if (!files) {
    if (!fileName) throw new InvalidParamsError(['file_name is missing']);
    return [{ path: fileName, content: content ?? '' }];
  }
  if (files.length === 0) throw new InvalidParamsError(['files is empty']);
  assertTree(files.map((file) => file.file_path));
  return files.map((file) => ({ path: file.file_path, content: file.content }));
}

/** Returns true if the update needs a commit. */
export function touchesFiles(dto: UpdateSnippetDto): boolean {
  return Boolean(dto.files) || Boolean(dto.content) || Boolean(dto.file_name);
}

/** 400 for a PUT without any parameter, or with both ways to name files. */
export function assertUsableUpdate(dto: UpdateSnippetDto): void {
  const names = ['content', 'description', 'files', 'file_name', 'title', 'visibility'] as const;
  assertSomethingGiven(dto, names);
  if (!dto.files) return;
  if (dto.files.length === 0) throw new InvalidParamsError(['files is empty']);
  const problems = [];
  if (dto.content) problems.push('files, content are mutually exclusive');
  if (dto.file_name) problems.push('files, file_name are mutually exclusive');
  problems.push(...dto.files.flatMap(missingKeys));
  if (problems.length > 0) throw new InvalidParamsError(problems);
}

/**
 * Returns the file changes of an update. Throws 400 when it names a missing file, would overwrite
 * one, or leaves a tree that a snippet must not have.
 */
export function plannedChanges(dto: UpdateSnippetDto, present: readonly string[]): FileChange[] {
  if (!dto.files) return [singleFileChange(dto, present)];
  const paths = new Set(present);
  const changes = dto.files.map((file) => planAction(file, paths));
  assertTree([...paths]);
  return changes;
}

function missingKeys({ action, file_path, previous_path, content }: FileActionDto): string[] {
  const problems = [];
  if (!file_path) problems.push('files[file_path] is missing');
  if (action === 'move' && !previous_path) problems.push('files[previous_path] is missing');
  const needsContent = action === 'create' || action === 'update';
  if (needsContent && !content) problems.push('files[content] is missing');
  return problems;
}

/** Applies one action to the set of paths and answers what git is to do. */
function planAction(file: FileActionDto, paths: Set<string>): FileChange {
  const { action, content } = file;
  const path = file.file_path ?? '';
  if (action === 'delete') {
    takeAway(paths, path);
    return { path, content: null };
  }
  if (action === 'update') {
    takeAway(paths, path);
    paths.add(path);
    return { path, content: content ?? '' };
  }
  if (action === 'create') {
    addNew(paths, path);
    return { path, content: content ?? '' };
  }
  const previousPath = file.previous_path ?? '';
  takeAway(paths, previousPath);
  addNew(paths, path);
  return { path, previousPath, ...(content && { content }) };
}

function singleFileChange(dto: UpdateSnippetDto, present: readonly string[]): FileChange {
  if (present.length > 1) {
    throw new ApiError(400, {
      message: {
        error: 'To update Snippets with multiple files, you must use the `files` parameter',
      },
    });
  }
  const [previousPath] = present;
  const path = dto.file_name ?? previousPath;
  if (path === undefined) throw new InvalidParamsError(['file_name is missing']);
  const isRename = previousPath !== undefined && previousPath !== path;
  if (!isRename && !dto.content && previousPath === undefined) {
    throw new InvalidParamsError(['content is missing']);
  }
  return { path, ...(isRename && { previousPath }), ...(dto.content && { content: dto.content }) };
}

function takeAway(paths: Set<string>, path: string): void {
  if (!paths.delete(path)) refuse(`have no file ${path}`);
}

function addNew(paths: Set<string>, path: string): void {
  if (paths.has(path)) refuse(`already have a file ${path}`);
  paths.add(path);
}

/**
 * Refuses trees that git or a checkout cannot hold: no file, a path twice, a file that is also a
 * folder.
 */
function assertTree(paths: readonly string[]): void {
  if (paths.length === 0) refuse('must have at least one file');
  if (paths.length > MAX_FILES) refuse(`can have at most ${MAX_FILES} files`);
  const known = new Set(paths);
  if (known.size < paths.length) refuse('have the same path more than once');
  for (const path of paths) {
    for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1)) {
      const parent = path.slice(0, end);
      if (known.has(parent)) refuse(`have ${parent} both as file and as folder`);
    }
  }
}

function refuse(message: string): never {
  throw new ValidationFailedError({ files: [message] });
}
