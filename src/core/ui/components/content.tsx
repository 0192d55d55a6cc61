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

export type Tone = 'neutral' | 'info' | 'success' | 'warning' | 'danger';

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
  description?: ComponentChildren;
  actions?: ComponentChildren;
}

/** The heading of a page with what can be done there. */
export function PageHeader({ title, description, actions }: PageHeaderProps): VNode {
  return (
    <div class="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div class={`min-w-0 grow ${description === undefined ? 'basis-56' : 'basis-80'}`}>
        <h1 class="break-words">{title}</h1>
        {description !== undefined && (
          <p class="text-muted-foreground mt-1 max-w-2xl text-pretty">{description}</p>
        )}
      </div>
      {actions !== undefined && <div class="flex flex-wrap gap-2">{actions}</div>}
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
