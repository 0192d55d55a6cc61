import type { VNode } from 'preact';
import { TextParam } from '../../../core/params/params.decorator.js';
import { Button } from '../../../core/ui/components/button.js';
import { SelectField } from '../../../core/ui/components/choice-fields.js';
import { Tabs } from '../../../core/ui/components/tabs.js';
import { TextField } from '../../../core/ui/components/text-field.js';
import type { IssuableFiltersDto } from '../issuable.dto.js';
import { FilterForm } from '../../../core/ui/components/filter-form.js';

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
      items={tabs.map(({ label, state, count }) => ({ label, count, href: address(state) }))}
      current={address(query.state ?? 'opened')}
    />
  );
}

interface FiltersProps {
  path: string;
  query: ListQuery;
  /** Roles of users to filter by. */
  roles: readonly ('author' | 'assignee' | 'reviewer')[];
  orders: Record<string, { label: string }>;
}

/** Filters of a list. */
export function Filters({ path, query, roles, orders }: FiltersProps): VNode {
  return (
    <FilterForm action={path} label="Filters">
      <input type="hidden" name="state" value={query.state ?? 'opened'} />
      <TextField type="search" name="search" label="Search" value={query.search} bare />
      <TextField name="label" label="Label" value={query.label} bare />
      <TextField
        name="milestone"
        label="Milestone"
        value={query.milestone}
        placeholder="Title, none or any"
        bare
      />
      {roles.map((role) => (
        <TextField
          key={role}
          name={role}
          label={role.charAt(0).toUpperCase() + role.slice(1)}
          value={query[role]}
          placeholder={role === 'author' ? 'Username' : 'Username, none or any'}
          bare
        />
      ))}
      <SelectField
        name="order"
        label="Order"
        options={Object.entries(orders).map(([value, { label }]) => ({ value, label }))}
        value={query.order}
        bare
      />
      <Button variant="outline">Apply</Button>
    </FilterForm>
  );
}
