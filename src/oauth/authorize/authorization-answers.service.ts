import { Injectable } from '@nestjs/common';
import { HttpResponse } from '../../core/http/http-response.js';
import { Assets } from '../../core/ui/assets.service.js';
import { renderPage } from '../../core/ui/document.js';
import { pageHeaders } from '../../core/ui/page-headers.js';
import type { PageContext } from '../../core/ui/page-context.js';
import type { AuthorizationError } from './authorization-errors.js';
import type { ReturnAddress } from './authorization-request.js';
import { locationOf, type ResponseParams } from './authorization-response.js';
import { AuthorizationErrorPage } from './pages/authorization-error.page.js';
import { FormPostPage } from './pages/form-post.page.js';

/** Writes the answers of the authorization endpoint. */
@Injectable()
export class AuthorizationAnswers {
  constructor(private readonly assets: Assets) {}

  /** Redirects the browser to the application in the requested response mode. */
  toApplication(address: ReturnAddress, params: ResponseParams): HttpResponse {
    if (address.responseMode === 'form_post') return this.formPost(address, params);
    return new HttpResponse(302, undefined, {
      Location: locationOf(address, params),
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
    });
  }

  /** Tells the person what is wrong: there is no address to which it could safely be sent. */
  toPerson(pageContext: PageContext, error: AuthorizationError): HttpResponse {
    const info = { title: 'Authorization failed', narrow: true, noReferrer: true };
    return pageContext.render(AuthorizationErrorPage({ error }), info, error.status);
  }

  /** Form that our script submits immediately, with a button where scripts are off. */
  private formPost({ redirectUri }: ReturnAddress, params: ResponseParams): HttpResponse {
    const files = {
      icon: this.assets.pathOf('icon.svg'),
      styleSheet: this.assets.pathOf('app.css'),
      script: this.assets.pathOf('form-post.js'),
    };
    const page = FormPostPage({ files, action: redirectUri, fields: params });
    const headers = pageHeaders({ formTargets: [redirectUri], noReferrer: true }, true);
    return new HttpResponse(200, renderPage(page), headers);
  }
}
