import { given } from '../../core/ui/form-input.decorator.js';
import type { ShownFile } from './shown-files.service.js';

type Form = Record<string, unknown>;

/** One file as the form of a snippet has it. */
export interface FileValues {
  /** The path that it has; empty for a new file. */
  previousPath: string;
  path: string;
  /** null for one that cannot be edited as text. */
  content: string | null;
  isDeleted: boolean;
}

/** The fields of a snippet. */
export interface SnippetValues {
  title: string;
  description: string;
  visibility: string;
  files: FileValues[];
}

const NEW_FILE: FileValues = { previousPath: '', path: '', content: '', isDeleted: false };
const MAX_FILES = 10;

/** The fields as they were sent. Browsers send line breaks of text fields as CRLF (HTML standard). */
export function valuesOfForm(form: Form): SnippetValues {
  const { files } = form;
  const items = typeof files === 'object' && files !== null ? Object.values(files) : [];
  const hashes = items.filter((item): item is Form => typeof item === 'object' && item !== null);
  return {
    title: given(form, 'title'),
    description: given(form, 'description').replaceAll('\r\n', '\n'),
    visibility: given(form, 'visibility'),
    files: hashes.slice(0, MAX_FILES + 1).map(fileOf),
  };
}

function fileOf(file: Form): FileValues {
  return {
    previousPath: given(file, 'previous_path'),
    path: given(file, 'file_path').trim(),
    content: typeof file['content'] === 'string' ? file['content'].replaceAll('\r\n', '\n') : null,
    isDeleted: given(file, 'delete') === 'true',
  };
}

/** The given files and room for a new one, as far as a snippet may have more. */
export function withRoom(files: FileValues[]): FileValues[] {
  const hasRoom = files.length < MAX_FILES && files.at(-1)?.path !== '';
  return hasRoom ? [...files, NEW_FILE] : files;
}

/** Fields for the files that a snippet has. */
export function filesToEdit(files: ShownFile[]): FileValues[] {
  return files.map(({ path, text }) => ({
    previousPath: path,
    path,
    content: text === null ? null : text.replaceAll('\r\n', '\n'),
    isDeleted: false,
  }));
}

/** Parameters `files` of a new snippet: what was left blank altogether is no file. */
export function newFiles(files: FileValues[]): object[] {
  return files.filter(isFilled).map(({ path, content }) => ({ file_path: path, content }));
}

/** Parameters `files` of a change: one action for each file that is not as it was. */
export function fileActions(files: FileValues[], present: FileValues[]): object[] {
  const contents = new Map(present.map(({ path, content }) => [path, content]));
  return files
    .map((file) => actionOf(file, contents.get(file.previousPath) ?? null))
    .filter((action) => action !== null);
}

function actionOf(file: FileValues, known: string | null): object | null {
  const { previousPath, path, content } = file;
  if (previousPath === '') {
    return isFilled(file) ? { action: 'create', file_path: path, content } : null;
  }
  if (file.isDeleted) return { action: 'delete', file_path: previousPath };
  const changed = content !== null && content !== known ? { content } : null;
  if (path !== previousPath) {
    return { action: 'move', previous_path: previousPath, file_path: path, ...changed };
  }
  return changed === null ? null : { action: 'update', file_path: path, ...changed };
}

function isFilled({ path, content }: FileValues): boolean {
  return path !== '' || Boolean(content);
}
