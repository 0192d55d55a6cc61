import type { VNode } from 'preact';
import type { Page } from '../../pagination/page.js';
import { counted } from '../../ui/amounts.js';
import { Button } from '../../ui/components/button.js';
import { SelectField } from '../../ui/components/choice-fields.js';
import { ConfirmButton } from '../../ui/components/confirm-button.js';
import {
  Badge,
  Card,
  DescriptionList,
  EmptyState,
  PageHeader,
} from '../../ui/components/content.js';
import { Form, PostButton } from '../../ui/components/form.js';
import { Item, ItemList } from '../../ui/components/item-list.js';
import { Pagination } from '../../ui/components/pagination.js';
import { TextField } from '../../ui/components/text-field.js';
import { Time } from '../../ui/components/time.js';
import { AdminSection } from '../../ui/sections/admin.js';
import type {
  FailedMail,
  FailedMailFilter,
  MailCounts,
  MailDayCounts,
} from '../outgoing-mails.repository.js';
import { MailChart } from './mail-chart.js';

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
    <AdminSection current="mails">
      <PageHeader
        title="Mails"
        description="What is being sent, and mails that were tried for hours, or that the mail server refused for good."
        actions={mails.items.length > 0 && <RetryAll {...{ csrfToken, mails, filter }} />}
      />
      <Card title="Now">
        <DescriptionList items={factsOf(counts)} />
      </Card>
      <MailChart days={days} />
      <Filter kinds={kinds} filter={filter} />
      {mails.items.length === 0 ? (
        <EmptyState title="No failed mails">
          {isAll(filter)
            ? 'Everything was sent, or is still being tried.'
            : 'No failed mail matches what you asked for.'}
        </EmptyState>
      ) : (
        <Card flush title="Failed mails">
          <ItemList label="Failed mails">
            {mails.items.map((mail) => (
              <FailedMailItem key={mail.id} csrfToken={csrfToken} mail={mail} />
            ))}
          </ItemList>
        </Card>
      )}
      <Pagination page={mails} paging={paging} path={MAILS_PATH} query={{ ...filter }} />
    </AdminSection>
  );
}

function factsOf({ queued, retrying, failed, oldestWaitingSeconds, totals }: MailCounts) {
  const oldest = new Date(Date.now() - (oldestWaitingSeconds ?? 0) * 1_000);
  const tried = retrying === 0 ? '' : `, ${retrying} of them tried before`;
  return [
    { label: 'Waiting', value: `${queued}${tried}` },
    {
      label: 'Oldest waiting mail',
      value: oldestWaitingSeconds === null ? null : <Time value={oldest} />,
    },
    { label: 'Failed', value: String(failed) },
    { label: 'Sent in all', value: String(totals.sent) },
    { label: 'Withheld in all', value: String(totals.withheld) },
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
  const which = isAll(filter) ? 'all failed mails' : 'all failed mails that match';
  const many = mails.total === null ? 'Very many mails' : counted(mails.total, 'mail');
  return (
    <ConfirmButton
      label={`Send ${which} again`}
      question={`${many} will be tried again as if new.`}
      confirm="Send again"
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
    <Form action={MAILS_PATH} method="get" label="Filter failed mails" class="filters">
      <TextField type="search" name="search" label="Recipient" value={filter.search ?? ''} bare />
      <SelectField
        name="kind"
        label="About"
        options={[{ value: '', label: 'Everything' }, ...options]}
        value={filter.kind ?? ''}
        bare
      />
      <Button variant="outline">Apply</Button>
    </Form>
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
      Send again<span class="sr-only"> to {recipient}</span>
    </PostButton>
  );
  return (
    <Item title={title} actions={retry}>
      <p class="text-foreground wrap-anywhere">{lastError ?? 'The reason is unknown.'}</p>
      <p>
        {attempts} {attempts === 1 ? 'attempt' : 'attempts'} · Written <Time value={createdAt} />
      </p>
    </Item>
  );
}

function words(kind: string): string {
  return kind.replaceAll('_', ' ');
}
