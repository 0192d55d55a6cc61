import type { ComponentChildren, VNode } from 'preact';
import { Card } from '../../../core/ui/components/content.js';
import { EmptyState } from '../../../core/ui/components/content.js';
import { Time } from '../../../core/ui/components/time.js';
import type { CommitRecord } from '../../../git/reading/commits.js';
import type { CodeAddresses } from './addresses.js';
import { CommitId, CommitTitle } from './commit-item.js';
import { FileContent } from './file-content.js';
import { FileList } from './file-list.js';
import type { Folder } from './folder.js';

interface FolderViewProps {
  folder: Pick<Folder, 'spot' | 'entries' | 'commit' | 'readme'>;
  addresses: CodeAddresses;
  /** Content between the files and the README. */
  children?: ComponentChildren;
}

/** The entries of a folder and its README. */
export function FolderView({ folder, addresses, children }: FolderViewProps): VNode {
  const { spot, entries, commit, readme } = folder;
  const { ref, path } = spot;
  const above = path === '' ? null : addresses.tree(ref, path.split('/').slice(0, -1).join('/'));
  return (
    <>
      {entries.length === 0 ? (
        <EmptyState title="There are no files here" />
      ) : (
        <FileList
          entries={entries}
          gitRef={ref}
          addresses={addresses}
          above={above}
          header={<LastCommit commit={commit} addresses={addresses} />}
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

/** The newest commit in a line. */
export function LastCommit(props: { commit: CommitRecord; addresses: CodeAddresses }): VNode {
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
