import type { ComponentChildren, VNode } from 'preact';

/** Nothing to list, and what to do about it. */
export function EmptyState({ title, children, action }: EmptyStateProps): VNode {
  return (
    <section class="empty">
      <header>
        <h2>{title}</h2>
        {children !== undefined && <p>{children}</p>}
      </header>
      {action !== undefined && <footer>{action}</footer>}
    </section>
  );
}

interface EmptyStateProps {
  title: string;
  children?: ComponentChildren;
  action?: ComponentChildren;
}

export type Tone =
  | 'neutral'
  | 'info'
  | 'success'
  | 'warning'
  | 'orange'
  | 'danger'
  | 'critical'
  | 'merged'
  | 'label';

/** A state in a word. */
export function Badge({ tone = 'neutral', children }: BadgeProps): VNode {
  return (
    <span class="badge" data-tone={tone}>
      {children}
    </span>
  );
}

interface BadgeProps {
  tone?: Tone;
  children: ComponentChildren;
}

interface CardProps {
  title?: string;
  actions?: ComponentChildren;
  /** The content reaches the edges: a table. */
  flush?: boolean;
  children: ComponentChildren;
}

/** A part of a page with an edge around it. */
export function Card({ title, actions, flush = false, children }: CardProps): VNode {
  return (
    <section class="card">
      {(title !== undefined || actions !== undefined) && (
        <header>
          {title !== undefined && <h2>{title}</h2>}
          {actions}
        </header>
      )}
      {flush ? children : <section>{children}</section>}
    </section>
  );
}

interface PageHeaderProps {
  title: ComponentChildren;
  /** State of the thing, beside its title. */
  state?: ComponentChildren;
  /** One sentence beside the title. */
  description?: ComponentChildren;
  /** Facts below the title. */
  meta?: ComponentChildren;
  /** At the right; one of them at most is primary. */
  actions?: ComponentChildren;
}

/** The only `h1` of a page, in one line with its state and its actions. */
export function PageHeader({ title, state, description, meta, actions }: PageHeaderProps): VNode {
  return (
    <div class="page-head">
      <div class="page-title">
        <h1>{title}</h1>
        {state}
        {description !== undefined && <div class="page-lead">{description}</div>}
      </div>
      {actions !== undefined && <div class="page-actions">{actions}</div>}
      {meta !== undefined && <div class="page-meta">{meta}</div>}
    </div>
  );
}

/** Names and values. */
export function DescriptionList({ items }: { items: Fact[] }): VNode {
  return (
    <dl class="facts">
      {items.map(({ label, value }) => (
        <div key={label} class="contents">
          <dt>{label}</dt>
          <dd>{value ?? <span class="text-muted-foreground">None</span>}</dd>
        </div>
      ))}
    </dl>
  );
}

export interface Fact {
  label: string;
  value: ComponentChildren;
}

interface LabelChipProps {
  /** `#rrggbb` of its dot; the text keeps the color of the page, so that every label is legible. */
  label: { name: string; color: string; description?: string | null };
  href: string;
}

/** A label in its color, leading to what bears it. */
export function LabelChip({ label: { name, color, description }, href }: LabelChipProps): VNode {
  return (
    <a class="badge" data-tone="label" href={href} title={description ?? undefined}>
      <Swatch color={color} />
      <span class="truncate">{name}</span>
    </a>
  );
}

/** A dot of any color; the content security policy allows no styles of elements. */
export function Swatch({ color }: { color: string }): VNode {
  return (
    <svg class="swatch" viewBox="0 0 8 8" aria-hidden="true">
      <circle cx="4" cy="4" r="4" fill={color} />
    </svg>
  );
}
