import type { ComponentChildren, VNode } from 'preact';

interface ItemListProps {
  /** Accessible name of the list. */
  label: string;
  /** `Item`s. */
  children: ComponentChildren;
}

/** Few things of a kind with much to say about each, where a table would be too wide. */
export function ItemList({ label, children }: ItemListProps): VNode {
  return (
    <ul class="divide-y" aria-label={label}>
      {children}
    </ul>
  );
}

interface ItemProps {
  /** In a live region: keeps what someone opened in it where it was. */
  id?: string;
  title: ComponentChildren;
  /** Its buttons; below the text on narrow screens. */
  actions?: ComponentChildren;
  /** Secondary details of the item. */
  children?: ComponentChildren;
}

/** One of an `ItemList`. */
export function Item({ id, title, actions, children }: ItemProps): VNode {
  return (
    <li
      id={id}
      class="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3 text-sm has-[.confirm[open]]:items-start"
    >
      <div class="min-w-0 grow basis-60 break-words">
        <div class="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">{title}</div>
        {children !== undefined && <div class="text-muted-foreground mt-1">{children}</div>}
      </div>
      {actions !== undefined && <div class="flex flex-wrap items-start gap-2">{actions}</div>}
    </li>
  );
}
