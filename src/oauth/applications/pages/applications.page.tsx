import type { VNode } from 'preact';
import type { Page } from '../../../core/pagination/page.js';
import { ButtonLink } from '../../../core/ui/components/button.js';
import { ConfirmButton } from '../../../core/ui/components/confirm-button.js';
import { Card, EmptyState, PageHeader, Badge } from '../../../core/ui/components/content.js';
import { Item, ItemList, Pagination } from '../../../core/ui/components/list.js';
import { Time } from '../../../core/ui/components/time.js';
import type {
  AuthorizedApplication,
  ApplicationUsage,
  ListedApplication,
} from '../../oauth-applications.repository.js';
import type { Crumb, PageInfo } from '../../../core/ui/page-context.js';

/** Where applications are managed: one's own, or for administrators those of the instance. */
export type Area = 'account' | 'admin';

const PATHS: Record<Area, string> = {
  account: '/-/user_settings/applications',
  admin: '/admin/applications',
};

/** Breadcrumb of the administration pages. */
export const ADMIN: Crumb = { label: 'Admin', href: '/admin' };

/** The path of the list, or of one application below it. */
export function pathOf(area: Area, id?: number): string {
  return id === undefined ? PATHS[area] : `${PATHS[area]}/${id}`;
}

/** Returns the title, breadcrumbs and navigation of a page below the list. */
export function infoOf(area: Area, title: string): PageInfo {
  const list = { label: 'Applications', href: pathOf(area) };
  return { title, nav: area, crumbs: area === 'admin' ? [ADMIN, list] : [list] };
}

type ListProps = Pick<ApplicationListProps, 'applications' | 'paging'>;

/** Applications of the whole instance. */
export function AdminApplicationsPage(props: ListProps): VNode {
  return (
    <>
      <PageHeader
        title="Applications"
        description="Users sign in to these applications with their account here."
        actions={<NewButton area="admin" />}
      />
      <ApplicationList area="admin" title="Instance-wide applications" {...props} />
    </>
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
    <>
      <PageHeader
        title="Applications"
        description="Applications with access to your account, and your own applications"
        actions={mayRegister && <NewButton area="account" />}
      />
      <AuthorizedList authorized={authorized} csrfToken={csrfToken} />
      {isListed && (
        <ApplicationList area="account" title="Your applications" {...{ applications, paging }} />
      )}
    </>
  );
}

function NewButton({ area }: { area: 'account' | 'admin' }): VNode {
  return <ButtonLink href={`${pathOf(area)}/new`}>New application</ButtonLink>;
}

function AuthorizedList({ authorized, csrfToken }: AuthorizedListProps): VNode {
  if (authorized.length === 0) {
    return (
      <EmptyState title="No authorized applications">
        Applications with access to your account appear here.
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
  const { id, name, authorizedAt, lastUsedAt, scopes } = application;
  const title = (
    <>
      <span class="min-w-0">{name}</span>
      <ScopeBadges scopes={scopes} />
    </>
  );
  const revoke = (
    <ConfirmButton
      label="Revoke"
      title={`Revoke access for “${name}”?`}
      question={`${name} will lose access to your account immediately.`}
      confirm="Revoke access"
      action={`/oauth/authorized_applications/${id}/revoke`}
      csrfToken={csrfToken}
      size="small"
    />
  );
  return (
    <Item title={title} actions={revoke}>
      Authorized <Time value={authorizedAt} /> · <LastUse at={lastUsedAt} />
    </Item>
  );
}

interface AuthorizedItemProps {
  application: AuthorizedApplication;
  csrfToken: string;
}

interface ApplicationListProps {
  area: Area;
  title: string;
  applications: Page<ListedApplication>;
  paging: { page: number; perPage: number };
}

/** A page of the applications of an area, each with a link to its own. */
function ApplicationList(props: ApplicationListProps): VNode {
  const { area, title, applications, paging } = props;
  if (applications.items.length === 0) {
    return (
      <EmptyState title="No applications registered">
        Create an application to let users sign in to it with their account.
      </EmptyState>
    );
  }
  return (
    <>
      <Card title={title} flush>
        <ItemList label={title}>
          {applications.items.map((application) => (
            <ApplicationItem key={application.id} area={area} application={application} />
          ))}
        </ItemList>
      </Card>
      <Pagination page={applications} paging={paging} path={pathOf(area)} />
    </>
  );
}

interface ApplicationItemProps {
  area: Area;
  application: ListedApplication;
}

function ApplicationItem({ area, application }: ApplicationItemProps): VNode {
  const { id, name, confidential, trusted, scopes, createdAt } = application;
  const title = (
    <>
      <a class="prose-link min-w-0" href={pathOf(area, id)}>
        {name}
      </a>
      <ScopeBadges scopes={scopes} />
      {trusted && <Badge tone="info">Trusted</Badge>}
    </>
  );
  return (
    <Item title={title}>
      {confidential ? 'Confidential' : 'Public'} · {userCount(application)} ·{' '}
      <LastUse at={application.lastUsedAt} /> · Created <Time value={createdAt} />
    </Item>
  );
}

function LastUse({ at }: { at: Date | null }): VNode {
  if (at === null) return <>Never used</>;
  return (
    <>
      Last used <Time value={at} />
    </>
  );
}

/** `12 users`, or `at least 500 users` where counting ended. */
export function userCount({ users, isPartial }: ApplicationUsage): string {
  const count = users === 1 ? '1 user' : `${users} users`;
  return isPartial ? `at least ${count}` : count;
}

/** Scopes of an application, beside its name. */
function ScopeBadges({ scopes }: { scopes: readonly string[] }): VNode {
  return (
    <>
      {scopes.map((scope) => (
        <Badge key={scope}>{scope}</Badge>
      ))}
    </>
  );
}
