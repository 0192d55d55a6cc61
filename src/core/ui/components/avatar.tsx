import type { VNode } from 'preact';
import { avatarPath, type AvatarKind, type AvatarOwner } from '../../avatars/avatar.js';
import { Button } from './button.js';
import { Card } from './content.js';
import { controlAttributes, Field } from './field.js';
import { Form, FormActions, PostButton } from './form.js';

interface AvatarProps {
  name: string;
  /** Whose image is shown; without one, or without an image, the initials are. */
  owner?: AvatarOwner | null | undefined;
  kind?: AvatarKind;
  size?: 'large' | undefined;
}

/** Edge length on the page in CSS pixels; the image has twice as many for dense screens. */
const EDGES = { small: 32, large: 48 };

/** Avatars of a row. */
const MOST_SHOWN = 3;

/** Number of colours of initials; the style sheet has them. */
const HUES = 8;

/** A picture or initials beside a name that is written out: nothing for assistive technology. */
export function Avatar({ name, owner, kind = 'user', size }: AvatarProps): VNode {
  const edge = EDGES[size ?? 'small'];
  const path = owner ? avatarPath(kind, owner, edge * 2) : null;
  if (path === null) {
    return (
      <span
        class="avatar"
        data-size={size}
        data-kind={kind}
        data-hue={owner ? owner.id % HUES : undefined}
        aria-hidden="true"
      >
        {initials(name)}
      </span>
    );
  }
  return (
    <img
      class="avatar"
      data-size={size}
      data-kind={kind}
      src={path}
      alt=""
      width={edge}
      height={edge}
      loading="lazy"
      decoding="async"
    />
  );
}

interface PersonProps {
  name: string;
  owner?: AvatarOwner | null | undefined;
  href?: string;
  /** Smaller, below the name: `@ada`. */
  detail?: string;
  kind?: AvatarKind;
}

/** A user, group or project in a list. */
export function Person({ name, owner, href, detail, kind = 'user' }: PersonProps): VNode {
  return (
    <span class="person">
      <Avatar name={name} owner={owner} kind={kind} />
      <span>
        {href === undefined ? (
          name
        ) : (
          <a class="prose-link" href={href}>
            {name}
          </a>
        )}
        {detail !== undefined && <small>{detail}</small>}
      </span>
    </span>
  );
}

/** A user with a link to their page. */
export function UserLink({
  user,
}: {
  user: AvatarOwner & { name: string; username: string };
}): VNode {
  const { name, username } = user;
  return <Person name={name} owner={user} href={`/${username}`} detail={`@${username}`} />;
}

/** First letters of the first and the last word, as whole characters; of `Acme / Web Shop`: WS. */
function initials(name: string): string {
  const words = name
    .replace(/^.* \/ /, '')
    .split(/[\s._/-]+/)
    .filter((word) => word !== '');
  const picked = words.length > 1 ? [words.at(0), words.at(-1)] : words.slice(0, 1);
  return picked.map((word) => [...(word ?? '')][0] ?? '').join('');
}

interface AvatarsProps {
  /** Their role: `Assignees`. */
  label: string;
  users: readonly (AvatarOwner & { name: string })[];
}

/** Users of an item of a list; their names are for the pointer and for assistive technology. */
export function Avatars({ label, users }: AvatarsProps): VNode | null {
  if (users.length === 0) return null;
  const names = `${label}: ${users.map(({ name }) => name).join(', ')}`;
  return (
    <span class="avatars" title={names}>
      <span class="sr-only">{names}</span>
      {users.slice(0, MOST_SHOWN).map((user) => (
        <Avatar key={user.id} name={user.name} owner={user} />
      ))}
      {users.length > MOST_SHOWN && <span>+{users.length - MOST_SHOWN}</span>}
    </span>
  );
}

interface AvatarCardProps {
  /** Takes the field `avatar`: a file, or an empty text to remove the avatar. */
  action: string;
  csrfToken: string;
  kind: AvatarKind;
  owner: AvatarOwner & { name: string };
  errors: string[] | undefined;
}

/** Shows the current avatar, with forms to replace and to remove it. */
export function AvatarCard({ action, csrfToken, kind, owner, errors }: AvatarCardProps): VNode {
  const field = {
    name: 'avatar',
    label: 'Image',
    hint: 'PNG, JPEG, GIF or WebP, at most 200 KiB. Images are cropped to a square.',
    errors,
    required: true,
  };
  const attributes: object = { ...controlAttributes(field) };
  return (
    <Card title="Avatar">
      <div class="flex flex-wrap items-start gap-4">
        <Avatar name={owner.name} owner={owner} kind={kind} size="large" />
        <div class="grid min-w-0 grow gap-3">
          <Form action={action} csrfToken={csrfToken} label="Avatar" enctype="multipart/form-data">
            <Field {...field}>
              <input
                class="control"
                type="file"
                accept="image/png,image/jpeg,image/gif,image/webp"
                {...attributes}
              />
            </Field>
            <FormActions>
              <Button variant="outline">Upload avatar</Button>
            </FormActions>
          </Form>
          {owner.avatar !== null && (
            <PostButton action={action} csrfToken={csrfToken} fields={{ avatar: '' }}>
              Remove avatar
            </PostButton>
          )}
        </div>
      </div>
    </Card>
  );
}
