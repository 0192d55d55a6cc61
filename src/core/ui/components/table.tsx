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
  /** Cells stand below one another on narrow screens, for rows that are read and not compared. */
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

/** A cell; `wrap` for long text, `align="end"` for numbers. */
export function Cell({ align, wrap, children }: CellProps): VNode {
  return (
    <td class={[align, wrap === true ? 'wrap' : ''].join(' ').trim() || undefined}>{children}</td>
  );
}

interface CellProps {
  align?: 'end';
  wrap?: boolean;
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
