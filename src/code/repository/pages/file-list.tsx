import type { ComponentChildren, VNode } from 'preact';
import type { TreeEntry } from '../../../git/reading/trees.js';
import type { CodeAddresses } from './addresses.js';
import { shortId } from './commit-item.js';
import { EntryIcon, kindOf } from './entry-icon.js';

interface FileListProps {
  entries: readonly TreeEntry[];
  gitRef: string;
  addresses: CodeAddresses;
  /** Content above the entries. */
  header?: ComponentChildren;
  /** Address of the folder above; null at the root. */
  above: string | null;
}

/** Entries of a folder, folders first. */
export function FileList({ entries, gitRef, addresses, header, above }: FileListProps): VNode {
  return (
    <section class="card" aria-label="Files">
      {header !== undefined && <header>{header}</header>}
      <ul class="divide-y text-sm">
        {above !== null && (
          <li>
            <a class="block px-4 py-2 hover:underline" href={above}>
              <span aria-hidden="true">..</span>
              <span class="sr-only">The folder above</span>
            </a>
          </li>
        )}
        {entries.map((entry) => (
          <li key={entry.path} class="hover:bg-muted flex items-center gap-2.5 px-4">
            <Entry entry={entry} gitRef={gitRef} addresses={addresses} />
          </li>
        ))}
      </ul>
    </section>
  );
}

type EntryProps = Pick<FileListProps, 'gitRef' | 'addresses'> & { entry: TreeEntry };

function Entry({ entry, gitRef, addresses }: EntryProps): VNode {
  const kind = kindOf(entry);
  if (kind === 'submodule') {
    return (
      <span class="flex min-w-0 items-center gap-2.5 py-2">
        <EntryIcon kind={kind} />
        <span class="min-w-0 break-all">
          {entry.name}
          <span class="text-muted-foreground font-mono">{` @ ${shortId(entry.id)}`}</span>
        </span>
      </span>
    );
  }
  const address = kind === 'folder' ? addresses.tree : addresses.blob;
  return (
    <a
      class="flex min-w-0 grow items-center gap-2.5 py-2 hover:underline"
      href={address(gitRef, entry.path)}
    >
      <EntryIcon kind={kind} />
      <span class="min-w-0 break-all">{entry.name}</span>
    </a>
  );
}
