import { Injectable } from '@nestjs/common';
import {
  Check,
  Column,
  DataSource,
  Entity,
  ForeignKey,
  Index,
  PrimaryGeneratedColumn,
  Repository,
} from 'typeorm';
import { NotFoundError } from '../errors.js';
import { Sql } from '../sql/sql.service.js';
import type { AvatarKind, AvatarWidth } from './avatar.js';

/** The avatar of one user, group or project, scaled to one width. */
@Entity('avatars')
@Index('uq_avatars_user', ['userId', 'width'], { unique: true })
@Index('uq_avatars_group', ['groupId', 'width'], { unique: true })
@Index('uq_avatars_project', ['projectId', 'width'], { unique: true })
@Check('ck_avatars_owner', `num_nonnulls("user_id", "group_id", "project_id") = 1`)
export class Avatar {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', primaryKeyConstraintName: 'pk_avatars' })
  id: number;

  @ForeignKey('User', { name: 'fk_avatars_user', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'user_id', nullable: true })
  userId: number | null;

  @ForeignKey('Group', { name: 'fk_avatars_group', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'group_id', nullable: true })
  groupId: number | null;

  @ForeignKey('Project', { name: 'fk_avatars_project', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'project_id', nullable: true })
  projectId: number | null;

  /** Width and height in pixels. */
  @Column({ type: 'smallint', name: 'width' })
  width: number;

  /** Names the upload that the image was made of. */
  @Column({ type: 'text', name: 'digest' })
  digest: string;

  /** A WebP image. */
  @Column({ type: 'bytea', name: 'content' })
  content: Buffer;
}

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
