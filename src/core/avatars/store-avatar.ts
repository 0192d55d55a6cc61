import type { EntityManager } from 'typeorm';
import type { AvatarKind } from './avatar-address.js';
import type { AvatarImages } from './avatar-images.js';
import { Avatar } from './avatar.entity.js';

const OWNER_PROPERTIES = { user: 'userId', group: 'groupId', project: 'projectId' } as const;

/**
 * Replaces the owner's images, deletes them for null and keeps them for undefined. The digest in
 * the owner's row is for the caller to write.
 */
export async function storeAvatar(
  tx: EntityManager,
  owner: { kind: AvatarKind; id: number },
  avatar: AvatarImages | null | undefined,
): Promise<void> {
  if (avatar === undefined) return;
  const key = { [OWNER_PROPERTIES[owner.kind]]: owner.id };
  await tx.delete(Avatar, key);
  if (avatar === null) return;
  const { digest, images } = avatar;
  await tx.insert(
    Avatar,
    images.map((image) => ({ ...image, ...key, digest })),
  );
}
