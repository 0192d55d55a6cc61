import { readBlobBounded } from '../../../git/reading/blobs.js';
import type { OpenRepository } from '../../../git/reading/repository-reader.service.js';
import type { TreeEntry } from '../../../git/reading/trees.js';
import { safeContentType } from '../content-type.js';
import { kindOf } from './entry-icon.js';

/** A file as a page shows it. */
export interface ShownFile {
  path: string;
  name: string;
  size: number;
  /** `none` = it is no text, or too long: to be saved only. */
  kind: 'text' | 'markdown' | 'link' | 'picture' | 'none';
  /** Of a link what it names; '' where there is none to be shown. */
  text: string;
}

const MAX_BYTES = 1024 * 1024;
const README = /^readme(?:\.(?:md|markdown|mdown|txt|rst|adoc|org))?$/i;
const MARKDOWN = /\.(?:md|markdown|mdown|mkdn?)$/i;

/** Reads a file for a page; null when its blob is gone. */
export async function readShownFile(
  repository: OpenRepository,
  entry: TreeEntry,
): Promise<ShownFile | null> {
  const { id, path, name } = entry;
  const blob = await readBlobBounded(repository, id, MAX_BYTES);
  if (blob === null) return null;
  const { size, content } = blob;
  const kind = kindOf(entry) === 'link' ? 'link' : contentKind(name, blob);
  const isText = kind !== 'picture' && kind !== 'none';
  return { path, name, size, kind, text: isText ? content.toString('utf8') : '' };
}

/** Returns the README of a folder: Markdown before other texts; null when there is none. */
export function readmeOf(entries: readonly TreeEntry[]): TreeEntry | null {
  const readmes = entries.filter((entry) => kindOf(entry) === 'file' && README.test(entry.name));
  return readmes.find(({ name }) => MARKDOWN.test(name)) ?? readmes[0] ?? null;
}

function contentKind(
  name: string,
  { content, isWhole }: { content: Buffer; isWhole: boolean },
): ShownFile['kind'] {
  if (safeContentType(content).startsWith('image/')) return 'picture';
  if (!isWhole || content.includes(0)) return 'none';
  return MARKDOWN.test(name) ? 'markdown' : 'text';
}
