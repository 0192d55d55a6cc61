import type { VNode } from 'preact';
import {
  Card,
  DescriptionList,
  type Fact,
  Badge,
  type Tone,
} from '../../../../core/ui/components/content.js';
import type { EventDetails } from '../../../events/event-details.js';
import type { EventUser, EventRequest, BreadcrumbDetails } from '../../../events/surroundings.js';
import type { TextPair } from '../../../events/truncator.js';
import { ExceptionsCard } from './exceptions-view.js';
import { LongText, Fold, TextPairs, TextPairsPart } from './text-parts.js';
import { httpLink } from '../../../../core/ui/http-link.js';
import { Cell, Table } from '../../../../core/ui/components/table.js';

/** Modules are many, and rarely needed. */
const MOST_PACKAGES = 10;

/** Details of an event, one card per topic; topics without data have no card. */
export function EventCards({ details }: { details: EventDetails }): VNode {
  const { message, exceptions, breadcrumbs, request } = details;
  return (
    <>
      <Remarks details={details} />
      {message !== null && message !== '' && message !== exceptions.at(-1)?.value && (
        <Card title="Message">
          <LongText text={message} />
        </Card>
      )}
      <ExceptionsCard details={details} />
      <BreadcrumbsCard breadcrumbs={breadcrumbs} />
      <RequestCard request={request} />
      <div class="grid grid-cols-1 items-start gap-4 empty:hidden lg:grid-cols-2">
        <SmallCards details={details} />
      </div>
    </>
  );
}

function SmallCards({ details }: { details: EventDetails }): VNode {
  const { user, tags, contexts, extra, modules } = details;
  return (
    <>
      {user !== null && <UserCard user={user} />}
      <PairsCard title="Tags" pairs={tags} noun="tags" />
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
      <p class="font-mono text-sm wrap-anywhere">
        {method !== null && <strong>{method} </strong>}
        {url === null ? 'No URL.' : <RequestUrl url={url} />}
      </p>
      <TextPairsPart title="Query" pairs={query} noun="parameters" />
      <TextPairsPart title="Headers" pairs={headers} noun="headers" />
      <TextPairsPart title="Cookies" pairs={cookies} noun="cookies" />
      {data !== null && data !== '' && (
        <section class="grid grid-cols-1 gap-2">
          <h3 class="text-sm font-semibold">Body</h3>
          <div class="font-mono text-sm">
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

const MOST_BREADCRUMBS = 30;
const MOST_FIELDS = 10;

const COLUMNS = [{ label: 'Time (UTC)' }, { label: 'Type' }, { label: 'Message' }];

const TONES: ReadonlyMap<string, Tone> = new Map([
  ['fatal', 'danger'],
  ['critical', 'danger'],
  ['error', 'danger'],
  ['warning', 'warning'],
]);

/** Breadcrumbs, newest first. */
function BreadcrumbsCard({ breadcrumbs }: { breadcrumbs: BreadcrumbDetails[] }): VNode | null {
  if (breadcrumbs.length === 0) return null;
  const rows = breadcrumbs.toReversed().map((one, index) => <Row key={index} breadcrumb={one} />);
  return (
    <Card title="Breadcrumbs">
      <p class="text-muted-foreground text-sm">Newest first.</p>
      <Fold
        items={rows}
        limit={MOST_BREADCRUMBS}
        noun="steps"
        frame={(some, part) => (
          <Table
            caption={part === 'first' ? 'Breadcrumbs' : 'Earlier breadcrumbs'}
            columns={COLUMNS}
          >
            {some}
          </Table>
        )}
      />
    </Card>
  );
}

function Row({ breadcrumb }: { breadcrumb: BreadcrumbDetails }): VNode {
  const { at, category, type, level, message, data } = breadcrumb;
  const kind = [category, type].find((one) => one !== null && one !== '') ?? 'default';
  return (
    <tr>
      <Cell>{at === null ? '' : <ClockTime value={at} />}</Cell>
      <Cell>
        <div class="grid justify-items-start gap-1">
          <span class="min-w-20 max-w-40 wrap-anywhere whitespace-normal">{kind}</span>
          {level !== null && level !== 'info' && <LevelWord level={level} />}
        </div>
      </Cell>
      <Cell wrap>
        <div class="grid grid-cols-1 gap-1">
          {message !== null && <LongText text={message} />}
          {data.length > 0 && <TextPairs pairs={data} noun="fields" limit={MOST_FIELDS} />}
        </div>
      </Cell>
    </tr>
  );
}

function LevelWord({ level }: { level: string }): VNode {
  return <Badge tone={TONES.get(level.toLowerCase()) ?? 'neutral'}>{level.slice(0, 20)}</Badge>;
}

/** Milliseconds matter: breadcrumbs follow each other fast. */
function ClockTime({ value }: { value: Date }): VNode {
  const iso = value.toISOString();
  return (
    <time class="whitespace-nowrap tabular-nums" dateTime={iso}>
      {iso.slice(11, 23)}
    </time>
  );
}
