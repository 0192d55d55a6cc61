import type { VNode } from 'preact';
import { ButtonLink } from '../../../core/ui/components/button.js';
import { ConfirmButton } from '../../../core/ui/components/confirm-button.js';
import { Card, EmptyState, PageHeader } from '../../../core/ui/components/content.js';
import { Item, ItemList } from '../../../core/ui/components/item-list.js';
import { Time } from '../../../core/ui/components/time.js';
import type { AuthorizedApplication } from '../../oauth-applications.repository.js';
import { ApplicationFrame, pathOf } from './application-frame.js';
import { ApplicationList, ScopeBadges, type ApplicationListProps } from './application-list.js';

type ListProps = Pick<ApplicationListProps, 'applications' | 'paging'>;

/** Applications of the whole instance. */
export function AdminApplicationsPage(props: ListProps): VNode {
  return (
    <ApplicationFrame place="admin">
      <PageHeader
        title="Applications"
        description="They sign people of the whole instance in."
        actions={<NewButton place="admin" />}
      />
      <ApplicationList place="admin" title="Applications of the instance" {...props} />
    </ApplicationFrame>
  );
}

interface OwnApplicationsPageProps extends ListProps {
  authorized: AuthorizedApplication[];
  mayRegister: boolean;
  csrfToken: string;
}

/** One's own applications, and those that can act for oneself. */
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
      <AuthorizedList authorized={authorized} csrfToken={csrfToken} />
      {isListed && (
        <ApplicationList place="account" title="Your applications" {...{ applications, paging }} />
      )}
    </ApplicationFrame>
  );
}

function NewButton({ place }: { place: 'account' | 'admin' }): VNode {
  return <ButtonLink href={`${pathOf(place)}/new`}>New application</ButtonLink>;
}

function AuthorizedList({ authorized, csrfToken }: AuthorizedListProps): VNode {
  if (authorized.length === 0) {
    return (
      <EmptyState title="No authorized applications">
        Applications that you let act for you are listed here.
      </EmptyState>
    );
  }
  return (
    <Card title="Authorized applications" flush>
      <ItemList label="Authorized applications">
        {authorized.map((application) => (
          <AuthorizedItem key={application.id} {...{ application, csrfToken }} />
        ))}
      </ItemList>
    </Card>
  );
}

interface AuthorizedListProps {
  authorized: AuthorizedApplication[];
  csrfToken: string;
}

function AuthorizedItem({ application, csrfToken }: AuthorizedItemProps): VNode {
  const { id, name, authorizedAt, scopes } = application;
  const title = (
    <>
      <span class="min-w-0">{name}</span>
      <ScopeBadges scopes={scopes} />
    </>
  );
  const revoke = (
    <ConfirmButton
      label="Revoke"
      question={`${name} can no longer act for you.`}
      confirm={`Revoke ${name}`}
      action={`/oauth/authorized_applications/${id}/revoke`}
      csrfToken={csrfToken}
      size="small"
    />
  );
  return (
    <Item title={title} actions={revoke}>
      Authorized <Time value={authorizedAt} />
    </Item>
  );
}

interface AuthorizedItemProps {
  application: AuthorizedApplication;
  csrfToken: string;
}
