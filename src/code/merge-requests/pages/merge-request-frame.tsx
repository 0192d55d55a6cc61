import type { ComponentChildren, VNode } from 'preact';
import { ButtonLink } from '../../../core/ui/components/button.js';
import { ConfirmButton } from '../../../core/ui/components/confirm-button.js';
import { Badge } from '../../../core/ui/components/content.js';
import { PostButton } from '../../../core/ui/components/form.js';
import { Tabs } from '../../../core/ui/components/tabs.js';
import { Time } from '../../../core/ui/components/time.js';
import { isDraft } from '../drafts.js';
import type { FoundMergeRequest, MergeRequestRow } from '../sql/merge-request-columns.js';
import {
  mayChangeHere,
  mayDeleteHere,
  type MergeRequestPageContext,
  ProjectLayout,
} from './merge-request-page-context.js';

export interface MergeRequestFrameProps {
  csrfToken: string;
  place: MergeRequestPageContext;
  row: FoundMergeRequest;
  current: 'overview' | 'commits' | 'diffs';
  children: ComponentChildren;
}

/** The heading of a merge request, what can be done with it, and the tabs of its pages. */
export function MergeRequestFrame(props: MergeRequestFrameProps): VNode {
  const { place, row, current, children } = props;
  const path = `${place.path}/${row.iid}`;
  const addresses = { overview: path, commits: `${path}/commits`, diffs: `${path}/diffs` };
  const items = [
    { label: 'Overview', href: addresses.overview },
    { label: 'Commits', href: addresses.commits },
    { label: 'Changes', href: addresses.diffs },
  ];
  return (
    <ProjectLayout
      place={place}
      title={<Title row={row} />}
      description={<Summary place={place} row={row} />}
      actions={<Actions {...props} />}
    >
      <Tabs label="Merge request" items={items} current={addresses[current]} variant="pills" />
      {children}
    </ProjectLayout>
  );
}

function Title({ row }: Pick<MergeRequestFrameProps, 'row'>): VNode {
  return (
    <>
      {row.title} <span class="text-muted-foreground font-normal">!{row.iid}</span>
    </>
  );
}

function Summary({ place, row }: Pick<MergeRequestFrameProps, 'place' | 'row'>): VNode {
  const { state, author, sourceBranch, targetBranch, createdAt } = row;
  const href = (branch: string): string | null =>
    state === 'opened' ? place.code.tree(branch) : null;
  return (
    <div class="flex flex-wrap items-center gap-2">
      <StateBadge state={state} />
      <MergeRequestMarks row={row} />
      <span>
        <a class="prose-link" href={`/${author.username}`}>
          {author.name}
        </a>
        {state === 'merged' ? ' proposed ' : ' proposes '}
        <BranchName name={sourceBranch} href={href(sourceBranch)} />
        {' for '}
        <BranchName name={targetBranch} href={href(targetBranch)} />
        {', opened '}
        <Time value={createdAt} />
      </span>
    </div>
  );
}

function Actions({ csrfToken, place, row }: MergeRequestFrameProps): VNode | null {
  if (!mayChangeHere(place, row)) return null;
  const path = `${place.path}/${row.iid}`;
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
      {mayDeleteHere(place) && (
        <ConfirmButton
          label="Delete"
          question={`!${row.iid} and what was said about it will be gone for good. Its branches stay.`}
          confirm="Delete merge request"
          action={`${path}/delete`}
          csrfToken={csrfToken}
        />
      )}
    </>
  );
}

/** Open, closed or merged. */
export function StateBadge({ state }: Pick<MergeRequestRow, 'state'>): VNode {
  if (state === 'opened') return <Badge tone="success">Open</Badge>;
  return state === 'merged' ? <Badge tone="info">Merged</Badge> : <Badge>Closed</Badge>;
}

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
  const look = 'bg-muted text-foreground rounded px-1.5 py-0.5 font-mono break-all';
  if (href === null) return <span class={look}>{name}</span>;
  return (
    <a class={`${look} hover:underline`} href={href}>
      {name}
    </a>
  );
}
