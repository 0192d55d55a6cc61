import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { NotFoundError } from '../errors.js';
import { sendContent } from '../http/http-response.js';
import { storedWidth, type AvatarKind, type AvatarOwner } from './avatar.js';
import { AvatarsRepository } from './avatars.repository.js';

const IMMUTABLE = 'public, max-age=31536000, immutable';
/** Short lifetime, since members can lose their access. */
const BRIEFLY = 'private, max-age=300';

interface AvatarRequest {
  kind: AvatarKind;
  owner: AvatarOwner;
  /** The requested edge length in pixels; null for the largest. */
  width: number | null;
  /** The file name in the requested address; null where the address names only the owner. */
  file: string | null;
  /** Not everyone can see the owner. */
  isPrivate: boolean;
}

/** Sends avatars. */
@Injectable()
export class Avatars {
  constructor(private readonly avatars: AvatarsRepository) {}

  /** Sends an avatar. Throws 404 when the owner has none, or by now another one. */
  async send(response: Response, request: AvatarRequest): Promise<void> {
    const { kind, owner, width, file, isPrivate } = request;
    const name = `${owner.avatar}.webp`;
    if (owner.avatar === null || (file !== null && file !== name))
      throw new NotFoundError('Avatar');
    const content = await this.avatars.findContent({
      kind,
      ownerId: owner.id,
      width: storedWidth(width),
      digest: owner.avatar,
    });
    await sendContent(response, {
      name,
      type: 'image/webp',
      content,
      isPrivate,
      cacheControl: isPrivate || file === null ? BRIEFLY : IMMUTABLE,
    });
  }
}
