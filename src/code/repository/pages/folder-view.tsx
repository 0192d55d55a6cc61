import type { ComponentChildren, VNode } from 'preact';
import { NotFoundError } from '../../../core/errors.js';
import { Card, EmptyState } from '../../../core/ui/components/content.js';
import { Time } from '../../../core/ui/components/time.js';
import { type CommitRecord, readCommits } from '../../../git/reading/commits.js';
import { listTree, type TreeEntry } from '../../../git/reading/contents.js';
import { lastCommits } from '../../../git/reading/last-commits.js';
import type { OpenRepository } from '../../../git/reading/repository-reader.service.js';
import type { Spot } from '../project-repository.service.js';
import type { CodeAddresses } from './code-frame.js';
import { CommitId, CommitTitle, shortId, titleOf } from './commits.page.js';
import {
  EntryIcon,
  FileContent,
  kindOf,
  readmeOf,
  readShownFile,
  type ShownFile,
} from './file-content.js';
import { refChoices, type RefChoices } from './ref-switcher.js';

/** A folder of a repository as a page shows it. */
export interface Folder {
  spot: Spot;
  entries: TreeEntry[];
  /** The shown part of `entries`. */
  shown: TreeEntry[];
  /** The newest commit that changed the folder; null if that was too long ago. */
  commit: CommitRecord | null;
  /** The newest commits that changed the shown entries, by name, as far as they are known. */
  commits: ReadonlyMap<string, CommitRecord>;
  readme: ShownFile | null;
  choices: RefChoices;
}

/**
 * Reads what stands at a spot, of which a page shows the entries from `start` to `end`; null when that
 * is no folder; 404 when the revision is gone.
 */
export async function readFolder(
  repository: OpenRepository,
  spot: Spot,
  { start, end }: { start: number; end: number },
): Promise<Folder | null> {
  const entries = await listTree(repository, spot.oid, { path: spot.path });
  if (entries === null) return null;
  const shown = entries.slice(start, end);
  const readmeEntry = readmeOf(entries);
  const choices = await refChoices(repository);
  const readme = readmeEntry === null ? null : await readShownFile(repository, readmeEntry);
  const last = await lastCommits(repository, { ...spot, entries });
  const ids = shown.flatMap(({ name }): [string, string][] => {
    const id = last.ofEntries.get(name);
    return id === undefined ? [] : [[name, id]];
  });
  const newest = spot.path === '' ? spot.oid : last.ofFolder;
  const found = await readCommits(repository, [spot.oid, newest ?? '', ...ids.map(([, id]) => id)]);
  if (!found.has(spot.oid)) throw new NotFoundError();
  const commits = ids.flatMap(([name, id]): [string, CommitRecord][] => {
    const commit = found.get(id);
    return commit === undefined ? [] : [[name, commit]];
  });
  const commit = found.get(newest ?? '') ?? null;
  return { spot, entries, shown, commit, commits: new Map(commits), readme, choices };
}

interface FileListProps extends Pick<Folder, 'commits' | 'shown'> {
  gitRef: string;
  addresses: CodeAddresses;
  /** Content above the entries. */
  header: VNode | null;
  /** Address of the folder above; null at the root. */
  above: string | null;
}

/** Entries of a folder, folders first. */
function FileList(props: FileListProps): VNode {
  const { shown, commits, gitRef, addresses, header, above } = props;
  return (
    <section class="card" aria-label="Files">
      {header !== null && <header>{header}</header>}
      <ul class="divide-y text-sm">
        {above !== null && (
          <li class="tree-entry">
            <a class="flex items-center gap-2.5 py-2 hover:underline" href={above}>
              <EntryIcon kind="folder" />
              <span aria-hidden="true">..</span>
              <span class="sr-only">Parent directory</span>
            </a>
          </li>
        )}
        {shown.map((entry) => (
          <li key={entry.path} class="tree-entry">
            <Entry entry={entry} gitRef={gitRef} addresses={addresses} />
            <LastChange commit={commits.get(entry.name)} addresses={addresses} />
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
      class="flex min-w-0 items-center gap-2.5 py-2 hover:underline"
      href={address(gitRef, entry.path)}
    >
      <EntryIcon kind={kind} />
      <span class="min-w-0 break-all">{entry.name}</span>
    </a>
  );
}

interface LastChangeProps {
  /** undefined if it was changed too long ago. */
  commit: CommitRecord | undefined;
  addresses: CodeAddresses;
}

/** The newest commit that changed an entry. */
function LastChange({ commit, addresses }: LastChangeProps): VNode | null {
  if (commit === undefined) return null;
  return (
    <>
      <a class="tree-commit" href={addresses.commit(commit.id)}>
        {titleOf(commit)}
      </a>
      <Time value={commit.committedDate} />
    </>
  );
}

interface FolderViewProps {
  folder: Pick<Folder, 'spot' | 'shown' | 'commit' | 'commits' | 'readme'>;
  addresses: CodeAddresses;
  /** Content between the files and the README. */
  children?: ComponentChildren;
}

/** The entries of a folder and its README. */
export function FolderView({ folder, addresses, children }: FolderViewProps): VNode {
  const { spot, shown, commit, commits, readme } = folder;
  const { ref, path } = spot;
  const above = path === '' ? null : addresses.tree(ref, path.split('/').slice(0, -1).join('/'));
  return (
    <>
      {shown.length === 0 ? (
        <EmptyState title="There are no files here" />
      ) : (
        <FileList
          shown={shown}
          commits={commits}
          gitRef={ref}
          addresses={addresses}
          above={above}
          header={commit && <LastCommit commit={commit} addresses={addresses} />}
        />
      )}
      {children}
      {readme !== null && (
        <Card title={readme.name} flush>
          <FileContent file={readme} gitRef={ref} addresses={addresses} />
        </Card>
      )}
    </>
  );
}

/** The newest commit of a folder in a line. */
function LastCommit(props: { commit: CommitRecord; addresses: CodeAddresses }): VNode {
  const { commit, addresses } = props;
  return (
    <div class="flex min-w-0 grow flex-wrap items-center justify-between gap-x-4 gap-y-1 text-sm">
      <span class="min-w-0 break-words">
        <span class="text-muted-foreground">{`${commit.authorName}: `}</span>
        <CommitTitle commit={commit} addresses={addresses} />
      </span>
      <span class="text-muted-foreground flex flex-wrap items-center gap-x-3">
        <CommitId id={commit.id} addresses={addresses} />
        <Time value={commit.committedDate} />
      </span>
    </div>
  );
}
