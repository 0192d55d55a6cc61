import { Controller, Post } from '@nestjs/common';
import { Ability, Scopes } from '../core/access/access.decorator.js';
import type { AuthContext } from '../core/access/auth-context.js';
import { Auth } from '../core/access/viewer.decorator.js';
import { IntegerId } from '../core/params/ids.js';
import { IfUnmodified, type Preconditions } from '../core/preconditions.js';
import { UserDeletionService } from './user-deletion.service.js';
import { UserStateService } from './user-state.service.js';

/** Changes of a user's state, each answered by `true`, or `null` when there was nothing to do. */
@Controller('users/:id')
@Scopes()
@Ability('administrate')
export class UserStatesController {
  constructor(
    private readonly states: UserStateService,
    private readonly deletion: UserDeletionService,
  ) {}

  @Post('block')
  block(@IntegerId('id') id: number, @Auth() auth: AuthContext): Promise<true | null> {
    return this.states.act('block', id, auth);
  }

  @Post('unblock')
  unblock(@IntegerId('id') id: number, @Auth() auth: AuthContext): Promise<true | null> {
    return this.states.act('unblock', id, auth);
  }

  @Post('activate')
  activate(@IntegerId('id') id: number, @Auth() auth: AuthContext): Promise<true | null> {
    return this.states.act('activate', id, auth);
  }

  @Post('deactivate')
  deactivate(@IntegerId('id') id: number, @Auth() auth: AuthContext): Promise<true | null> {
    return this.states.act('deactivate', id, auth);
  }

  @Post('ban')
  ban(@IntegerId('id') id: number, @Auth() auth: AuthContext): Promise<true | null> {
    return this.states.act('ban', id, auth);
  }

  @Post('unban')
  unban(@IntegerId('id') id: number, @Auth() auth: AuthContext): Promise<true | null> {
    return this.states.act('unban', id, auth);
  }

  @Post('approve')
  approve(@IntegerId('id') id: number, @Auth() auth: AuthContext): Promise<true | null> {
    return this.states.act('approve', id, auth);
  }

  /** A rejected request leaves nothing behind: the user who waited is deleted. */
  @Post('reject')
  async reject(
    @IntegerId('id') id: number,
    @Auth() auth: AuthContext,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<true> {
    await this.deletion.delete({ id, preconditions, onlyState: 'pending' }, auth);
    return true;
  }
}
