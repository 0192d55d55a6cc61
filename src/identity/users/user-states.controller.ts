import { Controller, Post } from '@nestjs/common';
import { Ability, Scopes } from '../../core/access/access.decorator.js';
import { Auth, type AuthContext } from '../../core/access/auth-context.js';
import { ApiErrors } from '../../core/openapi/api.decorators.js';
import { IntegerId } from '../../core/params/ids.js';
import { IfUnmodified, type Preconditions } from '../../core/preconditions.js';
import { UserDeletionService } from './user-deletion.service.js';
import { UserStateService } from './user-state.service.js';

/** Changes a user's state. Each action returns `true`, or `null` or `false` without a change. */
@Controller('users/:id')
@Scopes()
@Ability('administrate')
export class UserStatesController {
  constructor(
    private readonly states: UserStateService,
    private readonly deletion: UserDeletionService,
  ) {}

  /** Blocks a user; null if the user is already blocked. */
  @Post('block')
  block(@IntegerId('id') id: number, @Auth() auth: AuthContext): Promise<boolean | null> {
    return this.states.act('block', id, auth);
  }

  /** Unblocks a user; false if the user is active. Deactivated users must be activated instead. */
  @Post('unblock')
  unblock(@IntegerId('id') id: number, @Auth() auth: AuthContext): Promise<boolean | null> {
    return this.states.act('unblock', id, auth);
  }

  /** Activates a deactivated user. */
  @Post('activate')
  activate(@IntegerId('id') id: number, @Auth() auth: AuthContext): Promise<boolean | null> {
    return this.states.act('activate', id, auth);
  }

  /** Deactivates a user without activity for 90 days; null if the user is already deactivated. */
  @Post('deactivate')
  deactivate(@IntegerId('id') id: number, @Auth() auth: AuthContext): Promise<boolean | null> {
    return this.states.act('deactivate', id, auth);
  }

  /** Bans an active user. */
  @Post('ban')
  ban(@IntegerId('id') id: number, @Auth() auth: AuthContext): Promise<boolean | null> {
    return this.states.act('ban', id, auth);
  }

  /** Lifts the ban of a user. */
  @Post('unban')
  unban(@IntegerId('id') id: number, @Auth() auth: AuthContext): Promise<boolean | null> {
    return this.states.act('unban', id, auth);
  }

  /** Approves a pending user. */
  @Post('approve')
  @ApiErrors(409)
  approve(@IntegerId('id') id: number, @Auth() auth: AuthContext): Promise<boolean | null> {
    return this.states.act('approve', id, auth);
  }

  /** Rejects a pending user. Deletes the user. */
  @Post('reject')
  @ApiErrors(409)
  async reject(
    @IntegerId('id') id: number,
    @Auth() auth: AuthContext,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<true> {
    await this.deletion.delete({ id, preconditions, onlyState: 'pending' }, auth);
    return true;
  }
}
