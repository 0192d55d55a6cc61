import type { VNode } from 'preact';
import { Time } from '../../../core/ui/components/time.js';
import type { CommitRecord } from '../../../git/reading/commits.js';
import type { CommitState } from '../commit-states.js';
import type { CodeAddresses } from './addresses.js';
import { CommitItem } from './commit-item.js';

/** States by commit ID of the commits that external CI has reported. */
export type CommitStates = ReadonlyMap<string, CommitState>;

interface CommitListProps {
  commits: readonly CommitRecord[];
  states?: CommitStates;
  addresses: CodeAddresses;
}

/** Commits in their order, under the days on which they were made. */
export function CommitList({ commits, states, addresses }: CommitListProps): VNode {
  return (
    <div class="grid grid-cols-1 gap-5">
      {byDay(commits).map(({ day, commits: ofDay }) => (
        <section key={ofDay[0]?.id} class="grid grid-cols-1 gap-2">
          <h3 class="text-muted-foreground text-sm font-medium">
            <Time value={day} />
          </h3>
          <ul class="card divide-y" aria-label={`Commits of ${day}`}>
            {ofDay.map((commit) => (
              <CommitItem
                key={commit.id}
                commit={commit}
                state={states?.get(commit.id)}
                addresses={addresses}
              />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

interface Day {
  /** In UTC: `2026-11-21`. */
  day: string;
  commits: CommitRecord[];
}

/** Clocks of committers differ: a day can come twice, for the order of the history stays. */
function byDay(commits: readonly CommitRecord[]): Day[] {
  const days: Day[] = [];
  for (const commit of commits) {
    const day = commit.committedDate.toISOString().replace(/T.*/s, '');
    const last = days.at(-1);
    if (last?.day === day) last.commits.push(commit);
    else days.push({ day, commits: [commit] });
  }
  return days;
}
