import type { ComponentChildren, VNode } from 'preact';
import { countText } from '../../../core/ui/amounts.js';
import { Avatar } from '../../../core/ui/components/avatar.js';
import { ButtonLink, OverflowMenu } from '../../../core/ui/components/button.js';
import { ConfirmButton } from '../../../core/ui/components/confirm-button.js';
import { Badge, PageHeader } from '../../../core/ui/components/content.js';
import { Icon } from '../../../core/ui/components/icon.js';
import { PostButton } from '../../../core/ui/components/form.js';
import { TodoButton } from '../../../core/ui/components/todo-button.js';
import { type Tab, Tabs } from '../../../core/ui/components/tabs.js';
import { Time } from '../../../core/ui/components/time.js';
import { isDraft } from '../drafts.js';
import type { ContentsCounts } from '../merge-request-contents.service.js';
import type { FoundMergeRequest, MergeRequestRow } from '../sql/merge-requests.js';
import {
  type MergeRequestPageContext,
  mayChangeHere,
  mayDeleteHere,
} from './merge-request-page-context.js';

/** Counters of tabs stay short. */
const MAX_SHOWN = 999;

interface MergeRequestFrameProps {
  csrfToken: string;
  context: MergeRequestPageContext;
  row: FoundMergeRequest;
  /** null when the repository cannot be read at the moment. */
  counts: ContentsCounts | null;
  current: 'overview' | 'commits' | 'diffs';
  children: ComponentChildren;
}

/** The heading of a merge request, what can be done with it, and the tabs of its pages. */
export function MergeRequestFrame(props: MergeRequestFrameProps): VNode {
  const { context, row, counts, current, children } = props;
  const path = `${context.path}/${row.iid}`;
  const addresses = { overview: path, commits: `${path}/commits`, diffs: `${path}/diffs` };
  const items = [
    { label: 'Overview', href: addresses.overview, ...counter(row.userNotesCount, 'comment') },
    { label: 'Commits', href: addresses.commits, ...counter(counts?.commits, 'commit') },
    { label: 'Changes', href: addresses.diffs, ...counter(counts?.files, 'file') },
  ];
  return (
    <>
      <PageHeader
        title={<Title row={row} />}
        meta={<Summary context={context} row={row} />}
        actions={
          <>
            <TodoButton target={{ type: 'merge_request', id: row.id, projectId: row.projectId }} />
            <Actions {...props} />
          </>
        }
      />
      <Tabs label="Merge request" items={items} current={addresses[current]} />
      {children}
    </>
  );
}

/** Returns the counter of a tab; none for what is not known. */
function counter(count: number | null | undefined, noun: string): Pick<Tab, 'count' | 'noun'> {
  if (count == null) return {};
  const shown = count > MAX_SHOWN ? `${countText(MAX_SHOWN)}+` : countText(count);
  return { count: shown, noun: count === 1 ? noun : `${noun}s` };
}

function Title({ row }: Pick<MergeRequestFrameProps, 'row'>): VNode {
  return (
    <>
      {row.title} <span class="text-muted-foreground font-normal">!{row.iid}</span>
    </>
  );
}

function Summary({ context, row }: Pick<MergeRequestFrameProps, 'context' | 'row'>): VNode {
  const { state, sourceBranch, targetBranch, createdAt, mergedBy, mergedAt } = row;
  const [person, verb, time] =
    state === 'merged'
      ? [mergedBy ?? row.author, ' merged ', mergedAt ?? createdAt]
      : [row.author, state === 'opened' ? ' wants to merge ' : ' wanted to merge ', createdAt];
  const href = (branch: string): string | null =>
    state === 'opened' ? context.code.tree(branch) : null;
  return (
    <div class="flex flex-wrap items-center gap-2">
      <StateBadge state={state} />
      <MergeRequestMarks row={row} />
      <Avatar name={person.name} owner={person} />
      <span>
        <a class="prose-link" href={`/${person.username}`}>
          {person.name}
        </a>
        {verb}
        <BranchName name={sourceBranch} href={href(sourceBranch)} />
        {' into '}
        <BranchName name={targetBranch} href={href(targetBranch)} />
        {' · '}
        <Time value={time} />
      </span>
    </div>
  );
}

function Actions({ csrfToken, context, row }: MergeRequestFrameProps): VNode | null {
  if (!mayChangeHere(context, row)) return null;
  const path = `${context.path}/${row.iid}`;
  const isOpen = row.state === 'opened';
  return (
    <>
      <ButtonLink href={`${path}/edit`} variant="outline">
        Edit
      </ButtonLink>
      {row.state !== 'merged' && (
        <PostButton
          action={`${path}/state`}
          csrfToken={csrfToken}
          fields={{ state_event: isOpen ? 'close' : 'reopen' }}
        >
          {`${isOpen ? 'Close' : 'Reopen'} merge request`}
        </PostButton>
      )}
      {mayDeleteHere(context) && (
        <OverflowMenu of={`merge request !${row.iid}`}>
          <ConfirmButton
            label="Delete"
            title={`Delete merge request !${row.iid}?`}
            question={`This permanently deletes !${row.iid} and its comments. Branches are kept.`}
            confirm="Delete merge request"
            action={`${path}/delete`}
            csrfToken={csrfToken}
          />
        </OverflowMenu>
      )}
    </>
  );
}

/** Open, closed or merged. */
export function StateBadge({ state }: Pick<MergeRequestRow, 'state'>): VNode {
  const { icon, label } = STATE_ICONS[state];
  return (
    <Badge tone={TONES[state]}>
      <Icon name={icon} /> {label}
    </Badge>
  );
}

/** Open, draft, merged or closed, as an icon before a title. */
export function StateIcon({ row }: { row: Pick<MergeRequestRow, 'state' | 'title'> }): VNode {
  const state = row.state === 'opened' && isDraft(row.title) ? 'draft' : row.state;
  const { icon, label } = STATE_ICONS[state];
  return (
    <span class="state" data-state={state} title={label}>
      <Icon name={icon} />
      <span class="sr-only">{label}</span>
    </span>
  );
}

const STATE_ICONS = {
  opened: { icon: 'git-pull-request', label: 'Open' },
  draft: { icon: 'git-pull-request-draft', label: 'Draft' },
  merged: { icon: 'git-merge', label: 'Merged' },
  closed: { icon: 'git-pull-request-closed', label: 'Closed' },
} as const;

const TONES = { opened: 'success', merged: 'merged', closed: 'neutral' } as const;

/** Badges of a merge request: draft, locked. */
export function MergeRequestMarks({ row }: { row: MergeRequestRow }): VNode {
  return (
    <>
      {isDraft(row.title) && <Badge tone="warning">Draft</Badge>}
      {row.discussionLocked && <Badge>Discussion locked</Badge>}
    </>
  );
}

interface BranchNameProps {
  name: string;
  /** Address of its files; null for a branch that can be gone. */
  href: string | null;
}

/** The name of a branch, set apart from the text around it. */
function BranchName({ name, href }: BranchNameProps): VNode {
  const look = 'bg-muted text-foreground rounded px-1.5 py-0.5 font-mono wrap-anywhere';
  if (href === null) return <span class={look}>{name}</span>;
  return (
    <a class={`${look} hover:underline`} href={href}>
      {name}
    </a>
  );
}
