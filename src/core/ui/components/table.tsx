import type { ComponentChildren, VNode } from 'preact';

export interface Column {
  label: string;
  /** `end` for numbers and buttons. */
  align?: 'end';
  /** The heading is for assistive technology only (a column of buttons). */
  hidden?: boolean;
}

interface TableProps {
  /** Accessible name of the table. */
  caption: string;
  columns: Column[];
  /** Cells follow the first one below it on narrow screens, for rows that are not compared. */
  stacked?: boolean;
  /** `<tr>`s, made with `Row`. */
  children: ComponentChildren;
}

/** Rows under headings; scrolls horizontally on narrow screens. */
export function Table({ caption, columns, stacked, children }: TableProps): VNode {
  return (
    <div class="table-container" role="region" aria-label={caption} tabIndex={0}>
      <table class={stacked === true ? 'table stacked' : 'table'}>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ label, align, hidden }) => (
              <th key={label} scope="col" class={align}>
                {hidden === true ? <span class="sr-only">{label}</span> : label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

/** A cell; `lead` for the name of the row, `wrap` for long text, `align="end"` for numbers. */
export function Cell({ align, wrap, lead, first, label, children }: CellProps): VNode {
  const classes = [align, wrap && 'wrap', lead && 'lead', first && 'first'];
  const name = classes.filter(Boolean).join(' ') || undefined;
  return (
    <td class={name} data-label={label}>
      {children}
    </td>
  );
}

interface CellProps {
  align?: 'end';
  wrap?: boolean;
  /** Takes the room that is left; a `<small>` in it is cut off where there is none. */
  lead?: boolean;
  /** Is the title of the row where its cells are stacked. */
  first?: boolean;
  /** Before the value where the cells of a row are stacked, for values that need one. */
  label?: string;
  children?: ComponentChildren;
}

/** The last cell of a row: its buttons. */
export function ActionsCell({ children }: { children?: ComponentChildren }): VNode {
  return (
    <td>
      <div class="actions">{children}</div>
    </td>
  );
}
