import '@nestjs/common';
import { Controller, Delete, Get, Post, Req, Res, Inject } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Page } from '../../core/access/access.decorator.js';
import { Auth, type AuthContext } from '../../core/access/auth-context.js';
import { HttpResponse } from '../../core/http/http-response.js';
import { atRoot } from '../../core/http/paths.js';
import {
  ApiErrors,
  ApiParameters,
  ApiProduces,
  ApiResponses,
} from '../../core/openapi/api.decorators.js';
import { ReadsPrimary } from '../../core/sql/replica/request-reads.js';
import { Assets } from '../../core/ui/assets.service.js';
import { pageHeaders, renderPage } from '../../core/ui/document.js';
import { FormInput, given } from '../../core/ui/forms.js';
import type { PageContext } from '../../core/ui/page-context.js';
import { Context } from '../../core/ui/page-contexts.service.js';
import { BrowserSessions } from '../../identity/auth/sessions/sessions.service.js';
import { AuthorizationRequestDto } from '../oauth.dto.js';
import {
  AuthorizationFlow,
  type Ending,
  type Outcome,
  type Person,
} from './authorization-flow.service.js';
import { AuthorizationParams, SignedAuthorizationRequests } from './authorization-request.js';
import { locationOf, ACCESS_DENIED } from './authorization-response.js';
import { Consent } from './consent.service.js';
import {
  CONSENT_FIELD,
  ConsentPage,
  AuthorizationErrorPage,
  FormPostPage,
  RETURN_FIELD,
} from './authorize.page.js';
import { signInLocation, withNewSession } from '../../identity/auth/sessions/session-cookies.js';
import { SessionsRepository } from '../../identity/auth/sessions/sessions.repository.js';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';

