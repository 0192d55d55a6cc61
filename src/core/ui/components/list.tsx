import type { ComponentChildren, VNode } from 'preact';
import { DEFAULT_PER_PAGE, MAX_PER_PAGE } from '../../pagination/paging.decorator.js';
import { filledAddress } from '../addresses.js';
import { ButtonLink } from './button.js';

interface ItemListProps {
  /** Accessible name of the list. */
  label: string;
  /** Begins all details in one line where there is room. */
  aligned?: boolean;
  /** `Item`s. */
  children: ComponentChildren;
}

/** Things of a kind, one line for each where there is room. */
export function ItemList({ label, aligned, children }: ItemListProps): VNode {
  return (
    <ul class={aligned === true ? 'aligned' : undefined} aria-label={label}>
      {children}
    </ul>
  );
}

interface ItemProps {
  /** In a live region: keeps what someone opened in it where it was. */
  id?: string;
  /** Its checkbox. */
  select?: VNode | undefined;
  title: ComponentChildren;
  /** Badges and labels, the most important first: those that do not fit beside the title are left out. */
  chips?: ComponentChildren;
  /** Its buttons. */
  actions?: ComponentChildren;
  /** Secondary details of the item. */
  children?: ComponentChildren;
}

/** One of an `ItemList`. */
export function Item({ id, select, title, chips, actions, children }: ItemProps): VNode {
  return (
    <li id={id} class="item">
      {select}
      <div class="item-title">{title}</div>
      {chips !== undefined && <div class="item-chips">{chips}</div>}
      {children !== undefined && <div class="item-detail">{children}</div>}
      {actions !== undefined && <div class="item-actions">{actions}</div>}
    </li>
  );
}

interface PaginationProps {
  /** Listed page: `Page` of a service. */
  page: { hasNext: boolean; total: number | null };
  /** Requested paging: `@Pages()`. */
  paging: { page: number; perPage: number };
  path: string;
  /** Filters that the other pages keep. */
  query?: Record<string, string | number | null | undefined>;
}

/**
 * Returns the parameters of a page of a list, as far as they differ from nothing. A size that no
 * request can ask for is the list's own.
 */
export function pagingParams({ page, perPage }: PaginationProps['paging']) {
  const isAsked = perPage !== DEFAULT_PER_PAGE && perPage <= MAX_PER_PAGE;
  return { page: page > 1 ? page : null, per_page: isAsked ? perPage : null };
}

/** To the pages before and after; nothing when there is only one. */
export function Pagination({ page, paging, path, query = {} }: PaginationProps): VNode | null {
  if (paging.page === 1 && !page.hasNext) return null;
  const { per_page } = pagingParams(paging);
  const address = (page: number): string => filledAddress(path, { ...query, page, per_page });
  return (
    <nav class="flex flex-wrap items-center gap-3" aria-label="Pagination">
      {paging.page > 1 && (
        <ButtonLink href={address(paging.page - 1)} variant="outline" size="small">
          Previous
        </ButtonLink>
      )}
      <span class="text-muted-foreground">{position(paging, page.total)}</span>
      {page.hasNext && (
        <ButtonLink href={address(paging.page + 1)} variant="outline" size="small">
          Next
        </ButtonLink>
      )}
    </nav>
  );
}

function position({ page, perPage }: PaginationProps['paging'], total: number | null): string {
  if (total === null) return `Page ${page}`;
  return `Page ${page} of ${Math.max(1, Math.ceil(total / perPage))}`;
}

/** Buttons at the end of a bar with bulk actions: select all rows of the page, or none. */
export function BulkSelection(): VNode {
  return (
    <>
      <button
        class="btn"
        data-variant="ghost"
        data-size="small"
        type="button"
        data-select-all
        hidden
      >
        Select all
      </button>
      <button class="btn" data-variant="ghost" data-size="small" type="reset">
        Clear
      </button>
    </>
  );
}
