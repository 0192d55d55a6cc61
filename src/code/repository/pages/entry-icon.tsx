import type { VNode } from 'preact';
import type { TreeEntry } from '../../../git/reading/trees.js';

/** Kind of a tree entry. */
export type EntryKind = 'folder' | 'file' | 'link' | 'submodule';

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
