import type { VNode } from 'preact';
import { SEARCH_SCOPES } from '../search-query.js';
import type { SearchHit } from '../search.repository.js';
import { SCOPE_LABELS, STATE_LABELS } from './search.page.js';

/** Groups of options for the list of the command palette. */
export function PaletteResults({ hits }: { hits: readonly SearchHit[] }): VNode {
  const groups = SEARCH_SCOPES.map((scope) => ({
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
                <small>{detailOf(hit)}</small>
              </a>
            ))}
          </div>
        ))}
    </>
  );
}

function detailOf({ scope, reference, place, state }: SearchHit): string {
  const isDescribed = scope === 'projects' || scope === 'groups';
  const shown = state === 'opened' || state === 'active' ? null : state;
  return [reference, isDescribed ? null : place, shown && STATE_LABELS[shown]]
    .filter(Boolean)
    .join(' · ');
}
