import { Controller, Delete, Get, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { AuthContext } from '../../core/access/auth-context.js';
import { Page } from '../../core/access/page.decorator.js';
import { Auth } from '../../core/access/viewer.decorator.js';
import type { HttpResponse } from '../../core/http/http-response.js';
import { atRoot } from '../../core/http/root-path.js';
import {
  ApiErrors,
  ApiParameters,
  ApiProduces,
  ApiResponses,
} from '../../core/openapi/api.decorators.js';
import { FormInput } from '../../core/ui/form-input.decorator.js';
import { Context } from '../../core/ui/context.decorator.js';
import type { PageContext } from '../../core/ui/page-context.js';
import { AuthorizationRequestDto } from '../oauth.dto.js';
import { AuthorizationAnswers } from './authorization-answers.service.js';
import { ACCESS_DENIED } from './authorization-errors.js';
import {
  AuthorizationFlow,
  type Ending,
  type Outcome,
  type Person,
} from './authorization-flow.service.js';
import { AuthorizationParams } from './authorization-params.js';
import { Consent } from './consent.service.js';
import { CONSENT_FIELD, ConsentPage } from './pages/consent.page.js';
import { SignedAuthorizationRequests } from './signed-authorization-requests.service.js';
import { LoginRedirect } from './login-redirect.service.js';

/** Authorization endpoint: shows the consent screen. */
@Controller(atRoot('oauth/authorize'))
export class AuthorizeController {
  constructor(
    private readonly flow: AuthorizationFlow,
    private readonly consent: Consent,
    private readonly sealed: SignedAuthorizationRequests,
    private readonly answers: AuthorizationAnswers,
    private readonly detour: LoginRedirect,
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
    if (outcome.kind === 'sign_in') return this.detour.begin(request, response, person);
    if (outcome.kind === 'asked') return this.consentPage(pageContext, outcome);
    return this.answer(pageContext, outcome);
  }

  /** Approves what was shown. */
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

  /** Denies what was shown. */
  @Post('deny')
  @Page('signed_in')
  deny(
    @Context() pageContext: PageContext,
    @FormInput() form: Record<string, unknown>,
  ): HttpResponse {
    const person = personOf(pageContext) as Person;
    return this.answer(pageContext, this.consent.deny(form[CONSENT_FIELD], person));
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
    if (ending.kind === 'refused') return this.answers.toPerson(pageContext, ending.error);
    return this.answers.toApplication(ending.address, ending.params);
  }

  private consentPage(pageContext: PageContext, { request, application }: Asked): HttpResponse {
    const { viewer, session } = personOf(pageContext) as Person;
    const form = {
      sealed: this.sealed.seal(request, session.id),
      csrfToken: pageContext.csrfToken,
    };
    const page = ConsentPage({ application, request, viewer, form });
    const title = `Authorize ${application.name}`;
    const formTargets = [request.redirectUri];
    return pageContext.render(page, { title, narrow: true, noReferrer: true, formTargets });
  }
}

type Asked = Extract<Outcome, { kind: 'asked' }>;

function personOf({ viewer, session }: PageContext): Person | null {
  return viewer === null || session === null ? null : { viewer, session };
}
