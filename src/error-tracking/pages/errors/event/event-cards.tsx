import type { VNode } from 'preact';
import { Card, DescriptionList, type Fact } from '../../../../core/ui/components/content.js';
import type { EventDetails } from '../../../events/event-details.js';
import type { EventUser } from '../../../events/surroundings.js';
import type { TextPair } from '../../../events/text-bounds.js';
import { BreadcrumbsCard } from './breadcrumbs-view.js';
import { ExceptionsCard } from './exceptions-view.js';
import { LongText } from './fold.js';
import { RequestCard } from './request-card.js';
import { TextPairs, TextPairsPart } from './text-pairs.js';

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
      <div class="grid grid-cols-1 items-start gap-6 empty:hidden lg:grid-cols-2">
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
        <Card title="Circumstances">
          {contexts.map(({ name, fields }) => (
            <TextPairsPart key={name} title={name} pairs={fields} noun="fields" />
          ))}
        </Card>
      )}
      <PairsCard title="More from the program" pairs={extra} noun="fields" />
      <PairsCard title="Packages" pairs={modules} noun="packages" limit={MOST_PACKAGES} />
    </>
  );
}

/** Warns about truncated and unreadable payloads. */
function Remarks({ details: { isCut, isDamaged } }: { details: EventDetails }): VNode | null {
  if (isDamaged) {
    return (
      <div class="alert" role="status" data-tone="alert">
        What the program sent can no longer be read. This is what was noted when it came.
      </div>
    );
  }
  if (!isCut) return null;
  return (
    <div class="alert" role="status" data-tone="secret">
      The program sent more than is shown here. The JSON of the event holds all of it.
    </div>
  );
}

function UserCard({ user }: { user: EventUser }): VNode {
  const known: [label: string, text: string | null][] = [
    ['Id', user.id],
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
