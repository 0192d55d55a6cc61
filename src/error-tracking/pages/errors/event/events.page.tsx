import type { VNode } from 'preact';
import type { Viewer } from '../../../../core/access/viewer.js';
import type { Page } from '../../../../core/pagination/page.js';
import { countText } from '../../../../core/ui/amounts.js';
import { Card } from '../../../../core/ui/components/content.js';
import { Pagination } from '../../../../core/ui/components/pagination.js';
import { Cell, Table } from '../../../../core/ui/components/table.js';
import { Time } from '../../../../core/ui/components/time.js';
import { ProjectFrame } from '../../../../workspace/projects/pages/project-frame.js';
import type { ProjectRow } from '../../../../workspace/projects/projects.repository.js';
import { errorTitle, type ErrorRow } from '../../../errors/error-row.js';
import type { ListedEvent } from '../../../events/stored-event.js';
import { LevelBadge } from '../../error-badges.js';
import { errorEventsPath, errorPath } from '../../../error-paths.js';
import { EventGone } from './event.page.js';

interface EventsPageProps {
  viewer: Viewer | null;
  project: ProjectRow;
  error: ErrorRow;
  events: Page<ListedEvent>;
  paging: { page: number; perPage: number };
}

const COLUMNS = [
  { label: 'Event' },
  { label: 'Happened' },
  { label: 'Level' },
  { label: 'Environment' },
  { label: 'Release' },
  { label: 'User' },
];

/** The stored events of an error, the latest first. */
export function EventsPage({ viewer, project, error, events, paging }: EventsPageProps): VNode {
  const path = errorEventsPath(project, error.id);
  return (
    <ProjectFrame project={project} viewer={viewer} current="errors">
      <div class="grid grid-cols-1 gap-4">
        <p class="wrap-anywhere">
          {'Stored events of '}
          <a href={errorPath(project, error.id)}>{errorTitle(error)}</a>
          {`, which happened ${countText(error.eventsCount)} ${error.eventsCount === 1 ? 'time' : 'times'}.`}
        </p>
        {events.items.length === 0 ? (
          <EventGone />
        ) : (
          <Card title="Events" flush>
            <Table caption="Events" columns={COLUMNS}>
              {events.items.map((event) => (
                <Row key={event.id} path={path} event={event} />
              ))}
            </Table>
          </Card>
        )}
        <Pagination page={events} paging={paging} path={path} />
      </div>
    </ProjectFrame>
  );
}

function Row({ path, event }: { path: string; event: ListedEvent }): VNode {
  const { eventId, title, occurredAt, level, environment, release, userLabel } = event;
  return (
    <tr>
      <Cell wrap>
        <a class="wrap-anywhere" href={`${path}/${eventId}`}>
          {title}
        </a>
        <span class="text-muted-foreground block font-mono text-xs wrap-anywhere">{eventId}</span>
      </Cell>
      <Cell>
        <Time value={occurredAt} />
      </Cell>
      <Cell>
        <LevelBadge level={level} />
      </Cell>
      <TextCell text={environment} />
      <TextCell text={release} />
      <TextCell text={userLabel} />
    </tr>
  );
}

function TextCell({ text }: { text: string | null }): VNode {
  return (
    <Cell>
      <span class="block max-w-52 wrap-anywhere whitespace-normal">{text}</span>
    </Cell>
  );
}
