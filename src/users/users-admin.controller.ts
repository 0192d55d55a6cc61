import { Controller, Delete, HttpCode, Inject, Post, Put } from '@nestjs/common';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/env.js';
import { Ability, Scopes } from '../core/access/access.decorator.js';
import type { AuthContext } from '../core/access/auth-context.js';
import { Auth } from '../core/access/viewer.decorator.js';
import { BadRequestError, NotFoundError } from '../core/errors.js';
import { IntegerId } from '../core/params/ids.js';
import { Input } from '../core/params/input.decorator.js';
import { IfUnmodified, type Preconditions } from '../core/preconditions.js';
import { assertPasswordWay, chosenPassword, CreateUserDto } from './dto/create-user.dto.js';
import { DeleteUserDto } from './dto/delete-user.dto.js';
import { UpdateUserDto } from './dto/update-user.dto.js';
import { userColumns } from './dto/user-attributes.dto.js';
import { UserCreationService } from './user-creation.service.js';
import { UserDeletionService } from './user-deletion.service.js';
import { presentUserForAdmin } from './user.presenter.js';
import { UserUpdateService } from './user-update.service.js';
import { UsersFinder } from './users-finder.js';

/** Creating, changing and deleting users: for administrators. */
@Controller('users')
@Scopes()
@Ability('administrate')
export class UsersAdminController {
  constructor(
    private readonly finder: UsersFinder,
    private readonly creation: UserCreationService,
    private readonly updates: UserUpdateService,
    private readonly deletion: UserDeletionService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Post()
  async create(@Input() dto: CreateUserDto, @Auth() auth: AuthContext): Promise<object> {
    assertPasswordWay(dto);
    const { username, name, email } = dto;
    const input = { username, name, email, password: chosenPassword(dto) };
    const user = await this.creation.create({ ...input, attributes: userColumns(dto) }, auth);
    return this.present(user.id);
  }

  @Put(':id')
  async update(
    @IntegerId('id') id: number,
    @Input() dto: UpdateUserDto,
    @Auth() auth: AuthContext,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<object> {
    await this.updates.update({ id, dto, preconditions }, auth);
    return this.present(id);
  }

  /** `hard_delete` would also destroy what the user wrote; refused rather than half done. */
  @Delete(':id')
  @HttpCode(204)
  async delete(
    @IntegerId('id') id: number,
    @Input() dto: DeleteUserDto,
    @Auth() auth: AuthContext,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<void> {
    if (dto.hard_delete === true) throw new BadRequestError('hard_delete is not supported');
    await this.deletion.delete({ id, preconditions }, auth);
  }

  private async present(id: number): Promise<object> {
    const user = await this.finder.find(id);
    if (user === null) throw new NotFoundError('User');
    return presentUserForAdmin(user, this.config.baseUrl);
  }
}
