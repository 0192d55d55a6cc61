/** Everything that can have an avatar, by its name in addresses. */
export type AvatarKind = 'user' | 'group' | 'project';

/** Edge lengths in pixels of the images that are stored, smallest first. */
export const AVATAR_WIDTHS = [64, 128, 256] as const;
export type AvatarWidth = (typeof AVATAR_WIDTHS)[number];

/** A user, group or project; `avatar` is the digest of its images, null without one. */
export interface AvatarOwner {
  id: number;
  avatar: string | null;
}

/**
 * Returns the path of an avatar, null without one. The path names the content: it changes with
 * every upload, so browsers can keep what they got.
 */
export function avatarPath(
  kind: AvatarKind,
  { id, avatar }: AvatarOwner,
  width?: number,
): string | null {
  if (avatar === null) return null;
  const query = width === undefined ? '' : `?width=${width}`;
  return `/uploads/-/system/${kind}/avatar/${id}/${avatar}.webp${query}`;
}

/** Returns the absolute URL of an avatar as the API shows it, null without one. */
export function avatarUrl(kind: AvatarKind, owner: AvatarOwner, baseUrl: string): string | null {
  const path = avatarPath(kind, owner);
  return path === null ? null : `${baseUrl}${path}`;
}

/** Returns the smallest stored width that covers the requested one, the largest when none does. */
export function storedWidth(requested: number | null): AvatarWidth {
  const largest = AVATAR_WIDTHS[2];
  if (requested === null) return largest;
  return AVATAR_WIDTHS.find((width) => width >= requested) ?? largest;
}
