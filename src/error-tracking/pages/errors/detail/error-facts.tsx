import type { ComponentChildren, VNode } from 'preact';
import { countText } from '../../../../core/ui/amounts.js';
import { Card, type Fact } from '../../../../core/ui/components/content.js';
import { Time } from '../../../../core/ui/components/time.js';
import type { ErrorRow } from '../../../errors/error-row.js';
import { statusLabel, statusOf } from '../../error-badges.js';
import { FactGrid } from '../event/fact-grid.js';
import { usersText } from '../list/error-line.js';

/** Event count, affected users, first and last event, and releases. */
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
      <FactGrid items={items} />
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
