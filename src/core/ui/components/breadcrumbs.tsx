import type { VNode } from 'preact';
import type { Crumb } from '../shell.js';

/** The way to the page; the page itself comes last. */
export function Breadcrumbs({ crumbs, title }: { crumbs: Crumb[]; title: string }): VNode {
  return (
    <nav class="breadcrumb" aria-label="Breadcrumb">
      <ol>
        {crumbs.map(({ label, href }) => (
          <li key={href ?? label}>{href === undefined ? label : <a href={href}>{label}</a>}</li>
        ))}
        <li>
          <span aria-current="page">{title}</span>
        </li>
      </ol>
    </nav>
  );
}
