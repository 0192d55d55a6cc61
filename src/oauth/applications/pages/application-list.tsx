import type { VNode } from 'preact';
import { Badge, Card, EmptyState } from '../../../core/ui/components/content.js';
import { Item, ItemList } from '../../../core/ui/components/item-list.js';
import { Pagination } from '../../../core/ui/components/pagination.js';
import { Time } from '../../../core/ui/components/time.js';
import type { Page } from '../../../core/pagination/page.js';
import type { ApplicationDetails } from '../application-details.js';
import { pathOf, type Place } from './application-frame.js';

export interface ApplicationListProps {
  place: Place;
  title: string;
  applications: Page<ApplicationDetails>;
  paging: { page: number; perPage: number };
}

/** A page of the applications of a place, each with a link to its own. */
export function ApplicationList(props: ApplicationListProps): VNode {
  const { place, title, applications, paging } = props;
  if (applications.items.length === 0) {
    return (
      <EmptyState title="No applications registered">
        Register an application to let people sign in there with their account here.
      </EmptyState>
    );
  }
  return (
    <>
      <Card title={title} flush>
        <ItemList label={title}>
          {applications.items.map((application) => (
            <ApplicationItem key={application.id} place={place} application={application} />
          ))}
        </ItemList>
      </Card>
      <Pagination page={applications} paging={paging} path={pathOf(place)} />
    </>
  );
}

interface ApplicationItemProps {
  place: Place;
  application: ApplicationDetails;
}

function ApplicationItem({ place, application }: ApplicationItemProps): VNode {
  const { id, name, confidential, trusted, scopes, createdAt } = application;
  const title = (
    <>
      <a class="prose-link min-w-0" href={pathOf(place, id)}>
        {name}
      </a>
      <ScopeBadges scopes={scopes} />
      {trusted && <Badge tone="info">Trusted</Badge>}
    </>
  );
  return (
    <Item title={title}>
      {confidential ? 'Confidential' : 'Public'} · Registered <Time value={createdAt} />
    </Item>
  );
}

/** Scopes of an application, beside its name. */
export function ScopeBadges({ scopes }: { scopes: readonly string[] }): VNode {
  return (
    <>
      {scopes.map((scope) => (
        <Badge key={scope}>{scope}</Badge>
      ))}
    </>
  );
}
