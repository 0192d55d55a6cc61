import type { VNode } from 'preact';
import { countText } from '../../../../core/ui/amounts.js';
import { Avatar } from '../../../../core/ui/components/avatar.js';
import { Badge } from '../../../../core/ui/components/content.js';
import { Item } from '../../../../core/ui/components/list.js';
import { Sparkline } from '../../../../core/ui/components/small-charts.js';
import { Time } from '../../../../core/ui/components/time.js';
import type { ProjectRow } from '../../../../workspace/projects/projects.repository.js';
import { errorTitle, type ErrorGroupRow } from '../../../errors/error-group.js';
import { LevelBadge, StatusBadge, statusOf, UrgencyBadges } from '../../error-badges.js';
import { errorPath, issuePath } from '../../../error-paths.js';

/** Users are counted up to here. */
const MOST_USERS = 10_000;

interface ErrorLineProps {
  project: ProjectRow;
  error: ErrorGroupRow;
  /** Events of each of the last 24 hours. */
  trend: readonly number[];
  /** Errors first seen since are marked as new. */
  newSince: Date;
  /** ID of the form that its checkbox belongs to; null without permission to change errors. */
  form: string | null;
  /** True if the list contains several statuses. */
  showsStatus: boolean;
  /** Time that the list is ordered by. */
  time: 'firstSeenAt' | 'lastSeenAt';
}

/** An error in a list. */
export function ErrorLine({ project, error, trend, form, ...props }: ErrorLineProps): VNode {
  const title = errorTitle(error);
  const { id, culprit, issue } = error;
  const isNew = error.firstSeenAt >= props.newSince;
  return (
    <Item
      id={`error-${id}`}
      select={
        form === null ? undefined : (
          <input
            id={`select-${id}`}
            type="checkbox"
            form={form}
            name="error_ids[]"
            value={id}
            aria-label={`Select ${title}`}
          />
        )
      }
      title={
        <>
          <LevelBadge level={error.level} />
          <TitleLink href={errorPath(project, id)} error={error} title={title} />
        </>
      }
      chips={
        <>
          {props.showsStatus && <StatusBadge status={statusOf(error)} />}
          {isNew && <Badge tone="info">New</Badge>}
          <UrgencyBadges error={error} />
          {issue !== null && (
            <span class="item-detail whitespace-nowrap">
              <a href={issuePath(project, issue.iid)}>{`Issue #${issue.iid}`}</a>
              {issue.state === 'closed' && ' (closed)'}
            </span>
          )}
          {culprit !== '' && culprit !== title && (
            <span class="item-detail truncate font-mono max-sm:hidden">{culprit}</span>
          )}
        </>
      }
    >
      <div class="item-facts">
        <span class="max-sm:hidden">
          <Sparkline values={trend} label={trendText(trend)} />
        </span>
        <Count value={countText(error.eventsCount)} noun={nounOf(error.eventsCount, 'event')} />
        <Count value={usersText(error.usersCount)} noun={nounOf(error.usersCount, 'user')} />
        <SeenAt error={error} time={props.time} />
        <span class="assignee w-6 max-sm:empty:hidden">
          {error.assignee !== null && <Assignee {...error.assignee} />}
        </span>
      </div>
    </Item>
  );
}

function SeenAt({ error, time }: Pick<ErrorLineProps, 'error' | 'time'>): VNode {
  const label = time === 'firstSeenAt' ? 'First seen' : 'Last seen';
  return (
    <span class="sm:w-24 sm:justify-end" title={label}>
      <span class="sr-only">{label} </span>
      <Time value={error[time]} />
    </span>
  );
}

function Assignee(user: NonNullable<ErrorGroupRow['assignee']>): VNode {
  return (
    <a href={`/${user.username}`} title={`Assigned to ${user.name}`}>
      <span class="sr-only">{`Assigned to ${user.name}`}</span>
      <Avatar name={user.name} owner={user} />
    </a>
  );
}

interface TitleProps {
  href: string;
  error: ErrorGroupRow;
  title: string;
}

/** The type is highlighted; the message follows. */
function TitleLink({ href, error: { type }, title }: TitleProps): VNode {
  if (type === null || type === '' || !title.startsWith(`${type}: `)) {
    return (
      <a class="truncate max-sm:line-clamp-2 max-sm:whitespace-normal" href={href}>
        {title}
      </a>
    );
  }
  return (
    <a class="truncate max-sm:line-clamp-2 max-sm:whitespace-normal" href={href}>
      <strong class="font-semibold">{type}</strong>
      <span class="font-normal">{title.slice(type.length)}</span>
    </a>
  );
}

interface CountProps {
  value: string;
  noun: string;
}

function Count({ value, noun }: CountProps): VNode {
  return (
    <span class="sm:w-20 sm:justify-end">
      <span class="text-foreground">{value}</span> {noun}
    </span>
  );
}

function nounOf(count: number, noun: string): string {
  return count === 1 ? noun : `${noun}s`;
}

/** `10,000+` for the most that is counted. */
export function usersText(count: number): string {
  return count >= MOST_USERS ? `${countText(MOST_USERS)}+` : countText(count);
}

function trendText(trend: readonly number[]): string {
  const total = trend.reduce((sum, count) => sum + count, 0);
  if (total === 0) return 'No events in the last 24 hours';
  const most = Math.max(...trend);
  const noun = nounOf(total, 'event');
  return `${countText(total)} ${noun} in the last 24 hours, at most ${countText(most)} in an hour`;
}
