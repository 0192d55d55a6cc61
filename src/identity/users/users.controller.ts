import { Controller, Get, Inject } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { Ability, Scopes } from '../../core/access/access.decorator.js';
import { MaybeUser } from '../../core/access/viewer.decorator.js';
import type { Viewer } from '../../core/access/viewer.js';
import { ForbiddenError, NotFoundError } from '../../core/errors.js';
import { mapPage } from '../../core/pagination/page.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../core/params/ids.js';
import { Input } from '../../core/params/input.decorator.js';
import { RateLimit } from '../../core/rate-limits/rate-limit.decorator.js';
import { ListUsersDto } from './user-filters.dto.js';
import type { UserResponse, UserBasicResponse, UserForAdminResponse } from './user.response.js';
import {
  presentUser,
  presentUserBasic,
  presentUserForAdmin,
  type UserDetails,
} from './user.presenter.js';
import { UsersRepository } from './users.repository.js';

/** Reading users. */
@Controller('users')
@Scopes('read_user')
export class UsersController {
  constructor(
    private readonly users: UsersRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Lists users. Anonymous requests require `username` and find active users only. Administrators
   * get all attributes, everyone else the short form.
   */
  @Get()
  @Ability('anyone')
  async list(
    @Input() filters: ListUsersDto,
    @MaybeUser() viewer: Viewer | null,
    @Pages() paging: Paging,
  ): Promise<(UserBasicResponse | UserForAdminResponse)[]> {
    assertMayList(filters, viewer);
    const page = await this.users.list(filters, viewer, paging);
    const isAdmin = viewer?.admin === true;
    return paging.write(mapPage(page, (user) => this.listed(user, isAdmin)));
  }

  /** Shows a user. Requires sign-in; administrators get all attributes. */
  @Get(':id')
  @Ability('anyone')
  @RateLimit('users_get_by_id')
  async show(
    @IntegerId('id') id: number,
    @MaybeUser() viewer: Viewer | null,
  ): Promise<UserResponse | UserForAdminResponse> {
    if (viewer === null) throw new ForbiddenError('Not authorized!');
    const user = await this.users.findDetails(id);
    if (user === null) throw new NotFoundError('User');
    const present = viewer.admin ? presentUserForAdmin : presentUser;
    return present(user, this.config.baseUrl);
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
