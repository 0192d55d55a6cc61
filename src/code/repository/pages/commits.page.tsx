import type { VNode } from 'preact';
import type { Slice } from '../../../core/pagination/page.js';
import { ButtonLink } from '../../../core/ui/components/button.js';
import { Badge, EmptyState, PageHeader, type Tone } from '../../../core/ui/components/content.js';
import { CopyButton } from '../../../core/ui/components/copy.js';
import { Item, ItemList, Pagination } from '../../../core/ui/components/list.js';
import { TextWithCode } from '../../../core/ui/components/markdown.js';
import { dayText, Time } from '../../../core/ui/components/time.js';
import type { CommitRecord } from '../../../git/reading/commits.js';
import type { CommitState } from '../commit-states.js';
import type { Spot } from '../project-repository.service.js';
import { codeAddresses, PathSteps, type CodeAddresses, type CodeView } from './code-frame.js';
import { type RefChoices, RefSwitcher } from './ref-switcher.js';

const LOOKS: Readonly<Record<CommitState, { label: string; tone: Tone }>> = {
  pending: { label: 'Pending', tone: 'neutral' },
  running: { label: 'Running', tone: 'info' },
  success: { label: 'Passed', tone: 'success' },
  failed: { label: 'Failed', tone: 'danger' },
  canceled: { label: 'Canceled', tone: 'warning' },
  skipped: { label: 'Skipped', tone: 'neutral' },
};

/** State of a commit in external CI, as a word. */
export function CommitStateBadge({ state }: { state: CommitState }): VNode {
  const { label, tone } = LOOKS[state];
  return <Badge tone={tone}>{label}</Badge>;
}

interface CommitItemProps {
  commit: CommitRecord;
  addresses: CodeAddresses;
  /** State of the commit in external CI. */
  state?: CommitState | undefined;
}

/** One commit of a list. */
export function CommitItem({ commit, addresses, state }: CommitItemProps): VNode {
  const { id, authorName, committerName, committedDate } = commit;
  const actions = (
    <>
      {state !== undefined && <CommitStateBadge state={state} />}
      <CommitId id={id} addresses={addresses} />
      <CopyButton label="Copy commit ID" value={id} />
      <span class="max-sm:hidden">
        <ButtonLink href={addresses.tree(id)} variant="ghost" size="small">
          Files
          <span class="sr-only">{` at ${shortId(id)}`}</span>
        </ButtonLink>
      </span>
    </>
  );
  return (
    <Item title={<CommitTitle commit={commit} addresses={addresses} />} actions={actions}>
      {authorName}
      {committerName !== authorName && `, committed by ${committerName}`}
      {', '}
      <Time value={committedDate} />
    </Item>
  );
}

/** First line of the message, which leads to the commit. */
export function CommitTitle({ commit, addresses }: CommitItemProps): VNode {
  return (
    <a class="font-medium hover:underline" href={addresses.commit(commit.id)}>
      <TextWithCode text={titleOf(commit)} />
    </a>
  );
}

/** The beginning of its id, which leads to the commit. */
export function CommitId({ id, addresses }: { id: string; addresses: CodeAddresses }): VNode {
  return (
    <a class="prose-link commit-id" href={addresses.commit(id)}>
      {shortId(id)}
    </a>
  );
}

export function shortId(id: string): string {
  return id.slice(0, 8);
}

export function titleOf({ title }: Pick<CommitRecord, 'title'>): string {
  return title === '' ? 'No commit message' : title;
}

/** States by commit ID of the commits that external CI has reported. */
type CommitStates = ReadonlyMap<string, CommitState>;

interface CommitListProps {
  commits: readonly CommitRecord[];
  states?: CommitStates;
  addresses: CodeAddresses;
}

/** Commits in their order, under the days on which they were made. */
export function CommitList({ commits, states, addresses }: CommitListProps): VNode {
  return (
    <div class="grid grid-cols-1 gap-2.5">
      {byDay(commits).map(({ day, commits: ofDay }) => (
        <section key={ofDay[0]?.id} class="card">
          <header>
            <h2>
              <time dateTime={day}>{dayText(day)}</time>
            </h2>
          </header>
          <ItemList label={`Commits of ${dayText(day)}`}>
            {ofDay.map((commit) => (
              <CommitItem
                key={commit.id}
                commit={commit}
                state={states?.get(commit.id)}
                addresses={addresses}
              />
            ))}
          </ItemList>
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

interface CommitsPageProps extends CodeView {
  spot: Spot;
  commits: Slice<CommitRecord>;
  choices: RefChoices;
  states: CommitStates;
  paging: { page: number; perPage: number };
}

/** The history of a branch, or of one file or folder on it. */
export function CommitsPage(props: CommitsPageProps): VNode {
  const { project, spot, commits, choices, states, paging } = props;
  const addresses = codeAddresses(project);
  const { ref, path } = spot;
  const switcher = (
    <RefSwitcher
      action={addresses.switcher}
      choices={choices}
      current={ref}
      destination="commits"
      path={path}
    />
  );
  return (
    <>
      <PageHeader
        title={path === '' ? 'Commits' : 'History'}
        meta={path === '' ? undefined : <PathSteps {...{ project, spot, addresses }} />}
        actions={switcher}
      />
      {commits.items.length === 0 ? (
        <EmptyState title="No commits here" />
      ) : (
        <CommitList commits={commits.items} states={states} addresses={addresses} />
      )}
      <Pagination
        page={{ hasNext: commits.hasNext, total: null }}
        paging={paging}
        path={addresses.commits(ref, path)}
      />
    </>
  );
}
