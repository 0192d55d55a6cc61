import type { ComponentChildren, VNode } from 'preact';

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
