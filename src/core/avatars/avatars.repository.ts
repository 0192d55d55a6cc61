import { Injectable } from '@nestjs/common';
import { DataSource, Repository } from 'typeorm';
import { NotFoundError } from '../errors.js';
import { Sql } from '../sql/sql.service.js';
import { Avatar } from './avatar.entity.js';
import type { AvatarKind, AvatarWidth } from './avatar.js';

/** The image of an avatar: its owner, its width and the digest of the upload. */
interface AvatarImage {
  kind: AvatarKind;
  ownerId: number;
  width: AvatarWidth;
  digest: string;
}

/** Owns every statement that reads avatars; `storeAvatar` writes them. */
@Injectable()
export class AvatarsRepository extends Repository<Avatar> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
  ) {
    super(Avatar, dataSource.manager);
  }

  /** Returns the content of an image; throws NotFoundError. */
  async findContent({ kind, ownerId, width, digest }: AvatarImage): Promise<Buffer> {
    const row = await this.queries.row<{ content: Buffer }>(
      `SELECT content FROM avatars WHERE ${kind}_id = $1 AND width = $2 AND digest = $3`,
      [ownerId, width, digest],
    );
    if (row === null) throw new NotFoundError('Avatar');
    return row.content;
  }
}
