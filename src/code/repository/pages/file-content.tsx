import type { VNode } from 'preact';
import { CodeLines } from '../../../core/ui/components/code.js';
import { Markdown } from '../../../core/ui/components/markdown.js';
import type { RelativeLinks } from '../../../core/ui/markdown/markdown-links.js';
import { readBlobBounded, type TreeEntry } from '../../../git/reading/contents.js';
import type { OpenRepository } from '../../../git/reading/repository-reader.service.js';
import { safeContentType } from '../raw-files.service.js';
import type { CodeAddresses } from './code-frame.js';

/** Kind of a tree entry. */
type EntryKind = 'folder' | 'file' | 'link' | 'submodule';

const LINK_MODE = '120000';

export function kindOf({ type, mode }: Pick<TreeEntry, 'type' | 'mode'>): EntryKind {
  if (type === 'tree') return 'folder';
  if (type === 'commit') return 'submodule';
  return mode === LINK_MODE ? 'link' : 'file';
}

const NAMES: Record<EntryKind, string> = {
  folder: 'Folder',
  file: 'File',
  link: 'Symbolic link',
  submodule: 'Submodule',
};

const SHAPES: Record<EntryKind, string> = {
  folder: 'M1.5 4.5v8h13V5.5h-6.5L6.5 3.5h-5z',
  file: 'M3.5 1.5h6l3 3v10h-9zM9.5 1.5v3h3',
  link: 'M6.5 9.5l3-3M7 4.5l1.5-1.5a3 3 0 0 1 4.5 4.5L11.5 9M9 11.5l-1.5 1.5A3 3 0 0 1 3 8.5L4.5 7',
  submodule: 'M2 2h5v5H2zM9 9h5v5H9zM4.5 7v4.5H9',
};

/** Icon of an entry, with a text for screen readers. */
export function EntryIcon({ kind }: { kind: EntryKind }): VNode {
  const colour = kind === 'folder' ? 'text-primary fill-accent' : 'text-muted-foreground fill-none';
  return (
    <>
      <svg viewBox="0 0 16 16" class={`size-4 shrink-0 ${colour}`} aria-hidden="true">
        <path d={SHAPES[kind]} stroke="currentColor" stroke-linejoin="round" />
      </svg>
      <span class="sr-only">{`${NAMES[kind]}: `}</span>
    </>
  );
}

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

/** A link to a line is kept; other ids do not exist in texts that we render. */
const LINE = /^L\d{1,7}$/;

/**
 * Where the links of a text in a repository lead that name other files of it: beside the text, or
 * from the root when they begin with a slash. Nothing outside of the repository is meant.
 */
export function relativeLinks(
  addresses: CodeAddresses,
  { ref, path }: { ref: string; path: string },
): RelativeLinks {
  const folder = path.split('/').slice(0, -1);
  const addressOf = (link: string): string | null => {
    const [address = '', fragment = ''] = link.split('#');
    const file = decoded(address.replace(/\?.*/s, ''));
    if (file === null || file === '') return null;
    const names = resolved(file.startsWith('/') ? [] : folder, file);
    if (names === null) return null;
    if (names.length === 0) return addresses.tree(ref);
    return `${addresses.blob(ref, names.join('/'))}${LINE.test(fragment) ? `#${fragment}` : ''}`;
  };
  return { base: addresses.blob(ref, path), addressOf };
}

/** null when it leads out of the repository. */
function resolved(folder: readonly string[], file: string): string[] | null {
  const names = [...folder];
  for (const name of file.split('/')) {
    if (name === '' || name === '.') continue;
    if (name !== '..') names.push(name);
    else if (names.pop() === undefined) return null;
  }
  return names;
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

interface FileContentProps {
  file: ShownFile;
  gitRef: string;
  addresses: CodeAddresses;
  /** As it was written, whatever it is. */
  plain?: boolean;
}

/** The lines of longer files are shown from their beginning only: a page must not take seconds. */
const MAX_LINES = 5_000;

/**
 * Content of a file: text line by line, rendered Markdown, an image, or the reason why there is no
 * preview.
 */
export function FileContent({ file, gitRef, addresses, plain = false }: FileContentProps): VNode {
  const { kind, text, path, name } = file;
  const raw = addresses.raw(gitRef, path);
  if (kind === 'picture') {
    return (
      <div class="bg-muted rounded-b-xl p-4">
        <img class="mx-auto max-h-160 max-w-full" src={raw} alt={name} />
      </div>
    );
  }
  if (kind === 'none') {
    return <Remark text="Preview not available: the file is binary or too large." />;
  }
  if (text === '') return <Remark text="The file is empty." />;
  if (kind === 'link') return <Remark text={`This is a symbolic link to ${text}`} />;
  if (kind === 'text' || plain) return <Lines text={text} name={name} />;
  return (
    <section>
      <Markdown text={text} links={relativeLinks(addresses, { ref: gitRef, path })} />
    </section>
  );
}

function Remark({ text }: { text: string }): VNode {
  return <p class="text-muted-foreground p-4 break-words">{text}</p>;
}

function Lines({ text, name }: { text: string; name: string }): VNode {
  const lines = text.replace(/\n$/, '').split('\n', MAX_LINES + 1);
  const shown = lines.length > MAX_LINES ? lines.slice(0, MAX_LINES) : lines;
  return (
    <>
      <CodeLines text={shown.join('\n')} name={name} label={`Content of ${name}`} />
      {lines.length > MAX_LINES && (
        <Remark text={`Only the first ${MAX_LINES.toLocaleString('en')} lines are shown.`} />
      )}
    </>
  );
}
