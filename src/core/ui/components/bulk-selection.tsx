import type { VNode } from 'preact';

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
