import { Controller, Delete, Get, HttpCode, Post } from '@nestjs/common';
import { Ability, Scopes } from '../../../core/access/access.decorator.js';
import {
  Auth,
  CurrentUser,
  type SignedInContext,
  type Viewer,
} from '../../../core/access/auth-context.js';
import { mapPage } from '../../../core/pagination/page.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../../core/params/ids.js';
import { Input } from '../../../core/params/input.decorator.js';
import { IfUnmodified, type Preconditions } from '../../../core/preconditions.js';
import { RateLimit } from '../../../core/rate-limits/named-limits.js';
import { ReadsPrimary } from '../../../core/sql/replica/request-reads.js';
import type { UserEmail } from '../../users/user.entity.js';
import { AddEmailDto } from '../account.dto.js';
import { UserEmailsRepository } from '../user-emails.repository.js';
import { UserEmailsService } from './user-emails.service.js';

/** Further email addresses of the signed-in user; the primary one is part of `GET /user`. */
@ReadsPrimary()
@Controller('user/emails')
@Ability('signed_in')
export class UserEmailsController {
  constructor(
    private readonly repository: UserEmailsRepository,
    private readonly emails: UserEmailsService,
  ) {}

  /** Lists the secondary emails of the signed-in user. */
  @Get()
  @Scopes('read_user')
  async list(@CurrentUser() viewer: Viewer, @Pages() paging: Paging): Promise<UserEmailResponse[]> {
    return paging.write(mapPage(await this.repository.page(viewer.id, paging), presentUserEmail));
  }

  /** Shows a secondary email. */
  @Get(':id')
  @Scopes('read_user')
  async show(
    @IntegerId('id') id: number,
    @CurrentUser() viewer: Viewer,
  ): Promise<UserEmailResponse> {
    return presentUserEmail(await this.repository.findOfUser(viewer.id, id));
  }

  /** Adds a secondary email and sends a confirmation link to it. */
  @Post()
  @Scopes()
  @RateLimit('create')
  async add(@Input() dto: AddEmailDto, @Auth() auth: SignedInContext): Promise<UserEmailResponse> {
    return presentUserEmail(await this.emails.add(dto.email, auth));
  }

  /** Removes a secondary email. */
  @Delete(':id')
  @Scopes()
  @HttpCode(204)
  remove(
    @IntegerId('id') id: number,
    @Auth() auth: SignedInContext,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<void> {
    return this.emails.remove(id, auth, preconditions);
  }
}

/** Secondary email of a user. */
interface UserEmailResponse {
  id: number;
  /** @example "mallory@work.example.com" */
  email: string;
  /**
   * Confirmation time; null until then.
   * @format date-time
   */
  confirmed_at: string | null;
}

/** An address as its owner sees it. */
function presentUserEmail({ id, email, confirmedAt }: UserEmail): UserEmailResponse {
  return { id, email, confirmed_at: confirmedAt?.toISOString() ?? null };
}
