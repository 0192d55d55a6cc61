import type { VNode } from 'preact';
import { counted, countText } from '../../../core/ui/amounts.js';
import { ButtonLink } from '../../../core/ui/components/button.js';
import { Card } from '../../../core/ui/components/content.js';
import type { CodeAddresses } from './addresses.js';
import { FolderView } from './folder-view.js';
import type { Folder } from './folder.js';
import { RefSwitcher } from './ref-switcher.js';

/** The overview shows no more; the rest stands on the page of the folder. */
const MAX_ENTRIES = 100;

interface RepositoryOverviewProps {
  folder: Folder;
  addresses: CodeAddresses;
}

/** The default branch of a repository at a glance. */
export function RepositoryOverview({ folder, addresses }: RepositoryOverviewProps): VNode {
  const { spot, entries, choices } = folder;
  const { branchCount, tagCount } = choices;
  const left = entries.length - MAX_ENTRIES;
  return (
    <>
      <div class="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <RefSwitcher
          action={addresses.switcher}
          choices={choices}
          current={spot.ref}
          destination="tree"
          path=""
        />
        <div class="flex flex-wrap gap-2">
          <ButtonLink href={addresses.branches} variant="ghost">
            {branchCount === 1 ? '1 branch' : `${branchCount} branches`}
          </ButtonLink>
          <ButtonLink href={addresses.tags} variant="ghost">
            {counted(tagCount, 'tag')}
          </ButtonLink>
          <ButtonLink href={addresses.commits(spot.ref)} variant="outline">
            History
          </ButtonLink>
        </div>
      </div>
      <FolderView
        folder={{ ...folder, entries: entries.slice(0, MAX_ENTRIES) }}
        addresses={addresses}
      >
        {left > 0 && (
          <p>
            <a href={addresses.tree(spot.ref)}>{`${countText(left)} more`}</a>
          </p>
        )}
      </FolderView>
    </>
  );
}

/** Stands in its place while it cannot be read. */
export function UnreadableRepository(): VNode {
  return (
    <Card title="Files">
      <p class="text-muted-foreground">
        The repository cannot be read at the moment. Try again in a while.
      </p>
    </Card>
  );
}