/** Authorization endpoint: shows the consent screen. */
@ReadsPrimary()
@Controller(atRoot('oauth/authorize'))
export class AuthorizeController {
  constructor(
    private readonly flow: AuthorizationFlow,
    private readonly consent: Consent,
    private readonly signedRequests: SignedAuthorizationRequests,
    private readonly sessions: SessionsRepository,
    private readonly browsers: BrowserSessions,
    private readonly assets: Assets,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Authorizes an application in the browser of a user. Asks for sign-in and consent where they are
   * needed, then redirects to `redirect_uri` with `code`, `state` and `iss`, or with `error` and
   * `error_description`. A wrong `client_id` or `redirect_uri` is shown on an error page instead.
   * Request objects (`request`, `request_uri`) are not supported.
   */
  @Get()
  @Page('anyone')
  @ApiParameters(AuthorizationRequestDto)
  @ApiResponses(200, 302)
  @ApiErrors(401, 403, 429, 503)
  @ApiProduces('text/html')
  async ask(
    @Context() pageContext: PageContext,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<HttpResponse> {
    const person = personOf(pageContext);
    const outcome = await this.flow.decide(new AuthorizationParams(request), person);
    if (outcome.kind === 'sign_in') return this.redirectToSignIn(request, response, person);
    if (outcome.kind === 'asked') {
      return this.consentPage(pageContext, outcome, request.originalUrl);
    }
    return this.answer(pageContext, outcome);
  }

  /** Approves the displayed request. */
  @Post()
  @Page('signed_in')
  async approve(
    @Context() pageContext: PageContext,
    @FormInput() form: Record<string, unknown>,
    @Auth() auth: AuthContext,
  ): Promise<HttpResponse> {
    const person = personOf(pageContext) as Person;
    return this.answer(pageContext, await this.consent.approve(form[CONSENT_FIELD], person, auth));
  }

  /** Denies the displayed request. */
  @Post('deny')
  @Page('signed_in')
  deny(
    @Context() pageContext: PageContext,
    @FormInput() form: Record<string, unknown>,
  ): HttpResponse {
    const person = personOf(pageContext) as Person;
    return this.answer(pageContext, this.consent.deny(form[CONSENT_FIELD], person));
  }

  /** Signs out and leads back to the displayed request by the sign-in page. */
  @Post('switch')
  @Page('signed_in')
  async switchAccount(
    @Context() pageContext: PageContext,
    @FormInput() form: Record<string, unknown>,
    @Res({ passthrough: true }) response: Response,
  ): Promise<HttpResponse> {
    await this.signOut(personOf(pageContext) as Person, response);
    const isHttps = this.config.baseUrl.startsWith('https:');
    const path = pathAfterSignIn(given(form, RETURN_FIELD));
    return pageContext.redirect(signInLocation(response, path, isHttps));
  }

  /** Denies a request in the query, as existing clients do. */
  @Delete()
  @Page('signed_in')
  async denyRequest(
    @Context() pageContext: PageContext,
    @Req() request: Request,
  ): Promise<HttpResponse> {
    const params = new AuthorizationParams(request);
    return this.answer(pageContext, await this.flow.deny(params, ACCESS_DENIED));
  }

  private answer(pageContext: PageContext, ending: Ending): HttpResponse {
    if (ending.kind === 'answered') return this.redirectToApplication(ending);
    const { error } = ending;
    const info = { title: 'Authorization failed', narrow: true, noReferrer: true };
    return pageContext.render(AuthorizationErrorPage({ error }), info, error.status);
  }

  /** Redirects the browser to the application in the requested response mode. */
  private redirectToApplication({ address, params }: Answered): HttpResponse {
    if (address.responseMode !== 'form_post') return redirect(locationOf(address, params));
    const files = {
      icon: this.assets.pathOf('icon.svg'),
      styleSheet: this.assets.pathOf('app.css'),
      script: this.assets.pathOf('form-post.js'),
    };
    const { redirectUri } = address;
    const page = FormPostPage({ files, action: redirectUri, fields: params });
    const headers = pageHeaders({ formTargets: [redirectUri], noReferrer: true }, true);
    return new HttpResponse(200, renderPage(page), headers);
  }

  /**
   * Redirects to the sign-in page, and from there back to the request. A present session lasts until
   * the new sign-in replaces it: any site can send the browser here.
   */
  private redirectToSignIn(
    request: Request,
    response: Response,
    person: Person | null,
  ): HttpResponse {
    const isHttps = this.config.baseUrl.startsWith('https:');
    const path = pathAfterSignIn(request.originalUrl);
    const back = person === null ? path : withNewSession(path, person.session.id);
    return redirect(signInLocation(response, back, isHttps));
  }

  private async signOut({ session, viewer }: Person, response: Response): Promise<void> {
    await this.sessions.delete({ id: session.id, userId: viewer.id });
    this.browsers.leave(response);
  }

  private consentPage(
    pageContext: PageContext,
    { request, application }: Asked,
    returnPath: string,
  ): HttpResponse {
    const { viewer, session } = personOf(pageContext) as Person;
    const form = {
      signedRequest: this.signedRequests.sign(request, session.id),
      csrfToken: pageContext.csrfToken,
    };
    const page = ConsentPage({ application, request, viewer, returnPath, form });
    const title = `Authorize ${application.name}`;
    const formTargets = [request.redirectUri];
    return pageContext.render(page, { title, narrow: true, noReferrer: true, formTargets });
  }
}

type Asked = Extract<Outcome, { kind: 'asked' }>;
type Answered = Extract<Ending, { kind: 'answered' }>;

function personOf({ viewer, session }: PageContext): Person | null {
  return viewer === null || session === null ? null : { viewer, session };
}

function redirect(location: string): HttpResponse {
  return new HttpResponse(302, undefined, {
    Location: location,
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
  });
}

/**
 * Returns the request's own path for after the sign-in, without the parameters that demanded it:
 * otherwise it would be demanded forever.
 */
function pathAfterSignIn(originalUrl: string): string {
  const [path = '', query = ''] = originalUrl.split(/\?(.*)/s, 2);
  const params = new URLSearchParams(query);
  const prompts = (params.get('prompt') ?? '').split(' ').filter((word) => word !== 'login');
  params.delete('max_age');
  params.delete('prompt');
  if (prompts.join('') !== '') params.set('prompt', prompts.join(' '));
  return `${path}?${params.toString()}`;
}
