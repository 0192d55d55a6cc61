import { Injectable } from '@nestjs/common';
import { assertAvatarGiven, type AvatarDto } from '../../../core/avatars/avatar.dto.js';
import { NotFoundError, ValidationFailedError } from '../../../core/errors.js';
import { Preconditions } from '../../../core/preconditions.js';
import { UserUpdateService } from '../../users/user-update.service.js';
import type { UserDetails } from '../../users/user.presenter.js';
import { UsersRepository } from '../../users/users.repository.js';
import type { SignedInContext } from '../signed-in.js';
import { UserEmailsRepository } from '../user-emails.repository.js';
import type { ProfileDto } from '../account.dto.js';

const NO_CONDITIONS = new Preconditions(null);

/** Reads and updates the profiles of users for themselves. */
@Injectable()
export class Profiles {
  constructor(
    private readonly users: UsersRepository,
    private readonly updates: UserUpdateService,
    private readonly emails: UserEmailsRepository,
  ) {}

  /** The user's own row. Throws 404 for one that was deleted meanwhile. */
  async find(userId: number): Promise<UserDetails> {
    const user = await this.users.findDetails(userId);
    if (user === null) throw new NotFoundError('User');
    return user;
  }

  /** Replaces or removes the viewer's own avatar. Throws 400 when the file cannot be one. */
  async changeAvatar(dto: AvatarDto, auth: SignedInContext): Promise<void> {
    assertAvatarGiven(dto);
    const update = { id: auth.viewer.id, dto, preconditions: NO_CONDITIONS };
    await this.updates.update(update, auth);
  }

  /**
   * Changes the viewer's own profile. Throws 400 with messages per attribute: others read it, so
   * addresses of sites must be ones that browsers can open, and email addresses confirmed ones.
   */
  async update(dto: ProfileDto, auth: SignedInContext): Promise<void> {
    const website = dto.website_url?.trim();
    if (website && !isWebAddress(website)) {
      throw new ValidationFailedError({ website_url: ['must be a URL with http or https'] });
    }
    const { public_email: shown } = dto;
    if (shown && !(await this.emails.isConfirmed(auth.viewer.id, shown))) {
      throw new ValidationFailedError({ public_email: ['must be a confirmed address of yours'] });
    }
    const columns = { ...dto, ...(website !== undefined && { website_url: website }) };
    const update = { id: auth.viewer.id, dto: columns, preconditions: NO_CONDITIONS };
    await this.updates.update(update, auth);
  }
}

/** Only such addresses become links. */
function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s]+$/i.test(text) && URL.canParse(text);
}
