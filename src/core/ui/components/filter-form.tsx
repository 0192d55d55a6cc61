import type { ComponentChildren, VNode } from 'preact';
import { Icon } from './icon.js';

interface FilterFormProps {
  /** Address of the list. */
  action: string;
  /** Name of the form for assistive technology. */
  label: string;
  /** Fields with the property `bare`, and a button. */
  children: ComponentChildren;
}

/** Filters of a list in one line; on narrow screens a button opens them. Reloads the page. */
export function FilterForm({ action, label, children }: FilterFormProps): VNode {
  return (
    <>
      <button
        type="button"
        class="btn filter-toggle"
        data-variant="outline"
        popovertarget="filters"
      >
        <Icon name="list-filter" />
        Filters
      </button>
      <form class="filters" id="filters" popover="auto" action={action} aria-label={label}>
        {children}
      </form>
    </>
  );
}
