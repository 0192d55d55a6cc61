import type { VNode } from 'preact';
import type { Page } from '../../pagination/page.js';
import { counted } from '../../ui/amounts.js';
import { BarChart, sumOf, type ChartBar, type ChartSeries } from '../../ui/components/bar-chart.js';
import { ButtonLink } from '../../ui/components/button.js';
import { ConfirmButton } from '../../ui/components/confirm-button.js';
import {
  Badge,
  Card,
  DescriptionList,
  EmptyState,
  PageHeader,
} from '../../ui/components/content.js';
import { PostButton } from '../../ui/components/form.js';
import { Item, ItemList, Pagination } from '../../ui/components/list.js';
import { Time, tickText } from '../../ui/components/time.js';
import type {
  FailedMail,
  FailedMailFilter,
  MailCounts,
  MailDayCounts,
} from '../outgoing-mails.repository.js';
import { FilterBar } from '../../ui/components/filter-bar.js';

export const MAILS_PATH = '/admin/mails';

interface FailedMailsPageProps {
  csrfToken: string;
  mails: Page<FailedMail>;
  /** Kinds to choose from. */
  kinds: string[];
  filter: FailedMailFilter;
  counts: MailCounts;
  days: MailDayCounts[];
  paging: { page: number; perPage: number };
}

/** Email queue and failed deliveries. */
export function FailedMailsPage(props: FailedMailsPageProps): VNode {
  const { csrfToken, mails, kinds, filter, counts, days, paging } = props;
  return (
    <>
      <PageHeader
        title="Email delivery"
        description="Email queue and failed deliveries"
        actions={
          <>
            <ButtonLink href={`${MAILS_PATH}/preview`} variant="outline">
              Preview emails
            </ButtonLink>
            {mails.items.length > 0 && <RetryAll {...{ csrfToken, mails, filter }} />}
          </>
        }
      />
      <Filter kinds={kinds} filter={filter} />
      {mails.items.length === 0 ? (
        <EmptyState title="No failed emails">
          {isAll(filter)
            ? 'All emails were sent or are queued.'
            : 'No failed emails match your search.'}
        </EmptyState>
      ) : (
        <Card flush title="Failed emails">
          <ItemList label="Failed emails">
            {mails.items.map((mail) => (
              <FailedMailItem key={mail.id} csrfToken={csrfToken} mail={mail} />
            ))}
          </ItemList>
        </Card>
      )}
      <Pagination page={mails} paging={paging} path={MAILS_PATH} query={{ ...filter }} />
      <div class="grid grid-cols-1 items-start gap-2.5 lg:grid-cols-2">
        <Card title="Queue">
          <DescriptionList items={factsOf(counts)} />
        </Card>
        <MailChart days={days} />
      </div>
    </>
  );
}

function factsOf({ queued, retrying, failed, oldestWaitingSeconds, totals }: MailCounts) {
  const oldest = new Date(Date.now() - (oldestWaitingSeconds ?? 0) * 1_000);
  const tried = retrying === 0 ? '' : `, ${retrying} retrying`;
  return [
    { label: 'Queued', value: `${queued}${tried}` },
    {
      label: 'Oldest queued email',
      value: oldestWaitingSeconds === null ? null : <Time value={oldest} />,
    },
    { label: 'Failed', value: String(failed) },
    { label: 'Total sent', value: String(totals.sent) },
    { label: 'Total suppressed', value: String(totals.withheld) },
  ];
}

function isAll({ kind, search }: FailedMailFilter): boolean {
  return kind === null && search === null;
}

function RetryAll({
  csrfToken,
  mails,
  filter,
}: Pick<FailedMailsPageProps, 'csrfToken' | 'mails' | 'filter'>): VNode {
  const which = isAll(filter) ? 'all' : 'matching';
  const count = mails.total === null ? 'many emails' : counted(mails.total, 'email');
  return (
    <ConfirmButton
      label={`Retry ${which}`}
      title={`Retry ${which === 'all' ? 'all failed' : 'matching'} emails?`}
      question={`This retries ${count}.`}
      confirm="Retry"
      action={`${MAILS_PATH}/retry`}
      csrfToken={csrfToken}
      variant="outline"
      fields={{ kind: filter.kind ?? '', search: filter.search ?? '' }}
    />
  );
}

function Filter({ kinds, filter }: Pick<FailedMailsPageProps, 'kinds' | 'filter'>): VNode {
  const known =
    filter.kind === null || kinds.includes(filter.kind) ? kinds : [...kinds, filter.kind];
  const options = known.map((kind) => ({ value: kind, label: words(kind) }));
  return (
    <FilterBar
      path={MAILS_PATH}
      search={filter.search}
      searchLabel="Recipient"
      fields={[{ name: 'kind', label: 'Kind', value: filter.kind, options }]}
    />
  );
}

function FailedMailItem({ csrfToken, mail }: { csrfToken: string; mail: FailedMail }): VNode {
  const { id, recipient, kind, lastError, attempts, createdAt } = mail;
  const title = (
    <>
      <span class="min-w-0 wrap-anywhere">{recipient}</span>
      <Badge>{words(kind)}</Badge>
    </>
  );
  const retry = (
    <PostButton action={`${MAILS_PATH}/${id}/retry`} csrfToken={csrfToken} size="small">
      Retry<span class="sr-only"> email to {recipient}</span>
    </PostButton>
  );
  return (
    <Item title={title} actions={retry}>
      <p class="text-foreground wrap-anywhere">{lastError ?? 'Unknown error'}</p>
      <p>
        {attempts} {attempts === 1 ? 'attempt' : 'attempts'} · Created <Time value={createdAt} />
      </p>
    </Item>
  );
}

function words(kind: string): string {
  return kind.replaceAll('_', ' ');
}

const TICK_STEP = 3;

const SERIES: ChartSeries[] = [
  { label: 'Sent', fill: 'fill-chart-green' },
  { label: 'Failed', fill: 'fill-chart-red' },
];

/** Sent and failed emails per day. */
function MailChart({ days }: { days: MailDayCounts[] }): VNode {
  const title = 'Emails per day';
  const bars = days.map((day, index) => barOf(day, days.length - 1 - index));
  const total = bars.reduce((sum, bar) => sum + sumOf(bar), 0);
  return (
    <Card title={title}>
      {total === 0 ? (
        <p class="text-muted-foreground">No emails were sent in the last {days.length} days.</p>
      ) : (
        <BarChart
          id="mails"
          title={title}
          description={`${counted(total, 'email')} in the last ${days.length} days, sent or failed. The numbers are in the table below.`}
          unit="Day (UTC)"
          series={SERIES}
          bars={bars}
        />
      )}
    </Card>
  );
}

/** `left` bars follow: every third one has its day below it, the last one too. */
function barOf({ day, sent, failed }: MailDayCounts, left: number): ChartBar {
  return {
    label: day,
    tick: left % TICK_STEP === 0 ? tickText(day) : null,
    values: [sent, failed],
  };
}
