import type { VNode } from 'preact';
import { Badge, Card, EmptyState } from '../../../core/ui/components/content.js';
import { Pagination } from '../../../core/ui/components/pagination.js';
import { Cell, Table } from '../../../core/ui/components/table.js';
import { Time } from '../../../core/ui/components/time.js';
import type { Page } from '../../../core/pagination/page.js';
import type { ApplicationDetails } from '../application-details.js';
import { pathOf, type Place } from './application-frame.js';

export interface ApplicationTableProps {
  place: Place;
  title: string;
  applications: Page<ApplicationDetails>;
  paging: { page: number; perPage: number };
}

const COLUMNS = [
  { label: 'Name' },
  { label: 'Kind' },
  { label: 'Scopes' },
  { label: 'Registered' },
];

/** A page of the applications of a place, each with a link to its own. */
export function ApplicationTable(props: ApplicationTableProps): VNode {
  const { place, title, applications, paging } = props;
  if (applications.items.length === 0) {
    return (
      <EmptyState title="No applications">
        Register an application to let people sign in there with their account here.
      </EmptyState>
    );
  }
  return (
    <>
      <Card title={title} flush>
        <Table caption={title} columns={COLUMNS}>
          {applications.items.map((application) => (
            <Row key={application.id} place={place} application={application} />
          ))}
        </Table>
      </Card>
      <Pagination page={applications} paging={paging} path={pathOf(place)} />
    </>
  );
}

function Row({ place, application }: { place: Place; application: ApplicationDetails }): VNode {
  const { id, name, confidential, trusted, scopes, createdAt } = application;
  return (
    <tr>
      <Cell wrap>
        <a href={pathOf(place, id)}>{name}</a>
      </Cell>
      <Cell>
        <span class="inline-flex gap-2">
          <Badge>{confidential ? 'Confidential' : 'Public'}</Badge>
          {trusted && <Badge tone="info">Trusted</Badge>}
        </span>
      </Cell>
      <Cell wrap>{scopes.join(', ')}</Cell>
      <Cell>
        <Time value={createdAt} />
      </Cell>
    </tr>
  );
}
