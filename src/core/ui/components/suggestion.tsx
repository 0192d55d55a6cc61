import type { ComponentChildren, VNode } from 'preact';

interface SuggestionProps {
  /** Text that completes the field. */
  value: string;
  detail?: string;
  children: ComponentChildren;
}

/** One of the completions of a field (`data-source`, `data-marks`). */
export function Suggestion({ value, detail = '', children }: SuggestionProps): VNode {
  return (
    <li role="option" data-value={value}>
      {children}
      {detail !== '' && <small>{detail}</small>}
    </li>
  );
}

/** Kinds of suggestions of a project. */
type SuggestionKind = 'branches' | 'issues' | 'labels' | 'merge_requests' | 'milestones' | 'users';

/**
 * Returns the address of suggestions for a page of a project; undefined elsewhere. With `any` they
 * begin with "None" and "Any", for filters.
 */
export function suggestionsOf(
  page: string,
  kind: SuggestionKind,
  { any = false } = {},
): string | undefined {
  const end = page.indexOf('/-/');
  if (end < 1 || page.startsWith('/groups/')) return undefined;
  return `${page.slice(0, end)}/-/suggestions/${kind}${any ? '?any=1' : ''}`;
}

/** Returns the addresses of suggestions by the mark that asks for them in a text. */
export function suggestionMarks(page: string): Record<string, string> | undefined {
  const kinds = { '@': 'users', '#': 'issues', '!': 'merge_requests', '~': 'labels' } as const;
  const marks = Object.entries(kinds).flatMap(([mark, kind]) => {
    const address = suggestionsOf(page, kind);
    return address === undefined ? [] : [[mark, address] as const];
  });
  return marks.length === 0 ? undefined : Object.fromEntries(marks);
}
