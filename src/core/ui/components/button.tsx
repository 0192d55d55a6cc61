import type { ComponentChildren, VNode } from 'preact';
import { Icon } from './icon.js';

export type ButtonVariant = 'primary' | 'secondary' | 'outline' | 'ghost' | 'destructive';

interface Look {
  variant?: ButtonVariant;
  size?: 'small';
  children: ComponentChildren;
}

interface ButtonProps extends Look {
  type?: 'submit' | 'button';
  name?: string;
  value?: string;
  disabled?: boolean;
}

/** Sends the form it stands in. */
export function Button({ variant = 'primary', type = 'submit', ...props }: ButtonProps): VNode {
  const { size, children, ...attributes } = props;
  return (
    <button class="btn" data-variant={variant} data-size={size} type={type} {...attributes}>
      {children}
    </button>
  );
}

/** A link that looks like a button: it leads somewhere and changes nothing. */
export function ButtonLink({
  href,
  variant = 'primary',
  size,
  children,
}: Look & { href: string }): VNode {
  return (
    <a class="btn" data-variant={variant} data-size={size} href={href}>
      {children}
    </a>
  );
}

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
