import type { VNode } from 'preact';
import type { Page } from '../../core/pagination/page.js';
import { Badge, Card, EmptyState, PageHeader } from '../../core/ui/components/content.js';
import { PostButton } from '../../core/ui/components/form.js';
import { Item, ItemList } from '../../core/ui/components/item-list.js';
import { Pagination } from '../../core/ui/components/pagination.js';
import { Time } from '../../core/ui/components/time.js';
import { AdminSection } from '../../core/ui/sections/admin.js';
import type { FailedMail } from '../failed-mails.service.js';

export const MAILS_PATH = '/admin/mails';

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
        <Card flush>
          <ItemList label="Failed mails">
            {mails.items.map((mail) => (
              <FailedMailItem key={mail.id} csrfToken={csrfToken} mail={mail} />
            ))}
          </ItemList>
        </Card>
      )}
      <Pagination page={mails} paging={paging} path={MAILS_PATH} />
    </AdminSection>
  );
}

function FailedMailItem({ csrfToken, mail }: { csrfToken: string; mail: FailedMail }): VNode {
  const { id, recipient, kind, lastError, attempts, createdAt } = mail;
  const title = (
    <>
      <span class="min-w-0 wrap-anywhere">{recipient}</span>
      <Badge>{kind.replaceAll('_', ' ')}</Badge>
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
