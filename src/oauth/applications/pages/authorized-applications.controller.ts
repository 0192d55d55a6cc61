import { Controller, Post } from '@nestjs/common';
import type { AuthContext } from '../../../core/access/auth-context.js';
import { Page } from '../../../core/access/page.decorator.js';
import { Auth } from '../../../core/access/viewer.decorator.js';
import type { Viewer } from '../../../core/access/viewer.js';
import type { Answer } from '../../../core/http/answer.js';
import { atRoot } from '../../../core/http/root-path.js';
import { IntegerId } from '../../../core/params/ids.js';
import { Shell } from '../../../core/ui/shell.decorator.js';
import type { PageShell } from '../../../core/ui/shell.js';
import { AuthorizedApplications } from '../authorized-applications.service.js';
import { pathOf } from './application-frame.js';

/** Applications that the viewer has authorized. */
@Controller(atRoot('oauth/authorized_applications'))
@Page('signed_in')
export class AuthorizedApplicationsController {
  constructor(private readonly authorized: AuthorizedApplications) {}

  /** Takes back all that one let an application do. */
  @Post(':id/revoke')
  async revoke(
    @IntegerId('id') id: number,
    @Shell() shell: PageShell,
    @Auth() auth: AuthContext,
  ): Promise<Answer> {
    await this.authorized.revoke(id, shell.viewer as Viewer, auth);
    const notice = 'The application can no longer act for you.';
    return shell.redirect(pathOf('account'), { notice });
  }
}
