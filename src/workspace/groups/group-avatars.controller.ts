import { Controller, Get, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Scopes } from '../../core/access/access.decorator.js';
import { AvatarWidthDto } from '../../core/avatars/avatar.dto.js';
import { Avatars } from '../../core/avatars/avatars.service.js';
import { atRoot } from '../../core/http/paths.js';
import { ApiErrors, ApiProduces } from '../../core/openapi/api.decorators.js';
import { Input } from '../../core/params/input.decorator.js';
import { VISIBILITY } from '../../identity/members/visibility.js';
import { CurrentGroup, GroupAbility } from './group-access.guard.js';
import type { GroupRow } from './groups.repository.js';

/** Avatars of groups, for those who can see the group. */
@Controller()
@Scopes()
@GroupAbility('read_group')
export class GroupAvatarsController {
  constructor(private readonly avatars: Avatars) {}

  /** Sends a group's avatar. */
  @Get('groups/:id/avatar')
  @ApiProduces('image/webp')
  async download(@CurrentGroup() group: GroupRow, @Res() response: Response): Promise<void> {
    await this.send(response, group, { file: null, width: null });
  }

  /** Sends a group's avatar by its `avatar_url`. */
  @Get(atRoot('uploads/-/system/group/avatar/:id/:file_name'))
  @ApiProduces('image/webp')
  @ApiErrors(301, 400, 401, 403, 404, 429)
  async show(
    @CurrentGroup() group: GroupRow,
    @Param('file_name') file: string,
    @Input() { width }: AvatarWidthDto,
    @Res() response: Response,
  ): Promise<void> {
    await this.send(response, group, { file, width: width ?? null });
  }

  private send(
    response: Response,
    owner: GroupRow,
    asked: { file: string | null; width: number | null },
  ): Promise<void> {
    const isPrivate = owner.visibility !== VISIBILITY.public;
    return this.avatars.send(response, { kind: 'group', owner, isPrivate, ...asked });
  }
}
