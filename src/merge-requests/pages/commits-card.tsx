import type { VNode } from 'preact';
import type { Page } from '../../core/pagination/page.js';
import { countText } from '../../core/ui/amounts.js';
import { ButtonLink } from '../../core/ui/components/button.js';
import { Card } from '../../core/ui/components/content.js';
import type { CodeAddresses } from '../../code/pages/addresses.js';
import { CommitItem } from '../../code/pages/commit-item.js';
import type { CommitRecord } from '../../git/reading/commits.js';

interface CommitsCardProps {
  /** The newest ones; null when they cannot be read at the moment. */
  commits: Page<CommitRecord> | null;
  code: CodeAddresses;
  /** Address of a page with all of them. */
  all: string;
}

/** The newest commits of a merge request. */
export function CommitsCard({ commits, code, all }: CommitsCardProps): VNode {
  if (commits === null) {
    return (
      <Card title="Commits">
        <p class="text-muted-foreground">They cannot be read at the moment.</p>
      </Card>
    );
  }
  const { items, hasNext, total } = commits;
  const amount = total === null ? 'all' : `all ${countText(total)}`;
  const link = (
    <ButtonLink href={all} variant="outline" size="small">
      {`Show ${amount}`}
    </ButtonLink>
  );
  if (items.length === 0) {
    return (
      <Card title="Commits">
        <p class="text-muted-foreground">The source branch has none of its own.</p>
      </Card>
    );
  }
  return (
    <Card title="Commits" actions={hasNext ? link : undefined} flush>
      <ul class="divide-y" aria-label="Commits">
        {items.map((commit) => (
          <CommitItem key={commit.id} commit={commit} addresses={code} />
        ))}
      </ul>
    </Card>
  );
}
