import type { ComponentChildren, VNode } from 'preact';
import { countText } from '../../../../core/ui/amounts.js';
import { Card, type Fact } from '../../../../core/ui/components/content.js';
import { Time } from '../../../../core/ui/components/time.js';
import type { ErrorRow } from '../../../errors/error-row.js';
import { statusLabel, statusOf } from '../../error-badges.js';
import { usersText } from '../list/error-line.js';

/** How often, for how many, since when, and in which releases. */
export function ErrorFacts({ error }: { error: ErrorRow }): VNode {
  const items: Fact[] = [
    { label: 'Events', value: countText(error.eventsCount) },
    { label: 'Users', value: usersText(error.usersCount) },
    { label: 'First seen', value: <Time value={error.firstSeenAt} /> },
    { label: 'Last seen', value: <Time value={error.lastSeenAt} /> },
    { label: 'First release', value: releaseOf(error.firstRelease) },
    { label: 'Last release', value: releaseOf(error.lastRelease) },
    { label: 'Platform', value: error.platform },
    ...loggerFact(error),
    ...changeFact(error),
    ...regressionFact(error),
  ];
  return (
    <Card>
      <dl class="grid grid-cols-2 gap-x-6 gap-y-3 text-sm sm:grid-cols-3 lg:grid-cols-6">
        {items.map(({ label, value }) => (
          <div key={label} class="min-w-0">
            <dt class="text-muted-foreground">{label}</dt>
            <dd class="font-medium wrap-anywhere">
              {value ?? <span class="text-muted-foreground font-normal">Unknown</span>}
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

function releaseOf(release: string | null): ComponentChildren {
  return release && <span class="wrap-anywhere">{release}</span>;
}

function loggerFact({ logger }: ErrorRow): Fact[] {
  if (logger === null || logger === '') return [];
  return [{ label: 'Logger', value: <span class="wrap-anywhere">{logger}</span> }];
}

function changeFact(error: ErrorRow): Fact[] {
  const { statusChangedAt, statusChangedBy } = error;
  if (statusChangedAt === null) return [];
  const value = (
    <>
      <Time value={statusChangedAt} />
      {statusChangedBy !== null && (
        <>
          {' by '}
          <a href={`/${statusChangedBy}`}>@{statusChangedBy}</a>
        </>
      )}
    </>
  );
  const isByPerson = statusOf(error) !== 'unresolved';
  return [{ label: isByPerson ? statusLabel(statusOf(error)) : 'State changed', value }];
}

function regressionFact({ regressedAt }: ErrorRow): Fact[] {
  return regressedAt === null ? [] : [{ label: 'Came back', value: <Time value={regressedAt} /> }];
}
