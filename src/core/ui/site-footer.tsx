import type { VNode } from 'preact';

/** Footer of every page. */
export function SiteFooter({ version }: { version: string }): VNode {
  return (
    <footer class="foot">
      <ul>
        <li>Guildhall {version}</li>
        <li>
          <a href="/explore">Explore</a>
        </li>
        <li>
          <a href="/-/docs/api">API</a>
        </li>
      </ul>
    </footer>
  );
}
