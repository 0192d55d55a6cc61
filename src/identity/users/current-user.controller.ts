import { Controller, Get, Inject } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { Ability, Scopes } from '../../core/access/access.decorator.js';
import { CurrentUser, type Viewer } from '../../core/access/auth-context.js';
import { NotFoundError } from '../../core/errors.js';
import type { SelfResponse, UserForAdminResponse } from './user.response.js';
import { presentSelf, presentUserForAdmin } from './user.presenter.js';
import { UsersRepository } from './users.repository.js';

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
