import { Controller, Post } from '@nestjs/common';
import type { AuthContext } from '../../../core/access/auth-context.js';
import { Page } from '../../../core/access/page.decorator.js';
import { Auth } from '../../../core/access/viewer.decorator.js';
import type { Viewer } from '../../../core/access/viewer.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/root-path.js';
import { IntegerId } from '../../../core/params/ids.js';
import { Context } from '../../../core/ui/context.decorator.js';
import type { PageContext } from '../../../core/ui/page-context.js';
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
    @Context() pageContext: PageContext,
    @Auth() auth: AuthContext,
  ): Promise<HttpResponse> {
    await this.authorized.revoke(id, pageContext.viewer as Viewer, auth);
    const notice = 'The application can no longer act for you.';
    return pageContext.redirect(pathOf('account'), { notice });
  }
}
