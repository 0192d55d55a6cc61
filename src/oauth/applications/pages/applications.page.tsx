import type { VNode } from 'preact';
import { ButtonLink } from '../../../core/ui/components/button.js';
import { ConfirmButton } from '../../../core/ui/components/confirm-button.js';
import { Card, EmptyState, PageHeader } from '../../../core/ui/components/content.js';
import { ActionsCell, Cell, Table } from '../../../core/ui/components/table.js';
import { Time } from '../../../core/ui/components/time.js';
import type { AuthorizedApplication } from '../authorized-applications.service.js';
import { ApplicationFrame, pathOf } from './application-frame.js';
import { ApplicationTable, type ApplicationTableProps } from './application-table.js';

type ListProps = Pick<ApplicationTableProps, 'applications' | 'paging'>;

/** Applications of the whole instance. */
export function AdminApplicationsPage(props: ListProps): VNode {
  return (
    <ApplicationFrame place="admin">
      <PageHeader
        title="Applications"
        description="They sign people of the whole installation in."
        actions={<NewButton place="admin" />}
      />
      <ApplicationTable place="admin" title="Applications of the instance" {...props} />
    </ApplicationFrame>
  );
}

interface OwnApplicationsPageProps extends ListProps {
  authorized: AuthorizedApplication[];
  mayRegister: boolean;
  csrfToken: string;
}

/** One's own applications, and those that may act for oneself. */
export function OwnApplicationsPage(props: OwnApplicationsPageProps): VNode {
  const { authorized, mayRegister, csrfToken, applications, paging } = props;
  const isListed = mayRegister || applications.items.length > 0;
  return (
    <ApplicationFrame place="account">
      <PageHeader
        title="Applications"
        description="Applications that may act for you, and those that you registered."
        actions={mayRegister && <NewButton place="account" />}
      />
      <AuthorizedTable authorized={authorized} csrfToken={csrfToken} />
      {isListed && (
        <ApplicationTable place="account" title="Your applications" {...{ applications, paging }} />
      )}
    </ApplicationFrame>
  );
}

function NewButton({ place }: { place: 'account' | 'admin' }): VNode {
  return <ButtonLink href={`${pathOf(place)}/new`}>New application</ButtonLink>;
}

const COLUMNS = [
  { label: 'Name' },
  { label: 'Authorized' },
  { label: 'Scopes' },
  { label: 'Actions', hidden: true },
];

function AuthorizedTable({ authorized, csrfToken }: AuthorizedTableProps): VNode {
  if (authorized.length === 0) {
    return (
      <EmptyState title="No authorized applications">
        Applications that you let act for you are listed here.
      </EmptyState>
    );
  }
  return (
    <Card title="Authorized applications" flush>
      <Table caption="Authorized applications" columns={COLUMNS}>
        {authorized.map((application) => (
          <AuthorizedRow key={application.id} {...{ application, csrfToken }} />
        ))}
      </Table>
    </Card>
  );
}

interface AuthorizedTableProps {
  authorized: AuthorizedApplication[];
  csrfToken: string;
}

function AuthorizedRow({ application, csrfToken }: AuthorizedRowProps): VNode {
  const { id, name, authorizedAt, scopes } = application;
  return (
    <tr>
      <Cell wrap>{name}</Cell>
      <Cell>
        <Time value={authorizedAt} />
      </Cell>
      <Cell wrap>{scopes.join(', ')}</Cell>
      <ActionsCell>
        <ConfirmButton
          label="Revoke"
          question={`${name} can no longer act for you.`}
          confirm={`Revoke ${name}`}
          action={`/oauth/authorized_applications/${id}/revoke`}
          csrfToken={csrfToken}
          variant="outline"
          size="small"
        />
      </ActionsCell>
    </tr>
  );
}

interface AuthorizedRowProps {
  application: AuthorizedApplication;
  csrfToken: string;
}
