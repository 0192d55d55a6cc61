import { Injectable } from '@nestjs/common';
import { ApiError, ForbiddenError, InsufficientScopeError } from '../../core/errors.js';
import type { Credential, Viewer } from '../../core/access/viewer.js';
import { AccountsRepository } from './accounts.repository.js';

/** Lets administrators act as another user (API doc, Sudo). */
@Injectable()
export class SudoService {
  constructor(private readonly accounts: AccountsRepository) {}

  /**
   * The user named by `target`: only digits is always an id, anything else a username in any case.
   * Throws 403 for a caller who is no administrator or whose token lacks the scope `sudo`, 404 for
   * an unknown target.
   */
  async resolve(credential: Credential, target: string): Promise<Viewer> {
    if (!credential.user.admin) throw new ForbiddenError('Must be admin to use sudo');
    if (!credential.scopes.includes('sudo')) throw new InsufficientScopeError(['sudo']);
    const user = await this.find(target);
    if (user === null) {
      throw new ApiError(404, {
        message: `404 User with ID or username '${target}' Not Found`,
      });
    }
    return user;
  }

  private find(target: string): Promise<Viewer | null> {
    if (!/^\d+$/.test(target)) return this.accounts.findViewerByUsername(target);
    const id = Number(target);
    if (!Number.isSafeInteger(id)) return Promise.resolve(null);
    return this.accounts.findViewerById(id);
  }
}
