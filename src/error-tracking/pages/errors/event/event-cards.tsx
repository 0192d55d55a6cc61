import type { VNode } from 'preact';
import { httpLink } from '../../../../core/ui/addresses.js';
import { Card, DescriptionList, type Fact } from '../../../../core/ui/components/content.js';
import type { EventDetails } from '../../../events/event-details.js';
import type { EventUser, EventRequest } from '../../../events/context-details.js';
import type { TextPair } from '../../../events/truncator.js';
import { BreadcrumbsCard } from './breadcrumbs.js';
import { ExceptionsCard } from './exceptions-view.js';
import { LongText, Fold, TextPairs, TextPairsPart } from './text-parts.js';
import type { ProjectRow } from '../../../../workspace/projects/projects.repository.js';
import { taggedPath } from '../detail/error-cards.js';

/** Modules are many, and rarely needed. */
const MOST_PACKAGES = 10;

interface EventCardsProps {
  details: EventDetails;
  project: ProjectRow;
  /** Of the page, which shows the exception of an event in most cases. */
  title: string;
}

/** Details of an event, one card per topic; topics without data have no card. */
export function EventCards({ details, project, title }: EventCardsProps): VNode {
  const { message, exceptions, breadcrumbs, request, occurredAt } = details;
  return (
    <>
      <Remarks details={details} />
      {message !== null && message !== '' && message !== exceptions.at(-1)?.value && (
        <Card title="Message">
          <LongText text={message} />
        </Card>
      )}
      <ExceptionsCard details={details} title={title} />
      <BreadcrumbsCard breadcrumbs={breadcrumbs} occurredAt={occurredAt} />
      <RequestCard request={request} />
      <EventTags tags={details.tags} project={project} />
      <div class="grid grid-cols-1 items-start gap-4 empty:hidden lg:grid-cols-2 [&>:only-child]:col-span-full">
        <SmallCards details={details} />
      </div>
    </>
  );
}

function SmallCards({ details }: { details: EventDetails }): VNode {
  const { user, contexts, extra, modules } = details;
  return (
    <>
      {user !== null && <UserCard user={user} />}
      {contexts.length > 0 && (
        <Card title="Contexts">
          {contexts.map(({ name, fields }) => (
            <TextPairsPart key={name} title={name} pairs={fields} noun="fields" />
          ))}
        </Card>
      )}
      <PairsCard title="Additional data" pairs={extra} noun="fields" />
      <PairsCard title="Modules" pairs={modules} noun="modules" limit={MOST_PACKAGES} />
    </>
  );
}

/** Lengths of stored tags; longer ones cannot be searched for. */
const TAG_LIMITS = { key: 32, value: 200 } as const;
const MOST_TAGS = 40;

/** Tags of the event, each a link to the errors that have it. */
function EventTags({ tags, project }: { tags: TextPair[]; project: ProjectRow }): VNode | null {
  if (tags.length === 0) return null;
  return (
    <Card title="Event tags">
      <Fold
        items={tags.map(([key, value], index) => (
          <li key={index}>
            <TagChip name={key} value={value} project={project} />
          </li>
        ))}
        limit={MOST_TAGS}
        noun="tags"
        frame={(some) => <ul class="flex flex-wrap gap-1.5">{some}</ul>}
      />
    </Card>
  );
}

function TagChip(props: { name: string; value: string; project: ProjectRow }): VNode {
  const { name, value, project } = props;
  const isStored = name.length <= TAG_LIMITS.key && value.length <= TAG_LIMITS.value;
  return (
    <a
      class="badge h-auto min-h-5 wrap-anywhere whitespace-normal"
      href={isStored && !name.includes(':') ? taggedPath(project, name, value) : undefined}
    >
      <span class="font-normal">{name}</span> {value}
    </a>
  );
}

/** Warns about truncated and unreadable payloads. */
function Remarks({ details: { isCut, isDamaged } }: { details: EventDetails }): VNode | null {
  if (isDamaged) {
    return (
      <div class="alert" role="status" data-tone="alert">
        The event payload is unreadable. Only its summary is shown.
      </div>
    );
  }
  if (!isCut) return null;
  return (
    <div class="alert" role="status" data-tone="secret">
      This event is truncated. Its JSON contains all data.
    </div>
  );
}

function UserCard({ user }: { user: EventUser }): VNode {
  const known: [label: string, text: string | null][] = [
    ['ID', user.id],
    ['Username', user.username],
    ['Email', user.email],
    ['IP address', user.ipAddress],
  ];
  const items: Fact[] = known.flatMap(([label, text]) =>
    text === null || text === '' ? [] : [{ label, value: <LongText text={text} /> }],
  );
  return (
    <Card title="User">
      {items.length > 0 && <DescriptionList items={items} />}
      {user.other.length > 0 && <TextPairs pairs={user.other} noun="fields" />}
    </Card>
  );
}

interface PairsCardProps {
  title: string;
  pairs: TextPair[];
  noun: string;
  limit?: number;
}

function PairsCard({ title, ...props }: PairsCardProps): VNode | null {
  if (props.pairs.length === 0) return null;
  return (
    <Card title={title}>
      <TextPairs {...props} />
    </Card>
  );
}

/** HTTP request of the event. */
function RequestCard({ request }: { request: EventRequest | null }): VNode | null {
  if (request === null) return null;
  const { method, url, query, headers, cookies, data, env } = request;
  return (
    <Card title="Request">
      <p class="font-mono text-xs/5 wrap-anywhere">
        {method !== null && <strong>{method} </strong>}
        {url === null ? 'No URL.' : <RequestUrl url={url} />}
      </p>
      <TextPairsPart title="Query" pairs={query} noun="parameters" />
      <TextPairsPart title="Headers" pairs={headers} noun="headers" />
      <TextPairsPart title="Cookies" pairs={cookies} noun="cookies" />
      {data !== null && data !== '' && (
        <section class="grid grid-cols-1 gap-2">
          <h3 class="text-sm font-semibold">Body</h3>
          <div class="font-mono text-xs/5">
            <LongText text={data} />
          </div>
        </section>
      )}
      <TextPairsPart title="Server" pairs={env} noun="variables" />
    </Card>
  );
}

/** The only text of an event that may become a link, and that only with http or https. */
function RequestUrl({ url }: { url: string }): VNode {
  const href = httpLink(url);
  if (href === null) return <>{url}</>;
  return (
    <a href={href} rel="nofollow noopener noreferrer">
      {url}
    </a>
  );
}
