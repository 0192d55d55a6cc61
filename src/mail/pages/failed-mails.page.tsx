import type { VNode } from 'preact';
import type { Page } from '../../core/pagination/page.js';
import { EmptyState, PageHeader } from '../../core/ui/components/content.js';
import { PostButton } from '../../core/ui/components/form.js';
import { Pagination } from '../../core/ui/components/pagination.js';
import { ActionsCell, Cell, Table } from '../../core/ui/components/table.js';
import { Time } from '../../core/ui/components/time.js';
import { AdminSection } from '../../core/ui/sections/admin.js';
import type { FailedMail } from '../failed-mails.service.js';

export const MAILS_PATH = '/admin/mails';

const COLUMNS = [
  { label: 'To' },
  { label: 'About' },
  { label: 'Reason' },
  { label: 'Attempts', align: 'end' as const },
  { label: 'Written' },
  { label: 'Actions', hidden: true },
];

interface FailedMailsPageProps {
  csrfToken: string;
  mails: Page<FailedMail>;
  paging: { page: number; perPage: number };
}

/** Mails that were given up. */
export function FailedMailsPage({ csrfToken, mails, paging }: FailedMailsPageProps): VNode {
  return (
    <AdminSection current="mails">
      <PageHeader
        title="Failed mails"
        description="Mails that were tried for hours, or that the mail server refused for good."
      />
      {mails.items.length === 0 ? (
        <EmptyState title="No failed mails">
          Everything was sent, or is still being tried.
        </EmptyState>
      ) : (
        <Table caption="Failed mails" columns={COLUMNS}>
          {mails.items.map((mail) => (
            <tr key={mail.id}>
              <Cell>{mail.recipient}</Cell>
              <Cell>{mail.kind.replaceAll('_', ' ')}</Cell>
              <Cell wrap>{mail.lastError ?? 'Unknown'}</Cell>
              <Cell align="end">{mail.attempts}</Cell>
              <Cell>
                <Time value={mail.createdAt} />
              </Cell>
              <ActionsCell>
                <PostButton
                  action={`${MAILS_PATH}/${mail.id}/retry`}
                  csrfToken={csrfToken}
                  size="small"
                >
                  Send again<span class="sr-only"> to {mail.recipient}</span>
                </PostButton>
              </ActionsCell>
            </tr>
          ))}
        </Table>
      )}
      <Pagination page={mails} paging={paging} path={MAILS_PATH} />
    </AdminSection>
  );
}
