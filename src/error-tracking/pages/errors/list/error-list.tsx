import type { VNode } from 'preact';
import type { Page } from '../../../../core/pagination/page.js';
import { Button, ButtonLink } from '../../../../core/ui/components/button.js';
import { Card, EmptyState } from '../../../../core/ui/components/content.js';
import {
  BulkSelection,
  ItemList,
  Pagination,
  pagingParams,
} from '../../../../core/ui/components/list.js';
import { LiveRegion } from '../../../../core/ui/components/live-region.js';
import { Tabs } from '../../../../core/ui/components/tabs.js';
import type { ProjectRow } from '../../../../workspace/projects/projects.repository.js';
import type { ErrorStatus } from '../../../error-values.js';
import type { ErrorGroupRow } from '../../../errors/error-group.js';
import { statusLabel } from '../../error-badges.js';
import { errorsPath } from '../../../error-paths.js';
import { ErrorLine } from './error-line.js';
import {
  ERROR_TABS,
  errorsAddress,
  isNarrowed,
  type ErrorsQuery,
  type ErrorTab,
} from './errors-query.js';
import { Form } from '../../../../core/ui/components/form.js';

const LIVE_SECONDS = 10;
/** A search reads every error of the project. */
const SEARCH_SECONDS = 30;

/** Data of the live part of the list. */
export interface ErrorListing {
  errors: Page<ErrorGroupRow>;
  /** Events of the last 24 hours by error. */
  trends: ReadonlyMap<number, number[]>;
  /** Errors first seen since are marked as new. */
  newSince: Date;
  counts: Record<ErrorStatus, number>;
  query: ErrorsQuery;
  paging: { page: number; perPage: number };
}

interface ErrorListProps extends ErrorListing {
  project: ProjectRow;
  mayChange: boolean;
}

/** List of errors, refreshed automatically. */
export function ErrorList(props: ErrorListProps): VNode {
  const { project, errors, query, paging } = props;
  const path = errorsPath(project);
  return (
    <LiveRegion
      id="errors"
      href={errorsAddress(`${path}/live`, { ...query, ...pagingParams(paging) })}
      seconds={query.search === '' ? LIVE_SECONDS : SEARCH_SECONDS}
      label="Errors"
    >
      <div class="flex flex-col gap-[10px]">
        {errors.items.length === 0 ? <NoErrors path={path} query={query} /> : <Rows {...props} />}
        <Pagination page={errors} paging={paging} path={path} query={{ ...query }} />
      </div>
    </LiveRegion>
  );
}

function Rows({ project, errors, trends, newSince, query, mayChange }: ErrorListProps): VNode {
  return (
    <Card flush>
      <ItemList label="Errors">
        {errors.items.map((error) => (
          <ErrorLine
            key={error.id}
            project={project}
            error={error}
            trend={trends.get(error.id) ?? []}
            newSince={newSince}
            form={mayChange ? BULK_FORM : null}
            showsStatus={query.status === 'all'}
            time={query.sort === 'first_seen' ? 'firstSeenAt' : 'lastSeenAt'}
          />
        ))}
      </ItemList>
    </Card>
  );
}

interface PlaceProps {
  path: string;
  query: ErrorsQuery;
}

interface StatusTabsProps {
  path: string;
  listing: Pick<ErrorListing, 'query' | 'counts'>;
  isLive?: true;
}

/** Tabs above the filters; live answers bring their counters along. */
export function StatusTabs({ path, listing, isLive }: StatusTabsProps): VNode {
  const { query, counts } = listing;
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const items = ERROR_TABS.map((tab) => ({
    label: tab === 'all' ? 'All' : statusLabel(tab),
    href: errorsAddress(path, { ...query, status: tab }),
    count: tab === 'all' ? all : counts[tab],
  }));
  const current = errorsAddress(path, { ...query });
  return <Tabs id="states" isLive={isLive} label="States" items={items} current={current} />;
}

function NoErrors({ path, query }: PlaceProps): VNode {
  const { status, sort } = query;
  if (isNarrowed(query)) {
    return (
      <EmptyState
        title="No errors match these filters"
        action={
          <ButtonLink href={errorsAddress(path, { status, sort })} variant="outline">
            Clear filters
          </ButtonLink>
        }
      >
        Try fewer filters.
      </EmptyState>
    );
  }
  const word = status === 'all' ? '' : `${statusLabel(status).toLowerCase()} `;
  return <EmptyState title={`No ${word}errors`}>New errors appear here automatically.</EmptyState>;
}

/** Fields of the rows name it. */
const BULK_FORM = 'change-errors';

const STEPS: Record<ErrorStatus, string> = {
  resolved: 'Resolve',
  ignored: 'Ignore',
  unresolved: 'Unresolve',
};

const STEPS_OF_TAB: Record<ErrorTab, ErrorStatus[]> = {
  unresolved: ['resolved', 'ignored'],
  resolved: ['unresolved', 'ignored'],
  ignored: ['unresolved', 'resolved'],
  all: ['resolved', 'ignored', 'unresolved'],
};

interface ErrorBulkBarProps {
  /** Of the list. */
  path: string;
  query: ErrorsQuery;
  paging: ErrorListing['paging'];
  csrfToken: string;
}

/** Changes the status of the selected errors; shown once there are any. */
export function ErrorBulkBar({ path, query, paging, csrfToken }: ErrorBulkBarProps): VNode {
  const back = errorsAddress('', { ...query, ...pagingParams(paging) }).slice(1);
  return (
    <Form
      id={BULK_FORM}
      class="bulk-bar"
      action={`${path}/status`}
      csrfToken={csrfToken}
      label="Selected errors"
    >
      <input type="hidden" name="back" value={back} />
      {STEPS_OF_TAB[query.status].map((status) => (
        <Button key={status} variant="outline" size="small" name="status" value={status}>
          {STEPS[status]}
        </Button>
      ))}
      <button class="btn" data-variant="outline" data-size="small" formAction={`${path}/merge`}>
        Merge
      </button>
      <BulkSelection />
    </Form>
  );
}
