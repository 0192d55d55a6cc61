import type { ComponentChildren, VNode } from 'preact';
import { Icon } from './icon.js';

interface OverflowMenuProps {
  /** Names the thing: "issue #3". */
  of: string;
  /** Buttons of rare or dangerous actions. */
  children: ComponentChildren;
}

/** The "⋯" button at the end of a page's actions; opens without a script. */
export function OverflowMenu({ of, children }: OverflowMenuProps): VNode {
  const label = `More actions for ${of}`;
  return (
    <details class="overflow">
      <summary class="icon-button" aria-label={label} title="More actions">
        <Icon name="ellipsis" />
      </summary>
      <div class="menu">{children}</div>
    </details>
  );
}
