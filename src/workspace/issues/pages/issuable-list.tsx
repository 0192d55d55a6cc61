import type { ComponentChildren, VNode } from 'preact';
import { TextParam } from '../../../core/params/params.decorator.js';
import { COUNTED_RECORDS } from '../../../core/sql/list-query.js';
import { Avatars } from '../../../core/ui/components/avatar.js';
import { Icon } from '../../../core/ui/components/icon.js';
import { Item } from '../../../core/ui/components/list.js';
import { suggestionsOf } from '../../../core/ui/components/text-field.js';
import { Time } from '../../../core/ui/components/time.js';
import { counted } from '../../../core/ui/amounts.js';
import { addressOfTerms } from '../../../core/ui/filter-terms.js';
import type { UserBasics } from '../../../identity/users/user.presenter.js';
import { Tabs } from '../../../core/ui/components/tabs.js';
import type { IssuableFiltersDto } from '../issuable.dto.js';
import { FilterBar } from '../../../core/ui/components/filter-bar.js';

/** Filters that the lists of issues and merge requests have in their addresses. */
export class IssuableQuery {
  @TextParam()
  search?: string | null;

  @TextParam()
  label?: string | null;

  @TextParam()
  milestone?: string | null;

  @TextParam()
  assignee?: string | null;
}

/** The filters with those that only one of the lists has. */
interface ListQuery extends IssuableQuery {
  state?: string | null;
  author?: string | null;
  reviewer?: string | null;
  order?: string | null;
}

/** Returns the parameters of the list for the common filters. */
export function commonFilters({
  search,
  label,
  milestone,
  assignee,
}: IssuableQuery): Partial<IssuableFiltersDto> {
  const name = nameIn(assignee);
  return {
    ...(search && { search }),
    ...(label && { labels: [label] }),
    ...(milestone && { milestone }),
    ...(name && (isNoneOrAny(name) ? { assignee_id: name } : { assignee_username: [name] })),
  };
}

/** Returns a username, which can be written with `@`. */
export function nameIn(text: string | null | undefined): string {
  return text?.trim().replace(/^@/, '') ?? '';
}

/** Returns true for v4's `None` and `Any`. */
export function isNoneOrAny(name: string): boolean {
  return /^(?:none|any)$/i.test(name);
}

const KEPT = ['search', 'label', 'milestone', 'author', 'assignee', 'reviewer', 'order'] as const;

/** Returns the filters without the state and the page, which the tabs of the list keep. */
export function keptFilters(query: ListQuery): URLSearchParams {
  const kept = KEPT.map((name) => [name, query[name] ?? '']);
  return new URLSearchParams(kept.filter(([, value]) => value !== ''));
}

/** Returns true if the list is filtered by more than the state. */
export function isFiltered(query: ListQuery): boolean {
  return keptFilters({ ...query, order: null }).size > 0;
}

interface StateTabsProps {
  path: string;
  query: ListQuery;
  tabs: { label: string; state: string; count: number }[];
}

/** Tabs of a list by state, with the filters of the list. */
export function StateTabs({ path, query, tabs }: StateTabsProps): VNode {
  const address = (state: string): string => {
    const params = keptFilters(query);
    params.set('state', state);
    return `${path}?${params.toString()}`;
  };
  return (
    <Tabs
      label="State"
      items={tabs.map(({ label, state, count }) => ({
        label,
        count: count > COUNTED_RECORDS ? `${COUNTED_RECORDS.toLocaleString('en')}+` : count,
        href: address(state),
      }))}
      current={address(query.state ?? 'opened')}
    />
  );
}

/** Returns the address with the typed terms (`label:bug is:closed`) as parameters; null without any. */
export function addressOfTyped(path: string, raw: Record<string, unknown>): string | null {
  return addressOfTerms(path, raw, {
    names: ['label', 'milestone', 'author', 'assignee', 'reviewer'],
    lists: ['label'],
    is: {
      open: { state: 'opened' },
      opened: { state: 'opened' },
      closed: { state: 'closed' },
      merged: { state: 'merged' },
      all: { state: 'all' },
    },
  });
}

interface FiltersProps {
  projectId: number;
  path: string;
  query: ListQuery;
  /** Roles of users to filter by. */
  roles: readonly ('author' | 'assignee' | 'reviewer')[];
  orders: Record<string, { label: string }>;
}

/** Filters of a list. */
export function Filters({ projectId, path, query, roles, orders }: FiltersProps): VNode {
  return (
    <FilterBar
      projectId={projectId}
      path={path}
      search={query.search}
      kept={{ state: query.state }}
      fields={[
        ...roles.map((role) => ({
          name: role,
          label: role.charAt(0).toUpperCase() + role.slice(1),
          value: query[role],
          source: suggestionsOf(path, 'users', { any: role !== 'author' }),
          placeholder: role === 'author' ? 'Username' : 'Username, none or any',
        })),
        {
          name: 'label',
          label: 'Label',
          value: query.label,
          source: suggestionsOf(path, 'labels', { any: true }),
          isList: true,
        },
        {
          name: 'milestone',
          label: 'Milestone',
          value: query.milestone,
          source: suggestionsOf(path, 'milestones', { any: true }),
          placeholder: 'Title, none or any',
        },
      ]}
      sort={{
        name: 'order',
        options: Object.entries(orders).map(([value, { label }]) => ({ value, label })),
        value: query.order,
      }}
    />
  );
}

interface IssuableItemProps {
  /** Its checkbox. */
  select?: VNode | undefined;
  row: {
    title: string;
    createdAt: Date;
    author: UserBasics;
    assignees: readonly UserBasics[];
    milestone: { title: string } | null;
    userNotesCount: number;
  };
  href: string;
  /** `#7` or `!7`. */
  reference: string;
  state: VNode;
  /** Badges and labels beside the title. */
  marks: ComponentChildren;
  /** Before the reference. */
  facts?: ComponentChildren;
  reviewers?: readonly UserBasics[];
}

/** One issue or merge request of a list. */
export function IssuableItem({ row, href, reference, state, ...props }: IssuableItemProps): VNode {
  const { title, author, assignees, milestone, userNotesCount } = row;
  return (
    <Item
      select={props.select}
      title={
        <>
          {state}
          <a class="wrap-anywhere" href={href}>
            {title}
          </a>
        </>
      }
      chips={props.marks}
    >
      <span class="item-facts">
        {props.facts}
        {milestone !== null && (
          <span class="max-sm:hidden" title="Milestone">
            <Icon name="milestone" /> {milestone.title}
          </span>
        )}
        {userNotesCount > 0 && (
          <span class="max-sm:order-1" title={counted(userNotesCount, 'comment')}>
            <Icon name="message-square" /> {userNotesCount}
            <span class="sr-only"> comments</span>
          </span>
        )}
        <span>{reference}</span>
        <span>
          <Time value={row.createdAt} />
          <span class="max-sm:hidden">
            by <a href={`/${author.username}`}>{author.name}</a>
          </span>
        </span>
        <Avatars label="Reviewers" users={props.reviewers ?? []} />
        <Avatars label="Assignees" users={assignees} />
      </span>
    </Item>
  );
}
