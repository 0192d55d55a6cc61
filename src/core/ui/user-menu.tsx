import type { VNode } from 'preact';
import type { Viewer } from '../access/viewer.js';
import { Avatar } from './components/avatar.js';
import { Form } from './components/form.js';

const LINKS = [
  { label: 'Profile', href: '/-/user_settings/profile' },
  { label: 'Access tokens', href: '/-/user_settings/personal_access_tokens' },
  { label: 'Applications', href: '/-/user_settings/applications' },
  { label: 'Sessions', href: '/-/user_settings/active_sessions' },
];

/** The user's own places and the way out; opens without a script. */
export function UserMenu({ viewer, csrfToken }: { viewer: Viewer; csrfToken: string }): VNode {
  return (
    <details class="menu">
      <summary>
        <Avatar name={viewer.name} owner={viewer} />
        <span class="sr-only">Your account, </span>
        <span class="max-w-40 truncate">{viewer.username}</span>
      </summary>
      <div>
        <p class="border-b px-2.5 pt-1 pb-2 break-words">
          <strong class="block font-semibold">{viewer.name}</strong>
          <span class="text-muted-foreground">@{viewer.username}</span>
        </p>
        <ul class="py-1">
          {LINKS.map(({ label, href }) => (
            <li key={href}>
              <a href={href}>{label}</a>
            </li>
          ))}
        </ul>
        <Form action="/users/sign_out" csrfToken={csrfToken} class="border-t pt-1">
          <button type="submit">Sign out</button>
        </Form>
      </div>
    </details>
  );
}
