import type { VNode } from 'preact';
import { countText } from '../../../../core/ui/amounts.js';
import { Time } from '../../../../core/ui/components/time.js';
import type { ErrorAction, ErrorActivityRow } from '../../../error-activities.repository.js';
import { SidePart } from '../event/text-parts.js';

const TEXTS: Record<ErrorAction, (detail: string | null) => string> = {
  reopened: () => 'reopened it',
  resolved: (release) => (release === null ? 'resolved it' : `resolved it after ${release}`),
  ignored: () => 'ignored it',
  regressed: (release) => (release === null ? 'Regressed' : `Regressed in ${release}`),
  ignore_ended: () => 'No longer ignored',
  assigned: (username) => `assigned @${username}`,
  unassigned: () => 'removed the assignee',
  merged: (error) => `merged ${error}`,
  unmerged: (error) => `unmerged ${error}`,
};

/** Last changes of an error, newest first. */
export function ActivityPart({ activities }: { activities: ErrorActivityRow[] }): VNode | null {
  if (activities.length === 0) return null;
  return (
    <SidePart title="Activity">
      <ul class="grid gap-1.5" aria-label="Activity">
        {activities.map((activity, at) => (
          <li key={at} class="wrap-anywhere">
            <ActivityText {...activity} />{' '}
            <span class="text-muted-foreground text-xs">
              <Time value={activity.createdAt} />
            </span>
          </li>
        ))}
      </ul>
    </SidePart>
  );
}

function ActivityText({ action, actor, detail }: ErrorActivityRow): VNode {
  return (
    <>
      {actor !== null && (
        <>
          <a href={`/${actor}`}>@{actor}</a>{' '}
        </>
      )}
      {TEXTS[action](detail)}
      {action === 'ignored' && detail !== null && <IgnoreEnd end={detail} />}
    </>
  );
}

/** A number of events, or a time. */
function IgnoreEnd({ end }: { end: string }): VNode {
  if (/^\d+$/.test(end)) return <> for {countText(Number(end))} events</>;
  return (
    <>
      {' until '}
      <Time value={new Date(end)} />
    </>
  );
}
