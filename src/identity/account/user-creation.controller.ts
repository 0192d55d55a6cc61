import { Controller, Inject, Post } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { Ability, Scopes } from '../../core/access/access.decorator.js';
import { Auth, type AuthContext } from '../../core/access/auth-context.js';
import { NotFoundError } from '../../core/errors.js';
import { ApiErrors } from '../../core/openapi/api.decorators.js';
import { Input } from '../../core/params/input.decorator.js';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';
import {
  assertPasswordWay,
  chosenPassword,
  CreateUserDto,
  userColumns,
} from '../users/user.dto.js';
import { presentUserForAdmin, type UserForAdminResponse } from '../users/user.presenter.js';
import { UsersService } from '../users/users.service.js';
import { UsersRepository } from '../users/users.repository.js';
import { AccountEmails } from './account-emails.service.js';

/**
 * User creation for administrators; part of the account feature, since the new address can need
 * confirmation.
 */
@Controller('users')
@Scopes()
@Ability('administrate')
export class UserCreationController {
  constructor(
    private readonly service: UsersService,
    private readonly accountEmails: AccountEmails,
    private readonly users: UsersRepository,
    private readonly settings: InstanceSettings,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Creates a user. Requires `password`, `reset_password` or `force_random_password`. Unless
   * `skip_confirmation` is true, the user receives an email with a confirmation link.
   */
  @Post()
  @ApiErrors(409)
  async create(
    @Input() dto: CreateUserDto,
    @Auth() auth: AuthContext,
  ): Promise<UserForAdminResponse> {
    assertPasswordWay(dto);
    const { username, name, email, avatar } = dto;
    const mustConfirm = this.mustConfirm(dto);
    const attributes = { ...userColumns(dto), ...(mustConfirm && { confirmedAt: null }) };
    const input = { username, name, email, avatar, password: chosenPassword(dto), attributes };
    const { id } = await this.service.create(input, auth, async (tx, user) => {
      if (mustConfirm) await this.accountEmails.sendConfirmation(tx, user, user.email);
    });
    const user = await this.users.findDetails(id);
    if (user === null) throw new NotFoundError('User');
    return presentUserForAdmin(user, this.config.baseUrl);
  }

  /** Returns the administrator's choice, by default the rule for sign-ups. */
  private mustConfirm({ skip_confirmation: skip }: CreateUserDto): boolean {
    const isAsked = this.settings.values.email_confirmation_setting !== 'off';
    return skip == null ? isAsked : !skip;
  }
}
