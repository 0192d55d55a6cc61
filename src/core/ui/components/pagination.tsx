import type { VNode } from 'preact';
import { filledAddress } from '../filled-address.js';
import { ButtonLink } from './button.js';

interface PaginationProps {
  /** Listed page: `Page` of a service. */
  page: { hasNext: boolean; total: number | null };
  /** Requested paging: `@Pages()`. */
  paging: { page: number; perPage: number };
  path: string;
  /** Filters that the other pages keep. */
  query?: Record<string, string | number | null | undefined>;
}

/** To the pages before and after; nothing when there is only one. */
export function Pagination({ page, paging, path, query = {} }: PaginationProps): VNode | null {
  if (paging.page === 1 && !page.hasNext) return null;
  const address = (number: number): string => filledAddress(path, { ...query, page: number });
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
