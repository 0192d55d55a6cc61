import { Controller, Param, Post } from '@nestjs/common';
import { Page } from '../../../core/access/access.decorator.js';
import { Auth, type AuthContext } from '../../../core/access/auth-context.js';
import { NotFoundError } from '../../../core/errors.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/paths.js';
import { IntegerId } from '../../../core/params/ids.js';
import { NO_PRECONDITIONS } from '../../../core/preconditions.js';
import { FormInput, given, refusalText } from '../../../core/ui/forms.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { UserDeletionService } from '../user-deletion.service.js';
import { UserStateService } from '../user-state.service.js';
import { buttonOf, isUserAction } from './user-show.page.js';

/** The buttons on the page of a user: each does one thing and leads back with what became of it. */
@Controller(atRoot('admin/users/:id'))
@Page('administrate')
export class UserStatePagesController {
  constructor(
    private readonly states: UserStateService,
    private readonly deletion: UserDeletionService,
  ) {}

  /** Forgets the wrong passwords that locked the account. */
  @Post('unlock')
  async unlock(
    @Context() pageContext: PageContext,
    @IntegerId('id') id: number,
    @Auth() auth: AuthContext,
  ): Promise<HttpResponse> {
    await this.states.unlock(id, auth);
    return pageContext.redirect(`/admin/users/${id}`, { notice: 'Account unlocked.' });
  }

  /** Deletes a user who waits for approval. */
  @Post('reject')
  async reject(
    @Context() pageContext: PageContext,
    @IntegerId('id') id: number,
    @Auth() auth: AuthContext,
  ): Promise<HttpResponse> {
    const deletion = { id, preconditions: NO_PRECONDITIONS, onlyState: 'pending' } as const;
    return this.remove(pageContext, deletion, { auth, done: 'User rejected.' });
  }

  /** Deletes a user, where that is ticked with all that they wrote. */
  @Post('delete')
  async delete(
    @Context() pageContext: PageContext,
    @IntegerId('id') id: number,
    @FormInput() form: Record<string, unknown>,
    @Auth() auth: AuthContext,
  ): Promise<HttpResponse> {
    const isHard = given(form, 'hard_delete') === 'true';
    const deletion = { id, preconditions: NO_PRECONDITIONS, isHard };
    return this.remove(pageContext, deletion, { auth, done: 'User deleted.' });
  }

  /** Changes the state of a user: blocks, approves, bans and so on. */
  @Post(':action')
  async act(
    @Context() pageContext: PageContext,
    @IntegerId('id') id: number,
    @Param('action') action: string,
    @Auth() auth: AuthContext,
  ): Promise<HttpResponse> {
    if (!isUserAction(action)) throw new NotFoundError();
    const path = `/admin/users/${id}`;
    try {
      await this.states.act(action, id, auth);
    } catch (error) {
      return pageContext.redirect(path, { alert: refusalText(error) });
    }
    return pageContext.redirect(path, { notice: buttonOf(action).done });
  }

  private async remove(
    pageContext: PageContext,
    deletion: Parameters<UserDeletionService['delete']>[0],
    { auth, done }: { auth: AuthContext; done: string },
  ): Promise<HttpResponse> {
    try {
      await this.deletion.delete(deletion, auth);
    } catch (error) {
      return pageContext.redirect(`/admin/users/${deletion.id}`, { alert: refusalText(error) });
    }
    return pageContext.redirect('/admin/users', { notice: done });
  }
}
