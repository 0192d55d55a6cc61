import { ApiError, InvalidParamsError } from '../../core/errors.js';
import { type CommitDraft, FILE_MODE, treeOf } from '../../git/git-commit.js';
import type { ObjectReader } from '../../git/object-reader.js';
import { isObjectId } from '../../git/reference-name.js';
import { isFile, TreeClashError, TreeEdit, type TreeItem } from '../../git/tree-edit.js';
import type { CommitAction } from './commit.dto.js';

const PROGRAM_MODE = '100755';

/** Action of a commit on one file, with validated parameters. */
export interface FileAction {
  kind: CommitAction;
  path: string;
  previousPath?: string;
  /** null = as it is; nothing in a new file. */
  content: Buffer | null;
  /** null = as it is. */
  isProgram: boolean | null;
  /** Refuses the action when the file has changed since that commit. */
  lastCommitId?: string;
}

/** 400 for a file that is not what it was when its editor looked last. */
export class StaleFileError extends ApiError {
  constructor(path: string) {
    super(400, { message: `The file has changed since you started editing it: ${path}` });
  }
}

/**
 * Does what is wanted in the order given. Throws 400 in the words of v4 for files that are in the
 * way, not there, or changed since.
 */
export async function applyActions(
  draft: CommitDraft,
  actions: readonly FileAction[],
): Promise<void> {
  // Before any change: what the commit itself does is no change of others.
  const history = new Map<string, TreeEdit | null>();
  for (const action of actions) await assertUnchanged(draft, action, history);
  for (const action of actions) await applyAction(draft, action);
}

async function applyAction({ tree, writer }: CommitDraft, action: FileAction): Promise<void> {
  const { kind, path, previousPath = path } = action;
  const isNew = kind === 'create';
  const old = isNew ? null : await existing(tree, previousPath);
  if (kind === 'delete') return tree.remove(path);
  if (isNew || previousPath !== path) await assertFree(tree, path);
  if (previousPath !== path) await tree.remove(previousPath);
  const content = action.content ?? (isNew ? Buffer.alloc(0) : null);
  const oid = content === null ? (old?.oid ?? '') : writer.add('blob', content);
  await put(tree, path, { oid, mode: modeOf(action, old) });
}

function modeOf({ isProgram, content }: FileAction, old: TreeItem | null): string {
  if (isProgram !== null) return isProgram ? PROGRAM_MODE : FILE_MODE;
  // New content turns a link into a file: commits never write through links.
  if (old === null || (content !== null && old.mode === '120000')) return FILE_MODE;
  return old.mode;
}

async function existing(tree: TreeEdit, path: string): Promise<TreeItem> {
  const item = await tree.find(path);
  if (item === null || !isFile(item)) throw refusal("A file with this name doesn't exist");
  return item;
}

async function assertFree(tree: TreeEdit, path: string): Promise<void> {
  const item = await tree.find(path);
  if (item === null) return;
  const what = item.mode === '40000' ? 'directory' : 'file';
  throw refusal(`A ${what} with this name already exists`);
}

async function put(tree: TreeEdit, path: string, item: TreeItem): Promise<void> {
  try {
    await tree.put(path, item);
  } catch (error) {
    if (!(error instanceof TreeClashError)) throw error;
    const what = error.obstacle === 'folder' ? 'directory' : 'file';
    throw refusal(`A ${what} with this name already exists`);
  }
}

async function assertUnchanged(
  { tree, reader }: CommitDraft,
  { kind, path, previousPath = path, lastCommitId }: FileAction,
  history: Map<string, TreeEdit | null>,
): Promise<void> {
  if (lastCommitId === undefined || kind === 'create') return;
  const before = history.get(lastCommitId) ?? (await treeAt(reader, lastCommitId));
  history.set(lastCommitId, before);
  const then = before === null ? null : await before.find(previousPath);
  const now = await tree.find(previousPath);
  const isSame = then?.oid === now?.oid && then?.mode === now?.mode;
  if (before === null || !isSame) throw new StaleFileError(previousPath);
}

async function treeAt(reader: ObjectReader, commitId: string): Promise<TreeEdit | null> {
  if (!isObjectId(commitId)) return null;
  const commit = await reader.read(`${commitId}^{commit}`);
  return commit === null ? null : new TreeEdit(reader, treeOf(commit));
}

function refusal(message: string): ApiError {
  return new ApiError(400, { message });
}

/** Content as bytes; 400 for what is no Base64. `name` is that of the parameter. */
export function decodeContent(
  content: string,
  encoding: string | null | undefined,
  name: string,
): Buffer {
  if (encoding !== 'base64') return Buffer.from(content);
  const digits = content.replace(/\s+/g, '');
  const isBase64 = /^[A-Za-z0-9+/]*={0,2}$/.test(digits);
  if (!isBase64 || digits.replaceAll('=', '').length % 4 === 1) {
    throw new InvalidParamsError([`${name} is invalid`]);
  }
  return Buffer.from(digits, 'base64');
}
