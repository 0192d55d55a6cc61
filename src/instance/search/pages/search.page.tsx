import type { VNode } from 'preact';
import type { Page } from '../../../core/pagination/page.js';
import { filledAddress } from '../../../core/ui/addresses.js';
import { Button } from '../../../core/ui/components/button.js';
import {
  Badge,
  Card,
  EmptyState,
  PageHeader,
  type Tone,
} from '../../../core/ui/components/content.js';
import { Item, ItemList, Pagination } from '../../../core/ui/components/list.js';
import { Tabs } from '../../../core/ui/components/tabs.js';
import { Time } from '../../../core/ui/components/time.js';
import { MIN_TERM_LENGTH, PAGE_SCOPES, type PageScope } from '../search-query.js';
import { MAX_COUNT, type SearchCounts, type SearchHit } from '../search.repository.js';

const SCOPE_LABELS: Readonly<Record<PageScope, string>> = {
  projects: 'Projects',
  groups: 'Groups',
  users: 'People',
  issues: 'Issues',
  merge_requests: 'Merge requests',
  alerts: 'Alerts',
  errors: 'Errors',
  milestones: 'Milestones',
  snippet_titles: 'Snippets',
};

const STATE_LABELS: Readonly<Record<string, string>> = {
  opened: 'Open',
  active: 'Open',
  closed: 'Closed',
  merged: 'Merged',
  archived: 'Archived',
  triggered: 'Triggered',
  acknowledged: 'Acknowledged',
  unresolved: 'Unresolved',
  resolved: 'Resolved',
  ignored: 'Ignored',
};

const TONES: Readonly<Record<string, Tone>> = {
  opened: 'success',
  active: 'success',
  merged: 'merged',
  archived: 'warning',
  triggered: 'danger',
  acknowledged: 'warning',
  unresolved: 'danger',
  resolved: 'success',
};

interface Results {
  scope: PageScope;
  /** Those that the viewer can search. */
  scopes: readonly PageScope[];
  counts: SearchCounts;
  /** null if the search took too long. */
  page: Page<SearchHit> | null;
  paging: { page: number; perPage: number };
  /** The text finds only what is exactly equal. */
  isShort: boolean;
}

interface SearchPageProps {
  text: string;
  /** null without a text. */
  results: Results | null;
}

/** Results of a search in one scope, with tabs for the others. */
export function SearchPage({ text, results }: SearchPageProps): VNode {
  return (
    <>
      <PageHeader title="Search" />
      <form action="/search" role="search" class="search-form">
        <input
          class="control"
          type="search"
          name="search"
          value={text}
          aria-label="Search"
          placeholder="Projects, people, issues, merge requests, alerts, errors …"
          autocomplete="off"
          autofocus={text === ''}
        />
        {results !== null && results.counts[results.scope] !== 0 && (
          <input type="hidden" name="scope" value={results.scope} />
        )}
        <Button>Search</Button>
      </form>
      {results === null ? (
        <EmptyState title="Search names and titles">
          Quote several words to find them together.
        </EmptyState>
      ) : (
        <Found text={text} results={results} />
      )}
    </>
  );
}

function Found({ text, results }: { text: string; results: Results }): VNode {
  const { scope: current, scopes, counts, page, paging } = results;
  const address = (scope: PageScope): string => filledAddress('/search', { search: text, scope });
  const items = scopes.map((scope) => ({
    label: SCOPE_LABELS[scope],
    href: address(scope),
    count: countLabel(counts[scope]),
    isEmpty: counts[scope] === 0,
  }));
  const label = SCOPE_LABELS[current];
  return (
    <>
      <Tabs label="Scope" items={items} current={address(current)} />
      {page === null ? (
        <EmptyState title="The search took too long">
          Search in the list of a project instead.
        </EmptyState>
      ) : page.items.length === 0 ? (
        <Nothing {...results} />
      ) : (
        <Card flush>
          <ItemList label={label}>
            {page.items.map((hit) => (
              <Hit key={hit.id} hit={hit} />
            ))}
          </ItemList>
        </Card>
      )}
      {page !== null && (
        <Pagination
          page={page}
          paging={paging}
          path="/search"
          query={{ search: text, scope: current }}
        />
      )}
    </>
  );
}

function countLabel(count: number | null): string | number | null {
  if (count === null) return null;
  return count > MAX_COUNT ? `${MAX_COUNT}+` : count;
}

function Nothing({ scope, isShort }: Results): VNode {
  if (isShort) {
    return (
      <EmptyState title={`Enter at least ${MIN_TERM_LENGTH} characters`}>
        Shorter searches find only exact names.
      </EmptyState>
    );
  }
  return (
    <EmptyState title={`No ${SCOPE_LABELS[scope].toLowerCase()} match your search`}>
      Check the spelling, or use fewer words.
    </EmptyState>
  );
}

function Hit({ hit }: { hit: SearchHit }): VNode {
  const { title, reference, place, href, state, by, createdAt } = hit;
  const heading = (
    <>
      <a class="prose-link wrap-anywhere" href={href}>
        {title}
      </a>
      {state !== null && <Badge tone={TONES[state] ?? 'neutral'}>{STATE_LABELS[state]}</Badge>}
    </>
  );
  return (
    <Item title={heading}>
      {[reference, place].map((part) => part && `${part} · `)}
      {'created '}
      <Time value={createdAt} />
      {by !== null && ` by ${by}`}
    </Item>
  );
}

/** Groups of options for the list of the command palette. */
export function PaletteResults({ hits }: { hits: readonly SearchHit[] }): VNode {
  const groups = PAGE_SCOPES.map((scope) => ({
    label: SCOPE_LABELS[scope],
    hits: hits.filter((hit) => hit.scope === scope),
  }));
  return (
    <>
      {groups
        .filter(({ hits: found }) => found.length > 0)
        .map(({ label, hits: found }) => (
          <div key={label} role="group" aria-label={label}>
            <div aria-hidden="true">{label}</div>
            {found.map((hit) => (
              <a key={hit.id} role="option" href={hit.href}>
                <span>{hit.title}</span>
                <small>{paletteDetailOf(hit)}</small>
              </a>
            ))}
          </div>
        ))}
    </>
  );
}

function paletteDetailOf({ scope, reference, place, state }: SearchHit): string {
  const isDescribed = scope === 'projects' || scope === 'groups';
  const shown = state === 'opened' || state === 'active' ? null : state;
  return [reference, isDescribed ? null : place, shown && STATE_LABELS[shown]]
    .filter(Boolean)
    .join(' · ');
}
