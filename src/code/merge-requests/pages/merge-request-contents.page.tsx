import type { VNode } from 'preact';
import type { Page } from '../../../core/pagination/page.js';
import { ItemList, Pagination } from '../../../core/ui/components/list.js';
import type { CodeAddresses } from '../../repository/pages/code-frame.js';
import { CommitItem, CommitList } from '../../repository/pages/commits.page.js';
import { DiffView } from '../../repository/pages/diff-view.js';
import { countText } from '../../../core/ui/amounts.js';
import { ButtonLink } from '../../../core/ui/components/button.js';
import { Card, EmptyState } from '../../../core/ui/components/content.js';
import type { CommitRecord } from '../../../git/reading/commits.js';
import type { DiffSet } from '../../../git/reading/diffs.js';
import type { ContentsCounts } from '../merge-request-contents.service.js';
import type { FoundMergeRequest } from '../sql/merge-requests.js';
import { MergeRequestFrame } from './merge-request-frame.js';
import type { MergeRequestPageContext } from './merge-request-page-context.js';

interface ContentsProps {
  csrfToken: string;
  context: MergeRequestPageContext;
  row: FoundMergeRequest;
  counts: ContentsCounts | null;
}

interface CommitsPageProps extends ContentsProps {
  /** null when they cannot be read at the moment. */
  commits: Page<CommitRecord> | null;
  paging: { page: number; perPage: number };
}

/** The commits of a merge request. */
export function CommitsPage({ commits, paging, ...props }: CommitsPageProps): VNode {
  const { context, row } = props;
  return (
    <MergeRequestFrame {...props} current="commits">
      {commits === null && <Unreadable things="commits" />}
      {commits?.items.length === 0 && (
        <EmptyState title="No commits">{`${row.sourceBranch} has no commits of its own.`}</EmptyState>
      )}
      {commits !== null && commits.items.length > 0 && (
        <CommitList commits={commits.items} addresses={context.code} />
      )}
      {commits !== null && (
        <Pagination page={commits} paging={paging} path={`${context.path}/${row.iid}/commits`} />
      )}
    </MergeRequestFrame>
  );
}

interface DiffsPageProps extends ContentsProps {
  /** null when they cannot be read at the moment. */
  diff: DiffSet | null;
}

/** Diff of a merge request since its branches diverged. */
export function DiffsPage({ diff, ...props }: DiffsPageProps): VNode {
  const { context, row } = props;
  return (
    <MergeRequestFrame {...props} current="diffs">
      {diff === null ? (
        <Unreadable things="changes" />
      ) : (
        <DiffView diff={diff} fileHref={(path) => context.code.blob(row.headSha, path)} />
      )}
    </MergeRequestFrame>
  );
}

function Unreadable({ things }: { things: string }): VNode {
  return (
    <EmptyState title={`The ${things} cannot be shown`}>
      Repository temporarily unavailable. Try again later.
    </EmptyState>
  );
}

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
        <p class="text-muted-foreground">Commits temporarily unavailable. Try again later.</p>
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
        <p class="text-muted-foreground">The source branch has no commits of its own.</p>
      </Card>
    );
  }
  return (
    <Card title="Commits" actions={hasNext ? link : undefined} flush>
      <ItemList label="Commits">
        {items.map((commit) => (
          <CommitItem key={commit.id} commit={commit} addresses={code} />
        ))}
      </ItemList>
    </Card>
  );
}
