import { Controller, Get, Inject, Delete, HttpCode, Put } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { Ability, Scopes } from '../../core/access/access.decorator.js';
import {
  Auth,
  CurrentUser,
  MaybeUser,
  type AuthContext,
  type Viewer,
} from '../../core/access/auth-context.js';
import type { JsonText } from '../../core/http/http-response.js';
import { ForbiddenError, NotFoundError } from '../../core/errors.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../core/params/ids.js';
import { Input } from '../../core/params/input.decorator.js';
import { RateLimit } from '../../core/rate-limits/named-limits.js';
import { ListUsersDto } from './user-filters.dto.js';
import {
  presentSelf,
  presentUser,
  presentUserBasic,
  presentUserForAdmin,
  type SelfResponse,
  type UserBasicResponse,
  type UserDetails,
  type UserForAdminResponse,
  type UserResponse,
} from './user.presenter.js';
import { UsersRepository } from './users.repository.js';
import { ApiErrors } from '../../core/openapi/api.decorators.js';
import { IfUnmodified, type Preconditions } from '../../core/preconditions.js';
import { DeleteUserDto, UpdateUserDto } from './user.dto.js';
import { UserDeletionService } from './user-deletion.service.js';
import { UsersService } from './users.service.js';

/** Users; administrators change and delete them. */
@Controller('users')
@Scopes()
@Ability('administrate')
export class UsersController {
  constructor(
    private readonly users: UsersRepository,
    private readonly service: UsersService,
    private readonly deletion: UserDeletionService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Lists users. Anonymous requests require `username` and find active users only. Administrators
   * get all attributes, everyone else the short form.
   */
  @Get()
  @Scopes('read_user')
  @Ability('anyone')
  async list(
    @Input() filters: ListUsersDto,
    @MaybeUser() viewer: Viewer | null,
    @Pages() paging: Paging,
  ): Promise<JsonText<(UserBasicResponse | UserForAdminResponse)[]>> {
    assertMayList(filters, viewer);
    const isAdmin = viewer?.admin === true;
    const present = (user: UserDetails): UserBasicResponse | UserForAdminResponse =>
      this.listed(user, isAdmin);
    const format = { form: isAdmin ? 'full' : 'short', present };
    return paging.writeJson(await this.users.listItems({ filters, viewer }, paging, format));
  }

  /** Shows a user. Requires sign-in; administrators get all attributes. */
  @Get(':id')
  @Scopes('read_user')
  @Ability('anyone')
  @RateLimit('users_get_by_id')
  async show(
    @IntegerId('id') id: number,
    @MaybeUser() viewer: Viewer | null,
  ): Promise<UserResponse | UserForAdminResponse> {
    if (viewer === null) throw new ForbiddenError('Not authorized!');
    const present = viewer.admin ? presentUserForAdmin : presentUser;
    return present(await this.find(id), this.config.baseUrl);
  }

  /** Updates a user; omitted attributes are unchanged, unknown ones are refused. */
  @Put(':id')
  @ApiErrors(409)
  async update(
    @IntegerId('id') id: number,
    @Input({ refusesUnknown: true }) dto: UpdateUserDto,
    @Auth() auth: AuthContext,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<UserForAdminResponse> {
    await this.service.update({ id, dto, preconditions }, auth);
    return presentUserForAdmin(await this.find(id), this.config.baseUrl);
  }

  /**
   * Deletes a user. Contributions are attributed to the ghost user; the only owner of a group and
   * the only active administrator cannot be deleted. With `hard_delete` contributions and groups
   * without another owner are deleted as well.
   */
  @Delete(':id')
  @ApiErrors(409)
  @HttpCode(204)
  async delete(
    @IntegerId('id') id: number,
    @Input() dto: DeleteUserDto,
    @Auth() auth: AuthContext,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<void> {
    await this.deletion.delete({ id, preconditions, isHard: dto.hard_delete === true }, auth);
  }

  private async find(id: number): Promise<UserDetails> {
    const user = await this.users.findDetails(id);
    if (user === null) throw new NotFoundError('User');
    return user;
  }

  private listed(user: UserDetails, isAdmin: boolean): UserBasicResponse | UserForAdminResponse {
    const present = isAdmin ? presentUserForAdmin : presentUserBasic;
    return present(user, this.config.baseUrl);
  }
}

function assertMayList(filters: ListUsersDto, viewer: Viewer | null): void {
  if (viewer === null && !filters.username) {
    throw new ForbiddenError('Not authorized to access /api/v4/users');
  }
  const asksForIdentity = Boolean(filters.extern_uid) && Boolean(filters.provider);
  if (asksForIdentity && viewer?.admin !== true) throw new ForbiddenError();
}

/** The signed-in user. */
@Controller('user')
@Scopes('read_user')
export class CurrentUserController {
  constructor(
    private readonly users: UsersRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Shows the signed-in user; administrators get additional attributes. */
  @Get()
  @Ability('signed_in')
  async show(@CurrentUser() viewer: Viewer): Promise<SelfResponse | UserForAdminResponse> {
    const user = await this.users.findDetails(viewer.id);
    if (user === null) throw new NotFoundError('User');
    const present = viewer.admin ? presentUserForAdmin : presentSelf;
    return present(user, this.config.baseUrl);
  }
}
