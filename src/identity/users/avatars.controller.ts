import { Controller, Get, Inject, Param, Put, Res } from '@nestjs/common';
import type { Response } from 'express';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { Ability, NoAuthentication, Scopes } from '../../core/access/access.decorator.js';
import {
  Auth,
  CurrentUser,
  type AuthContext,
  type Viewer,
} from '../../core/access/auth-context.js';
import { assertAvatarGiven, AvatarDto, AvatarWidthDto } from '../../core/avatars/avatar.dto.js';
import { avatarPath } from '../../core/avatars/avatar.js';
import { Avatars } from '../../core/avatars/avatars.service.js';
import { NotFoundError } from '../../core/errors.js';
import { atRoot } from '../../core/http/paths.js';
import { ApiErrors, ApiProduces } from '../../core/openapi/api.decorators.js';
import { IntegerId } from '../../core/params/ids.js';
import { Input } from '../../core/params/input.decorator.js';
import { IfUnmodified, type Preconditions } from '../../core/preconditions.js';
import { FindAvatarDto } from './user.dto.js';
import type { AvatarResponse } from './user.presenter.js';
import { UsersService } from './users.service.js';
import { UsersRepository } from './users.repository.js';

/** Avatars of users over the API. */
@Controller()
@Scopes()
export class AvatarsController {
  constructor(
    private readonly users: UsersRepository,
    private readonly service: UsersService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Finds the avatar of the active user with this public email address. */
  @Get('avatar')
  @Ability('anyone')
  async find(@Input() { email, size }: FindAvatarDto): Promise<AvatarResponse> {
    const user = await this.users.findByPublicEmail(email);
    return this.present(user, size ?? undefined);
  }

  /** Replaces the signed-in user's avatar; empty removes it. */
  @Put('user/avatar')
  @Ability('signed_in')
  @ApiErrors(503)
  async replace(
    @Input() dto: AvatarDto,
    @CurrentUser() { id }: Viewer,
    @Auth() auth: AuthContext,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<AvatarResponse> {
    assertAvatarGiven(dto);
    await this.service.update({ id, dto, preconditions }, auth);
    return this.present(await this.users.findDetails(id));
  }

  private present(
    user: { id: number; avatar: string | null } | null,
    size?: number,
  ): AvatarResponse {
    const path = user === null ? null : avatarPath('user', user, size);
    return { avatar_url: path === null ? null : `${this.config.baseUrl}${path}` };
  }
}

/** The images of users' avatars: visible to everyone, as users are. */
@Controller(atRoot('uploads/-/system/user/avatar'))
@NoAuthentication()
export class UserAvatarImagesController {
  constructor(
    private readonly users: UsersRepository,
    private readonly avatars: Avatars,
  ) {}

  /** Sends a user's avatar. */
  @Get(':id/:file_name')
  @ApiProduces('image/webp')
  @ApiErrors(400, 404)
  async show(
    @IntegerId('id') id: number,
    @Param('file_name') file: string,
    @Input() { width }: AvatarWidthDto,
    @Res() response: Response,
  ): Promise<void> {
    const owner = await this.users.findDetails(id);
    if (owner === null) throw new NotFoundError('Avatar');
    const request = { kind: 'user', owner, file, width: width ?? null, isPrivate: false } as const;
    await this.avatars.send(response, request);
  }
}
