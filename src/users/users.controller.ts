import { Controller, Get, Inject } from '@nestjs/common';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/env.js';
import { Ability, Scopes } from '../core/access/access.decorator.js';
import { MaybeUser } from '../core/access/viewer.decorator.js';
import type { Viewer } from '../core/access/viewer.js';
import { ForbiddenError, NotFoundError } from '../core/errors.js';
import { mapPage } from '../core/pagination/page.js';
import { Pages, type Paging } from '../core/pagination/paging.decorator.js';
import { IntegerId } from '../core/params/ids.js';
import { Input } from '../core/params/input.decorator.js';
import { ListUsersDto } from './dto/list-users.dto.js';
import { presentUser, presentUserBasic, presentUserForAdmin } from './user.presenter.js';
import { UsersFinder } from './users-finder.js';

/** Reading users. */
@Controller('users')
@Scopes('read_user')
export class UsersController {
  constructor(
    private readonly finder: UsersFinder,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Anonymous callers may only ask for one username. */
  @Get()
  @Ability('anyone')
  async list(
    @Input() filters: ListUsersDto,
    @MaybeUser() viewer: Viewer | null,
    @Pages() paging: Paging,
  ): Promise<object[]> {
    assertMayList(filters, viewer);
    const page = await this.finder.list(filters, viewer, paging);
    const present = viewer?.admin === true ? presentUserForAdmin : presentUserBasic;
    return paging.write<object>(mapPage(page, (user) => present(user, this.config.baseUrl)));
  }

  @Get(':id')
  @Ability('anyone')
  async show(@IntegerId('id') id: number, @MaybeUser() viewer: Viewer | null): Promise<object> {
    if (viewer === null) throw new ForbiddenError('Not authorized!');
    const user = await this.finder.find(id);
    if (user === null) throw new NotFoundError('User');
    const present = viewer.admin ? presentUserForAdmin : presentUser;
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
