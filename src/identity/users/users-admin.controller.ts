import { Controller, Delete, HttpCode, Inject, Put } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { Ability, Scopes } from '../../core/access/access.decorator.js';
import type { AuthContext } from '../../core/access/auth-context.js';
import { Auth } from '../../core/access/viewer.decorator.js';
import { NotFoundError } from '../../core/errors.js';
import { ApiErrors } from '../../core/openapi/api.decorators.js';
import { IntegerId } from '../../core/params/ids.js';
import { Input } from '../../core/params/input.decorator.js';
import { IfUnmodified, type Preconditions } from '../../core/preconditions.js';
import { DeleteUserDto, UpdateUserDto } from './user.dto.js';
import { UserDeletionService } from './user-deletion.service.js';
import type { UserForAdminResponse } from './user.response.js';
import { presentUserForAdmin } from './user.presenter.js';
import { UserUpdateService } from './user-update.service.js';
import { UsersRepository } from './users.repository.js';

/** Changing and deleting users: for administrators. */
@Controller('users')
@Scopes()
@Ability('administrate')
export class UsersAdminController {
  constructor(
    private readonly users: UsersRepository,
    private readonly updates: UserUpdateService,
    private readonly deletion: UserDeletionService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Updates a user; omitted attributes are unchanged, unknown ones are refused. */
  @Put(':id')
  @ApiErrors(409)
  async update(
    @IntegerId('id') id: number,
    @Input({ refusesUnknown: true }) dto: UpdateUserDto,
    @Auth() auth: AuthContext,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<UserForAdminResponse> {
    await this.updates.update({ id, dto, preconditions }, auth);
    return this.present(id);
  }

  /**
   * Deletes a user. Contributions are attributed to the ghost user; the only owner of a group cannot
   * be deleted. With `hard_delete` contributions and groups without another owner are deleted as well.
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

  private async present(id: number): Promise<UserForAdminResponse> {
    const user = await this.users.findDetails(id);
    if (user === null) throw new NotFoundError('User');
    return presentUserForAdmin(user, this.config.baseUrl);
  }
}
